import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { postgresStore, type PostgresStore, type PostgresStoreOptions } from '../../../src/server/postgres.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { until } from '../support/until.js';
import { processSuite } from './process-suite.js';
import { notificationSuite, putAll, record, recordSuite } from './record-suite.js';

let database: TestDatabase;
let schemas = 0;
const stores: PostgresStore[] = [];
const pools: pg.Pool[] = [];

before(async () => {
  database = await testDatabase({ migrated: false });
});
after(async () => {
  for (const store of stores) await store.close?.();
  for (const pool of pools) await pool.end();
  await database.stop();
});

const newSchema = () => `test_${String((schemas += 1))}`;
const createListenClient = () => new pg.Client({ connectionString: database.url });

function createPool(max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.url, max });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
}

function createStore(options: PostgresStoreOptions = {}, pool = createPool()): PostgresStore {
  const store = postgresStore(pool, { schema: newSchema(), createListenClient, ...options });
  stores.push(store);
  return store;
}

/** Two instances with pools of their own. */
async function createStores(connections?: number): Promise<[PostgresStore, PostgresStore]> {
  const schema = newSchema();
  const create = () => createStore({ schema }, createPool(connections));
  const pair: [PostgresStore, PostgresStore] = [create(), create()];
  // At the same time, as instances do that start together.
  await Promise.all(pair.map((store) => store.migrate()));
  return pair;
}

async function listeningConnections(): Promise<number> {
  const { rows } = await createPool(1).query(`select 1 from pg_stat_activity where query like 'listen %'`);
  return rows.length;
}

recordSuite('postgresStore', createStores);
notificationSuite('postgresStore', createStores);
recordSuite('postgresStore with a pool of one', () => createStores(1));
notificationSuite('postgresStore with a pool of one', () => createStores(1));
processSuite('postgresStore', async () => ({ kind: 'postgres', url: database.url, schema: newSchema() }));

suite('postgresStore', () => {
  test('calls its subscribers after its connection broke, and then at the next change', async () => {
    const [store, other] = await createStores();
    let calls = 0;
    await store.subscribe?.('record', () => (calls += 1));
    await createPool().query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`);
    await until('the call after the interruption', () => calls === 1);
    await other.notify?.('record');
    await until('the call of the next change', () => calls === 2);
  });

  test('goes on trying to listen while the database cannot be reached', async () => {
    let attempts = 0;
    const unreachable = 'postgresql://nobody@127.0.0.1:1/nothing';
    const store = createStore({
      createListenClient() {
        attempts += 1;
        return attempts === 2 ? new pg.Client({ connectionString: unreachable }) : createListenClient();
      },
    });
    let calls = 0;
    await store.subscribe?.('record', () => (calls += 1));
    await createPool().query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`);
    await until('the call after the third attempt', () => calls === 1);
    assert.equal(attempts, 3);
  });

  test('listens only while there are subscribers', async () => {
    const store = createStore();
    const before = await listeningConnections();
    const unsubscribe = [
      await store.subscribe?.('record', () => undefined),
      await store.subscribe?.('record', () => undefined),
    ];
    assert.equal(await listeningConnections(), before + 1);
    unsubscribe[0]?.();
    assert.equal(await listeningConnections(), before + 1);
    unsubscribe[1]?.();
    await until('the connection to be closed', async () => (await listeningConnections()) === before);
  });

  test('rejects a subscriber when it cannot listen, and listens for the next one', async () => {
    let isBroken = true;
    const store = createStore({
      createListenClient: () =>
        isBroken
          ? new pg.Client({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' })
          : createListenClient(),
    });
    await assert.rejects(async () => store.subscribe?.('record', () => undefined), /ECONNREFUSED/);
    isBroken = false;
    let calls = 0;
    await store.subscribe?.('record', () => (calls += 1));
    await store.notify?.('record');
    await until('the call', () => calls === 1);
  });

  test('has no notifications without a client that listens', () => {
    const store = postgresStore(createPool());
    assert.equal(store.subscribe, undefined);
    assert.equal(store.notify, undefined);
  });

  test('migrates twice, and in a schema that was made for a user who may not create one', async () => {
    const owner = createPool(1);
    const schema = newSchema();
    const role = `role_${schema}_${String(process.pid)}`;
    await owner.query(`create role ${role}; create schema ${schema} authorization ${role}; set role ${role}`);
    try {
      const store = createStore({ schema }, owner);
      await store.migrate();
      await putAll(store, record(1));
      await store.migrate();
      assert.deepEqual(await store.get(record(1).id), record(1));
      await assert.rejects(createStore({ schema: newSchema() }, owner).migrate(), /permission denied/);
    } finally {
      await owner.query(`reset role; drop schema ${schema} cascade; drop role ${role}`);
    }
  });

  test('refuses a schema in place of its options', () => {
    for (const options of ['live', 5, null, ['live']] as never[]) {
      const message = 'options must be an object.';
      assert.throws(() => postgresStore(createPool(), options), { name: 'TypeError', message });
    }
  });

  for (const schema of ['', 'Upper', 'a;drop', 'a"b', 'public.x', 'a'.repeat(64)]) {
    test(`refuses "${schema}" as the name of a schema`, () => {
      assert.throws(() => postgresStore(createPool(), { schema }), TypeError);
    });
  }
});
