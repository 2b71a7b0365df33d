import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLogger, readEnvironment, startBridge, type KeyProvider } from '../../../src/bridge/index.js';
import { loadSecretKey } from '../../../src/bridge/adapters/environment-keys.js';
import { testDatabase } from '../../support/database.js';

test('Several concurrent first starts agree on one key, which only its owner may read.', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(folder)));
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
  assert.equal(keys[0]?.length, 32);
  assert.equal((await stat(join(folder, 'secret-key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secret-key']);
  assert.deepEqual(await loadSecretKey(folder), keys[0]);
});

/**
 * Starts a bridge in production with the keys of a provider, such as a KMS, and none in variables.
 */
async function setup(t: TestContext) {
  const database = await testDatabase();
  t.after(() => database.stop());
  const folder = await mkdtemp(join(tmpdir(), 'bridge-provider-'));
  t.after(() => rm(folder, { recursive: true }));
  const variables = {
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    APPLY_URL: 'https://apply.example',
    BRIDGE_URL: 'https://bridge.example',
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    BRIDGE_DATA_DIR: folder,
  };
  const start = async (...keys: Buffer[]) => {
    const provider: KeyProvider = { source: 'The KMS', loadKeys: () => Promise.resolve(keys as [Buffer]) };
    const assets = { href: (name: string) => name, at: () => undefined };
    const environment = readEnvironment(variables, { needsKey: false });
    const bridge = await startBridge(environment, { log: createLogger('silent'), assets, keyProvider: provider });
    t.after(() => bridge.stop());
    return bridge;
  };
  return { start, folder };
}

test('The newest key of a provider encrypts, all keys decrypt, and no key is written to the disk.', async (t) => {
  const { start, folder } = await setup(t);
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const encrypted = (await start(first)).context.keys.of('live').encrypt('900-11-0004', 'here');
  const keys = (await start(second, first)).context.keys.of('live');
  assert.equal(keys.decrypt(encrypted, 'here'), '900-11-0004');
  assert.notEqual(keys.encrypt('x', 'here').split('.')[1], encrypted.split('.')[1]);
  assert.deepEqual(await readdir(folder), []);
  await assert.rejects(start(randomBytes(32)), /^Error: The KMS is not the key that this database was used with\./);
});

for (const keys of [[], [Buffer.alloc(16)], [Buffer.alloc(32), Buffer.alloc(31)]]) {
  test(`Keys of ${keys.map((key) => key.length).join(' and ') || 'no'} bytes from a provider stop the start.`, async (t) => {
    const { start } = await setup(t);
    await assert.rejects(start(...keys), /The KMS: expected keys of 32 bytes/);
  });
}
