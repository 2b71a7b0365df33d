import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { databaseOutages } from '../../../src/bridge/store/outages.js';
import { StoreUnavailableError } from '../../../src/server/index.js';
import { postgresStore, type PostgresStore, type PostgresStoreOptions } from '../../../src/server/postgres.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { assertEachEventOnce, assertNoEventIsLost } from '../support/two-instances.js';
import { putAll, record, recordSuite } from './record-suite.js';

let database: TestDatabase;
let schemas = 0;
const pools: pg.Pool[] = [];

before(async () => {
  database = await testDatabase({ migrated: false });
});
after(async () => {
  for (const pool of pools) await pool.end();
  await database.stop();
});

const newSchema = () => `test_${(schemas += 1)}`;

function createPool(max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.url, max });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
}

function createStore(options: PostgresStoreOptions = {}, pool = createPool()): PostgresStore {
  return postgresStore(pool, { schema: newSchema(), ...options });
}

/** Two instances with separate pools. */
async function createStores(connections?: number): Promise<[PostgresStore, PostgresStore]> {
  const schema = newSchema();
  const create = () => createStore({ schema }, createPool(connections));
  const pair: [PostgresStore, PostgresStore] = [create(), create()];
  // At the same time, as instances do that start together.
  await Promise.all(pair.map((store) => store.migrate()));
  return pair;
}

recordSuite('postgresStore', createStores);
recordSuite('postgresStore with a pool of one', () => createStores(1));

test('When an instance on postgresStore dies at any point, another one loses no event.', async (t) => {
  await assertNoEventIsLost(t, await createStores());
});

test('Two instances on postgresStore that reconcile at the same time deliver each event once.', async (t) => {
  await assertEachEventOnce(t, await createStores());
});

test('postgresStore migrates twice, and in a schema of a user who may not create one.', async () => {
  const owner = createPool(1);
  const schema = newSchema();
  const role = `role_${schema}_${process.pid}`;
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

test('postgresStore is unavailable within the time limits of its pool when the server vanishes, and then works again.', async () => {
  const address = new URL(database.url);
  const proxy = await startTcpProxy(Number(address.port));
  address.port = String(proxy.port);
  const limits = { connectionTimeoutMillis: 300, query_timeout: 300 };
  const pool = new pg.Pool({ connectionString: address.href, max: 1, ...limits });
  pool.on('error', () => undefined);
  try {
    const store = createStore({}, pool);
    await store.migrate();
    await putAll(store, record(1));
    proxy.fallSilent();
    // On a connection that is silent, and where none is made any more.
    for (let count = 0; count < 2; count += 1) await assert.rejects(store.get(record(1).id), StoreUnavailableError);
    proxy.restore();
    assert.deepEqual(await store.get(record(1).id), record(1));
  } finally {
    await proxy.close();
    await pool.end();
  }
});

test('postgresStore is unavailable in every state of the server in which the bridge is, and fails otherwise.', async () => {
  const failWith = (fault: object) => {
    const error = Object.assign(new Error('A fault.'), fault);
    return postgresStore({ query: () => Promise.reject(error) }).get('record');
  };
  for (const { codes } of databaseOutages) {
    for (const code of codes) {
      await assert.rejects(failWith({ code: code.padEnd(5, '0') }), { name: 'StoreUnavailableError' }, code);
    }
  }
  await assert.rejects(failWith({ message: 'Connection terminated unexpectedly' }), StoreUnavailableError);
  for (const code of ['42P01', '42501', '22021', '57014']) await assert.rejects(failWith({ code }), { code });
});

test('postgresStore is unavailable while its server is read-only.', async () => {
  const pool = createPool(1);
  const store = createStore({}, pool);
  await store.migrate();
  await pool.query('set default_transaction_read_only = on');
  await assert.rejects(store.put(record(1)), { name: 'StoreUnavailableError', message: /read-only transaction/ });
  // The pool has closed that connection.
  await putAll(store, record(1));
});

test('postgresStore refuses a schema in place of its options, and a name that needs quotes.', () => {
  const names = ['', 'Upper', 'a;drop', 'a"b', 'public.x', 'a'.repeat(64)];
  for (const options of ['live', 5, null, ['live'], ...names.map((schema) => ({ schema }))] as never[]) {
    assert.throws(() => postgresStore(createPool(), options), TypeError, JSON.stringify(options));
  }
});
