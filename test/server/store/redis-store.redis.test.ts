import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'redis';
import { redisStore, type LicensingStore, type RedisStoreOptions } from '../../../src/server/redis.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { testRedis, type TestRedis } from '../support/redis.js';
import { assertEachEventOnce, assertNoEventIsLost } from '../support/two-instances.js';
import { until } from '../support/until.js';
import { openIds, putAll, record, recordSuite } from './record-suite.js';

/** With `appendfsync always`, as the documentation asks for. */
let redis: TestRedis;
let prefixes = 0;

before(async () => {
  redis = await testRedis();
});
after(async () => {
  await redis.stop();
});

const newPrefix = () => `{test-${(prefixes += 1)}}:`;

/** Two instances with separate connections. */
async function createStores(options: RedisStoreOptions = {}): Promise<[LicensingStore, LicensingStore]> {
  const prefix = newPrefix();
  const create = async () => redisStore(await redis.client(), { prefix, ...options });
  return [await create(), await create()];
}

recordSuite('redisStore', createStores);

test('When an instance on redisStore dies at any point, another one loses no event.', async (t) => {
  await assertNoEventIsLost(t, await createStores());
});

test('Two instances on redisStore that reconcile at the same time deliver each event once.', async (t) => {
  await assertEachEventOnce(t, await createStores());
});

test('redisStore lets every key expire with the last change, and lists no expired record.', async () => {
  const prefix = '{expiring}:';
  const [store] = await createStores({ prefix, keepDays: 30 });
  const client = await redis.client();
  const records = [1, 2, 3, 4].map((number) => record(number, { applicationId: `app_${number}` }));
  await putAll(store, ...records);
  const keys = await client.keys(`${prefix}*`);
  assert.equal(keys.length, 10);
  for (const key of keys) assert.equal(Math.round((await client.ttl(key)) / 86_400), 30, key);
  for (const number of [1, 2, 4]) await client.del(`${prefix}record:${record(number).id}`);
  assert.deepEqual(await openIds(store, 1), [record(3).id]);
  assert.deepEqual(await store.byUser('usr_1', 1), [records[2]]);
  assert.equal(await store.byApplication('app_1'), undefined);
  assert.equal(await client.zCard(`${prefix}open`), 1);
});

test('redisStore is unavailable while its server is full, is a replica, or is gone, and fails otherwise.', async (t) => {
  const own = await testRedis();
  let isRunning = true;
  t.after(() => (isRunning ? own.stop() : undefined));
  const [client, admin] = [await own.client(), await own.client()];
  const store = redisStore(client);
  await admin.configSet('maxmemory', '1');
  await assert.rejects(store.put(record(1)), { name: 'StoreUnavailableError', message: /OOM/ });
  await admin.configSet('maxmemory', '0');
  await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
  await assert.rejects(store.put(record(1)), { name: 'StoreUnavailableError', message: /READONLY/ });
  await admin.configSet('replica-serve-stale-data', 'no');
  await assert.rejects(store.get(record(1).id), { name: 'StoreUnavailableError', message: /MASTERDOWN/ });
  await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  await putAll(store, record(1));
  await admin.del('{licensing-apply}:open');
  await admin.set('{licensing-apply}:open', 'not a sorted set');
  await assert.rejects(store.listOpen(undefined, 1), { message: /WRONGTYPE/ });
  await own.stop();
  isRunning = false;
  await assert.rejects(store.get(record(1).id), { name: 'StoreUnavailableError' });
});

test('redisStore refuses a prefix in place of its options, and a retention of zero.', () => {
  const client = { eval: () => assert.fail() };
  for (const options of ['live:', 5, null, ['live:']] as never[]) {
    assert.throws(() => redisStore(client, options), TypeError);
  }
  for (const keepDays of [0, -1, NaN]) assert.throws(() => redisStore(client, { keepDays }), TypeError);
});

test('redisStore is unavailable within the time limit of its client when the server vanishes, and then works again.', async () => {
  const proxy = await startTcpProxy(Number(new URL(redis.url).port));
  // The client pings, because it also closes a connection on which nothing happens. By default, it
  // would not connect again after that.
  const socket = { socketTimeout: 600, reconnectStrategy: (retries: number) => Math.min(50 * retries, 500) };
  const client = createClient({ url: `redis://127.0.0.1:${proxy.port}`, pingInterval: 200, socket });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const store = redisStore(client, { prefix: newPrefix() });
    await putAll(store, record(1));
    proxy.fallSilent();
    await assert.rejects(store.get(record(1).id), { name: 'StoreUnavailableError' });
    proxy.restore();
    await until('the store to answer', () =>
      store.get(record(1).id).then(
        (found) => found !== undefined,
        () => false,
      ),
    );
    await setTimeout(1_000);
    assert.deepEqual(await store.get(record(1).id), record(1), 'a connection that is only pinged stays');
  } finally {
    client.destroy();
    await proxy.close();
  }
});
