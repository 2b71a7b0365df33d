import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { postgresStore, type PostgresStore } from '../../../src/server/postgres.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { storeSuite } from '../support/store-suite.js';
import { fact, link, state } from '../support/stored.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let schemas = 0;
const stores: PostgresStore[] = [];
const pools: pg.Pool[] = [];

before(async () => {
  database = await testDatabase({ migrated: false });
});
after(async () => {
  for (const store of stores) await store.close();
  for (const pool of pools) await pool.end();
  await database.stop();
});

function createPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.url, max: 6 });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
}

function createStore(schema: string, pool = createPool()): PostgresStore {
  const store = postgresStore(pool, { schema });
  stores.push(store);
  return store;
}

/** Two instances with pools of their own. */
async function createStores(): Promise<[PostgresStore, PostgresStore]> {
  const schema = `test_${String((schemas += 1))}`;
  const pair: [PostgresStore, PostgresStore] = [createStore(schema), createStore(schema)];
  // At the same time, as instances do that start together.
  await Promise.all(pair.map((store) => store.migrate()));
  return pair;
}

storeSuite('postgresStore', createStores);

suite('postgresStore', () => {
  test('hears again after its connection broke, and says that something may have been missed', async () => {
    const [store, other] = await createStores();
    let heard = 0;
    await store.subscribe('app_1', () => (heard += 1));
    await createPool().query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`);
    await until('the call after the interruption', () => heard === 1);
    await other.publish('app_1');
    await until('the next change', () => heard === 2);
  });

  test('holds its connection only while somebody listens', async () => {
    const pool = createPool();
    const store = createStore(`test_${String((schemas += 1))}`, pool);
    await store.migrate();
    const leave = await store.subscribe('app_1', () => undefined);
    assert.equal(pool.totalCount - pool.idleCount, 1);
    leave();
    await until('the connection to be closed', () => pool.totalCount - pool.idleCount === 0);
    let heard = 0;
    await store.subscribe('app_1', () => (heard += 1));
    await store.publish('app_1');
    await until('the change', () => heard === 1);
  });

  test('holds one connection when everybody left and somebody came while it connected again', async () => {
    const pool = createPool();
    let attempts = 0;
    let lettingIn = Promise.resolve();
    const slow = {
      query: pool.query.bind(pool),
      async connect() {
        attempts += 1;
        await lettingIn;
        return pool.connect();
      },
    };
    const store = postgresStore(slow);
    stores.push(store);
    const leave = await store.subscribe('app_1', () => undefined);
    let letIn = () => {};
    lettingIn = new Promise((resolve) => (letIn = resolve));
    await createPool().query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`);
    await until('the attempt to connect again', () => attempts === 2);
    leave();
    let heard = 0;
    const coming = store.subscribe('app_1', () => (heard += 1));
    await until('the attempt for the one who came', () => attempts === 3);
    letIn();
    const leaveAgain = await coming;
    await store.publish('app_1');
    await until('the change', () => heard > 0);
    leaveAgain();
    await until('all connections to be given back', () => pool.totalCount - pool.idleCount === 0);
  });

  test('a subscriber that cannot be served is told so', async () => {
    const pool = createPool();
    const refusing = { query: pool.query.bind(pool), connect: () => Promise.reject(new Error('no')) };
    await assert.rejects(
      postgresStore(refusing).subscribe('app_1', () => undefined),
      /no/,
    );
  });

  test('an id too long for a notification reaches everybody', async () => {
    const [store, other] = await createStores();
    let heard = 0;
    await store.subscribe('app_1', () => (heard += 1));
    await other.publish('x'.repeat(10_000));
    await until('the change', () => heard === 1);
  });

  test('migrate() does nothing the second time, and works in a schema that was made for it', async () => {
    const pool = createPool();
    const name = `test_${String((schemas += 1))}`;
    await pool.query(`create schema ${name}`);
    const store = createStore(name, pool);
    await store.migrate();
    await store.saveLink(link(1));
    await store.migrate();
    assert.deepEqual(await store.linkOfApplication('app_1'), link(1));
    const { rows } = await pool.query(`select version from ${name}.migrations order by version`);
    assert.deepEqual(rows, [{ version: 1 }, { version: 2 }]);
  });

  test('keeps characters that jsonb would not, and deletes with an application what belongs to it', async () => {
    const pool = createPool();
    const name = `test_${String((schemas += 1))}`;
    const store = createStore(name, pool);
    await store.migrate();
    await store.saveLink({ ...link(1), returnState: 'nul \u0000 byte' });
    assert.equal((await store.linkOfApplication('app_1'))?.returnState, 'nul \u0000 byte');
    await store.replaceState('app_1', 0, state(1), [fact(1)]);
    await pool.query(`delete from ${name}.applications`);
    assert.deepEqual((await pool.query(`select * from ${name}.facts`)).rows, []);
  });

  test('does not take a schema alone for its options, and the default for the schema', () => {
    for (const options of ['live', 5, null, ['live']] as never[]) {
      const message = 'options must be an object.';
      assert.throws(() => postgresStore(createPool(), options), { name: 'TypeError', message });
    }
  });

  for (const schema of ['', 'Upper', 'a;drop', 'a"b', 'public.x', 'a'.repeat(64)]) {
    test(`does not take "${schema}" for the name of a schema`, () => {
      assert.throws(() => postgresStore(createPool(), { schema }), TypeError);
    });
  }
});
