#!/usr/bin/env node
import { describeOldNode } from './cli/node-version.js';

const oldNode = describeOldNode(process.versions.node);
if (oldNode === undefined) {
  // Loaded after the check: on an older Node this import would fail without a clear reason.
  const { runCli } = await import('./cli/run.js');
  process.exitCode = await runCli(process.argv.slice(2), process.env);
} else {
  process.stderr.write(`${oldNode}\n`);
  process.exitCode = 1;
}
