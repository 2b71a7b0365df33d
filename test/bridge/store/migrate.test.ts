import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { createIndexConcurrently } from '../../../src/bridge/store/concurrent-index.js';
import { findPending, migrate, type Migration } from '../../../src/bridge/store/migrate.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { until } from '../until.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.stop());

test('Of three bridges that start at the same time, one migrates, and all find the tables.', async () => {
  assert.notDeepEqual(await findPending(database.db), []);
  const bridges = [1, 2, 3].map(() => openDatabase(database.url));
  await Promise.all(bridges.map((db) => migrate(db)));
  for (const db of bridges) {
    assert.deepEqual(await findPending(db), []);
    assert.deepEqual(await db.selectFrom('application').selectAll().execute(), []);
    await db.destroy();
  }
  await migrate(database.db);
});

test('Every file in the folder of migrations runs, in the order of its number.', async () => {
  const folder = fileURLToPath(new URL('../../../src/bridge/store/migrations', import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const names = files.map((name) => name.slice(0, -'.ts'.length)).sort();
  // A new database has run none.
  const { db, stop } = await testDatabase({ migrated: false });
  try {
    const message = 'List every file in `known` in src/bridge/store/migrate.ts, in the order of the numbers.';
    assert.deepEqual(await findPending(db), names, message);
  } finally {
    await stop();
  }
});

/** Test migrations: a table with rows, and an index on it that is built concurrently. */
function migrationsOf(isInTransaction: boolean): Record<string, Migration> {
  return {
    '0001-table': {
      up: (db) => sql`create table crowd as select n from generate_series(1, 1000) n`.execute(db).then(),
    },
    '0002-index': {
      isInTransaction,
      up: (db) =>
        isInTransaction
          ? sql`create index crowd_n on crowd (n)`.execute(db).then()
          : createIndexConcurrently(db, 'crowd_n', 'crowd (n)'),
    },
  };
}

async function setUpCrowd(t: TestContext) {
  const { db, url, stop } = await testDatabase({ migrated: false });
  t.after(stop);
  const open = () => {
    const opened = openDatabase(url);
    t.after(() => opened.destroy());
    return opened;
  };
  const isValid = async () => {
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('crowd_n')`.execute(db);
    return rows[0]?.valid;
  };
  const [table = ''] = Object.keys(migrationsOf(false));
  await migrate(db, { migrations: { [table]: migrationsOf(false)[table] as Migration } });
  return { db, open, isValid };
}

test('Rows are written while an index on their table waits for an older transaction.', async (t) => {
  const { db, open, isValid } = await setUpCrowd(t);
  const [older, migrating] = [open(), open()];
  const built = await older.transaction().execute(async (trx) => {
    await sql`insert into crowd values (0)`.execute(trx);
    const done = migrate(migrating, { migrations: migrationsOf(false) });
    await until(
      () =>
        sql`select from pg_stat_activity where query like 'create index concurrently%'
        and wait_event_type = 'Lock' and datname = current_database()`.execute(db),
      ({ rows }) => rows.length > 0,
    );
    // If the index were built in a transaction, this statement would wait for it.
    await db.transaction().execute(async (writer) => {
      await sql`set local lock_timeout = 1000`.execute(writer);
      await sql`insert into crowd values (-1)`.execute(writer);
    });
    return { done };
  });
  assert.deepEqual(await built.done, ['0002-index']);
  assert.equal(await isValid(), true);
});

test('An interrupted index is built again.', async (t) => {
  const { db, isValid } = await setUpCrowd(t);
  await sql`insert into crowd values (1)`.execute(db);
  await assert.rejects(sql`create unique index concurrently crowd_n on crowd (n)`.execute(db));
  assert.equal(await isValid(), false);
  assert.deepEqual(await migrate(db, { migrations: migrationsOf(false) }), ['0002-index']);
  assert.equal(await isValid(), true);
});

test('Of four concurrent migrations, one builds the index and the others wait without blocking it.', async (t) => {
  const { open, isValid } = await setUpCrowd(t);
  const done = await Promise.all([1, 2, 3, 4].map(() => migrate(open(), { migrations: migrationsOf(false) })));
  assert.deepEqual(done.flat(), ['0002-index']);
  assert.equal(await isValid(), true);
});

test('A failing migration leaves nothing behind, keeps the earlier ones, and says why.', async (t) => {
  const { db } = await setUpCrowd(t);
  const failing: Migration = {
    async up(trx) {
      await sql`create table half ()`.execute(trx);
      await sql`select 1 / 0`.execute(trx);
    },
  };
  await assert.rejects(
    migrate(db, { migrations: { ...migrationsOf(true), '0003-failing': failing } }),
    /division by zero/,
  );
  assert.deepEqual(await findPending(db, { ...migrationsOf(true), '0003-failing': failing }), ['0003-failing']);
  const { rows } = await sql`select to_regclass('half') as half`.execute(db);
  assert.deepEqual(rows, [{ half: null }]);
});
