import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createClient } from 'redis';
import { redisStore, type RedisStoreOptions } from '../../../src/server/redis.js';
import { freePorts } from '../../support/free-ports.mjs';
import { testRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { processSuite } from './process-suite.js';
import { notificationSuite, openIds, putAll, record, recordSuite } from './record-suite.js';

type RedisRecords = ReturnType<typeof redisStore>;

/** With `appendfsync always`, as the documentation asks for. */
let redis: TestRedis;
let prefixes = 0;
const stores: RedisRecords[] = [];

before(async () => {
  redis = await testRedis({ isDurable: true });
});
after(async () => {
  for (const store of stores) await store.close();
  await redis.stop();
});

const newPrefix = () => `{test-${String((prefixes += 1))}}:`;

/** Two instances with connections of their own. */
async function createStores(options: RedisStoreOptions = {}): Promise<[RedisRecords, RedisRecords]> {
  const prefix = newPrefix();
  const create = async () => redisStore(await redis.client(), { prefix, ...options });
  const created: [RedisRecords, RedisRecords] = [await create(), await create()];
  stores.push(...created);
  return created;
}

recordSuite('redisStore', createStores);
notificationSuite('redisStore', createStores);
processSuite('redisStore', async () => ({ kind: 'redis', url: redis.url, prefix: newPrefix() }));

suite('redisStore', () => {
  test('calls its subscribers after its connection broke, and then at the next change', async () => {
    const [store, other] = await createStores();
    let calls = 0;
    await store.subscribe('record', () => (calls += 1));
    await (await redis.client()).sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    await until('the call after the interruption', () => calls === 1);
    await other.notify('record');
    await until('the call of the next change', () => calls === 2);
  });

  test('rejects a subscriber when it cannot connect, and connects for the next one', async () => {
    const client = await redis.client();
    let isBroken = true;
    const store = redisStore({
      eval: client.eval.bind(client),
      duplicate() {
        const subscriber = client.duplicate();
        const connect = subscriber.connect.bind(subscriber);
        return Object.assign(subscriber, {
          connect: () => (isBroken ? Promise.reject(new Error('no')) : connect()),
        });
      },
    });
    stores.push(store);
    await assert.rejects(
      store.subscribe('record', () => undefined),
      /no/,
    );
    isBroken = false;
    let calls = 0;
    await store.subscribe('record', () => (calls += 1));
    await store.notify('record');
    await until('the call', () => calls === 1);
  });

  test('holds a connection for subscriptions only while there are subscribers', async () => {
    const [store] = await createStores();
    const client = await redis.client();
    const connections = async () => {
      const list = await client.sendCommand<string>(['CLIENT', 'LIST', 'TYPE', 'pubsub']);
      return list.split('\n').filter(Boolean).length;
    };
    const before = await connections();
    const unsubscribe = [1, 2].map(() => store.subscribe('record', () => undefined));
    const [first, second] = await Promise.all(unsubscribe);
    assert.equal(await connections(), before + 1);
    first?.();
    assert.equal(await connections(), before + 1);
    second?.();
    await until('the connection to be closed', async () => (await connections()) === before);
  });

  test(
    'rejects waiting subscribers when it is closed while the server is away, and lets the process end',
    { timeout: 10_000 },
    async () => {
      const [port = 0] = await freePorts(1);
      const nobody = createClient({ url: `redis://127.0.0.1:${String(port)}` });
      let attempts = 0;
      const subscriber = nobody.duplicate().on('error', () => (attempts += 1));
      const store = redisStore({ eval: () => assert.fail(), duplicate: () => subscriber });
      const rejected = assert.rejects(
        store.subscribe('record', () => undefined),
        /closed while it connected/,
      );
      await until('attempts to connect', () => attempts > 1);
      await store.close();
      await rejected;
      assert.equal(subscriber.isOpen, false);
      await store.close();
    },
  );

  test('lets every key expire with the last change, and lists no expired record', async () => {
    const prefix = '{expiring}:';
    const [store] = await createStores({ prefix, keepDays: 30 });
    const client = await redis.client();
    const records = [1, 2, 3, 4].map((number) => record(number, { applicationId: `app_${String(number)}` }));
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

  test('refuses a prefix in place of its options, and keeping records for no time', () => {
    const client = { eval: () => assert.fail(), duplicate: () => assert.fail() };
    for (const options of ['live:', 5, null, ['live:']] as never[]) {
      assert.throws(() => redisStore(client, options), { name: 'TypeError', message: 'options must be an object.' });
    }
    for (const keepDays of [0, -1, NaN]) assert.throws(() => redisStore(client, { keepDays }), TypeError);
  });
});
