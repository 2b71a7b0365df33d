import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const reporter = fileURLToPath(new URL('./support/count-reporter.mjs', import.meta.url));

test('A failed test counts for the file that ran, although another file defines it, so that a repetition runs it again.', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-apply-reporter-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const define = `import { it } from 'node:test';
    export const define = () => { it('works', () => {}); it('fails', () => { throw new Error('no'); }); it.skip('rests'); };`;
  writeFileSync(join(folder, 'suite.mjs'), define);
  writeFileSync(join(folder, 'run.test.mjs'), `import { define } from './suite.mjs'; define();`);
  const counts = join(folder, 'counts.json');
  // Without the variables of this run, in which a nested run would report to it.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...environment } = process.env;
  await new Promise((resolve) => {
    const words = ['--test', `--test-reporter=${reporter}`, join(folder, 'run.test.mjs')];
    execFile(process.execPath, words, { env: { ...environment, TEST_COUNTS: counts } }, resolve);
  });
  const { failedFiles, failures, ...rest } = JSON.parse(readFileSync(counts, 'utf8')) as {
    failedFiles: string[];
    failures: string[];
  };
  assert.deepEqual(rest, { passed: 1, failed: 1, skipped: 1 });
  assert.deepEqual(
    failedFiles.map((file) => basename(file)),
    ['run.test.mjs'],
  );
  // The end of the run repeats them, so that nobody searches its output.
  assert.equal(failures.length, 1);
  assert.match(String(failures[0]), /run\.test\.mjs: fails\n *no$/);
});
