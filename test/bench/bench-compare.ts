/**
 * `npm run bench:compare`: runs the benchmarks of the bridge, the helper and the element one after the
 * other, and prints one table with the machine and its load. Takes about an hour on an idle
 * machine. Arguments select benchmarks: `bridge helper element`. Default: all.
 */
import { spawnSync } from 'node:child_process';
import { describeMachine } from './machine.js';
import { wantedParts } from './parts.js';

const benchmarks = {
  bridge: ['--import', 'tsx', 'test/bench/bench-bridge.ts'],
  helper: ['--expose-gc', '--import', 'tsx', 'test/bench/bench-helper.ts'],
  element: ['--import', 'tsx', 'test/bench/bench-element.ts'],
};

const machine = describeMachine();
const rows = wantedParts(benchmarks).flatMap(tableOf);

console.log(`${machine}\n`);
console.log('| | Ours | Reference | Ratio | Target | |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const row of rows) console.log(row);

/** The rows of a benchmark's tables, without their headers. A missed target is a row like others. */
function tableOf(words: readonly string[]): string[] {
  const { stdout, status } = spawnSync('node', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const found = stdout.split('\n').filter((line) => /^\| \S/.test(line) && !line.startsWith('| ---'));
  if (found.length > 0) return found;
  process.exitCode = 1;
  return [`| ${String(words.at(-1))} ended with ${String(status)} and no table | | | | | |`];
}
