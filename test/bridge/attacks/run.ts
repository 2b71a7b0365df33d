/**
 * The suite `attacks`: repeats each attack that once succeeded on a bridge in a separate process,
 * and prints the result. Fails if one succeeds again.
 */
import { writeFileSync } from 'node:fs';
import { attacks } from './attacks.js';
import { startTarget } from './target.js';

const target = await startTarget();
const rows: { attack: string; before: string; now: string; holds: string }[] = [];
for (const { does, before, run } of attacks) {
  try {
    const { now, holds } = await run(target);
    rows.push({ attack: does, before, now, holds: holds ? 'yes' : 'NO' });
  } catch (error) {
    rows.push({ attack: does, before, now: String(error), holds: 'NO' });
  }
}
await target.stop();

console.log('| Attack | Before | Now | Holds |\n| --- | --- | --- | --- |');
for (const row of rows) console.log(`| ${Object.values(row).join(' | ')} |`);

const failed = rows.filter(({ holds }) => holds === 'NO').length;
const { TEST_COUNTS: path } = process.env;
if (path) writeFileSync(path, JSON.stringify({ passed: rows.length - failed, failed, skipped: 0 }));
process.exit(failed > 0 ? 1 : 0);
