#!/usr/bin/env node
import { describeOldNode } from './cli/node-version.js';

const oldNode = describeOldNode(process.versions.node);
if (oldNode === undefined) {
  // Not before: on an older Node, what this loads fails as it loads, and says nothing of the reason.
  const { runCli } = await import('./cli/run.js');
  process.exitCode = await runCli(process.argv.slice(2), process.env);
} else {
  process.stderr.write(`${oldNode}\n`);
  process.exitCode = 1;
}
