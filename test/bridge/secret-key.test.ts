import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSecretKey } from '../../src/bridge/secret-key.js';

test('several first starts agree on one key, which only its owner may read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(folder)));
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
  assert.equal(keys[0]?.length, 32);
  assert.equal((await stat(join(folder, 'secret-key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secret-key']);
  assert.deepEqual(await loadSecretKey(folder), keys[0]);
});
