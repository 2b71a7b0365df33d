import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createClient } from 'redis';
import { redisStore, type RedisStore, type RedisStoreOptions } from '../../../src/server/redis.js';
import { storeSuite } from '../support/store-suite.js';
import { delivery, fact, link, state } from '../support/stored.js';
import { freePorts } from '../../support/free-ports.mjs';
import { testRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

let redis: TestRedis;
let prefixes = 0;
const stores: RedisStore[] = [];

before(async () => {
  redis = await testRedis();
});
after(async () => {
  for (const store of stores) await store.close();
  await redis.stop();
});

/** Two instances with connections of their own. */
async function createStores(options: RedisStoreOptions = {}): Promise<[RedisStore, RedisStore]> {
  const prefix = `{test-${String((prefixes += 1))}}:`;
  const create = async () => {
    const store = redisStore(await redis.client(), { prefix, ...options });
    stores.push(store);
    return store;
  };
  return [await create(), await create()];
}

storeSuite('redisStore', createStores);

suite('redisStore', () => {
  test('hears again after its connection broke, and says that something may have been missed', async () => {
    const [store, other] = await createStores();
    let heard = 0;
    await store.subscribe('app_1', () => (heard += 1));
    await (await redis.client()).sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    await until('the call after the interruption', () => heard === 1);
    await other.publish('app_1');
    await until('the next change', () => heard === 2);
  });

  test('a subscriber that cannot be served is told so, and the next one is served again', async () => {
    const client = await redis.client();
    let isBroken = true;
    const store = redisStore({
      eval: client.eval.bind(client),
      duplicate: () => {
        const subscriber = client.duplicate();
        const connect = subscriber.connect.bind(subscriber);
        return Object.assign(subscriber, {
          connect: () => (isBroken ? Promise.reject(new Error('no')) : connect()),
        });
      },
    });
    stores.push(store);
    await assert.rejects(store.subscribe('app_1', () => undefined));
    isBroken = false;
    let heard = 0;
    await store.subscribe('app_1', () => (heard += 1));
    await store.publish('app_1');
    await until('the change', () => heard === 1);
  });

  test('can be closed while the server is away, and lets the process end', { timeout: 10_000 }, async () => {
    const [port = 0] = await freePorts(1);
    const nobody = createClient({ url: `redis://127.0.0.1:${String(port)}` });
    let attempts = 0;
    const subscriber = nobody.duplicate().on('error', () => (attempts += 1));
    const store = redisStore({ eval: () => assert.fail(), duplicate: () => subscriber });
    store.subscribe('app_1', () => undefined).catch(() => undefined);
    await until('attempts to connect', () => attempts > 1);
    await store.close();
    assert.equal(subscriber.isOpen, false);
    await store.close();
  });

  test('every key expires but the lists of what is to be done, and they forget what has expired', async () => {
    const [store] = await createStores({ prefix: '{expiring}:' });
    const client = await redis.client();
    await store.saveLink(link(1));
    await store.acceptDelivery('app_1', delivery('a'));
    await store.replaceState('app_1', 0, state(1), [fact(1)]);
    const keys = await client.keys('{expiring}:*');
    const lasting: string[] = [];
    for (const key of keys) if ((await client.ttl(key)) === -1) lasting.push(key.replace('{expiring}:', ''));
    assert.deepEqual(lasting.sort(), ['arrears', 'open', 'untold']);
    await client.del(keys.filter((key) => key.includes(':application:')));
    assert.deepEqual(await store.openLinks(undefined, 10), []);
    assert.deepEqual(
      await store.applicationsWithLeftWork({ receivedBefore: '2100-01-01T00:00:00.000Z', limit: 9 }),
      [],
    );
    assert.deepEqual(
      (await client.keys('{expiring}:*')).filter((key) => lasting.includes(key.replace('{expiring}:', ''))),
      [],
    );
  });

  test('an application that goes on changing is found by its user and its webhooks for as long as it is kept', async () => {
    const prefix = '{changing}:';
    const client = await redis.client();
    const store = redisStore(client, { prefix, keepDays: 30 });
    const ofApplication = link(1);
    await store.saveLink(ofApplication);
    const days = async (key: string) => Math.round((await client.ttl(`${prefix}${key}`)) / 86_400);
    // As long as the address of the webhooks is good.
    assert.equal(await days(`reference:${ofApplication.reference}`), 180);
    const listOfUser = `user:${ofApplication.userId}`;
    assert.equal(await days(listOfUser), 30);
    await client.expire(`${prefix}${listOfUser}`, 60);
    await store.replaceState('app_1', 0, state(1), []);
    assert.equal(await days(listOfUser), 30);
  });

  test('looks at no more left work than it is asked for, however much there is', async () => {
    const [store] = await createStores();
    for (let number = 1; number <= 1_000; number += 1) {
      await store.saveLink(link(number));
      await store.acceptDelivery(`app_${String(number)}`, delivery('a'));
    }
    const client = await redis.client();
    const query = { receivedBefore: '2100-01-01T00:00:00.000Z', limit: 10 };
    await client.sendCommand(['CONFIG', 'RESETSTAT']);
    assert.equal((await store.applicationsWithLeftWork(query)).length, 10);
    const statistics = await client.info('commandstats');
    const calls = [...statistics.matchAll(/calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    assert.ok(calls < 40, statistics);
  });

  test('lists of an earlier version forget applications of which nothing is left', async () => {
    const [store] = await createStores({ prefix: '{earlier}:' });
    const client = await redis.client();
    await store.saveLink(link(1));
    for (const list of ['untold', 'arrears']) await client.zAdd(`{earlier}:${list}`, { score: 1, value: 'app_1' });
    const query = { receivedBefore: '2100-01-01T00:00:00.000Z', limit: 10 };
    assert.deepEqual(await store.applicationsWithLeftWork(query), []);
    assert.equal(await client.exists(['{earlier}:untold', '{earlier}:arrears']), 0);
  });

  test('does not take a prefix alone for its options, and the default for the prefix', () => {
    const client = { eval: () => assert.fail(), duplicate: () => assert.fail() };
    for (const options of ['live:', 5, null, ['live:']] as never[]) {
      assert.throws(() => redisStore(client, options), { name: 'TypeError', message: 'options must be an object.' });
    }
  });

  test('does not take half a day for nothing', () => {
    const client = { eval: () => assert.fail(), duplicate: () => assert.fail() };
    for (const keepDays of [0, -1, NaN]) assert.throws(() => redisStore(client, { keepDays }), TypeError);
  });
});
