import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { statement } from '../../../src/bridge/store/statement.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
let db: Database;
let onLoss = () => {};
before(async () => {
  database = await testDatabase();
  // One connection, so that the next query uses its prepared statements.
  db = openDatabase(database.url, { maxConnections: 1, onError: () => onLoss() });
  await sql`insert into agency values ('agc_1', 'One', '{}', now()), ('agc_2', 'Two', '{}', now())`.execute(db);
});
after(async () => {
  await db.destroy();
  await database.stop();
});

let built = 0;
const agencyNames = statement('agency_names', (creator, { id, unlike }: { id: string; unlike: string }) => {
  built += 1;
  return creator
    .selectFrom('agency')
    .select('name')
    .where('id', '=', id)
    .where('name', '<>', unlike)
    .where('id', '<>', '');
});
const nameOf = async (id: string, unlike = '') => (await agencyNames(db, { id, unlike }))[0]?.name;
const prepared = async () =>
  (await sql<{ count: number }>`select count(*) from pg_prepared_statements where name = 'agency_names'`.execute(db))
    .rows;

test('A statement is built once, prepared once, and runs with the values of each call.', async () => {
  assert.deepEqual([await nameOf('agc_1'), await nameOf('agc_2'), await nameOf('agc_3')], ['One', 'Two', undefined]);
  assert.equal(await nameOf('agc_2', 'Two'), undefined);
  assert.equal(built, 1);
  assert.deepEqual(await prepared(), [{ count: 1 }]);
});

test('A value may occur any number of times in a statement.', async () => {
  const agenciesBetween = statement('agencies_between', (creator, { id, other }: { id: string; other: string }) =>
    creator
      .selectFrom('agency')
      .select('id')
      .where('id', '>=', id)
      .where('id', '<=', other)
      .where((eb) => eb.or([eb('id', '=', id), eb('id', '=', other), eb('name', '=', 'agc_1')]))
      .orderBy('id'),
  );
  assert.deepEqual(await agenciesBetween(db, { id: 'agc_1', other: 'agc_2' }), [{ id: 'agc_1' }, { id: 'agc_2' }]);
  assert.deepEqual(await agenciesBetween(db, { id: 'agc_2', other: 'agc_2' }), [{ id: 'agc_2' }]);
});

test('In a transaction, a statement sees the rows of the transaction.', async () => {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('agency').set({ name: 'Uno' }).where('id', '=', 'agc_1').execute();
    assert.deepEqual(await agencyNames(trx, { id: 'agc_1', unlike: '' }), [{ name: 'Uno' }]);
    await trx.updateTable('agency').set({ name: 'One' }).where('id', '=', 'agc_1').execute();
  });
});

test('After a lost connection, the next one prepares the statement again.', async () => {
  const lost = new Promise<void>((resolve) => (onLoss = resolve));
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(database.db);
  await lost;
  assert.equal(await nameOf('agc_1'), 'One');
  assert.deepEqual(await prepared(), [{ count: 1 }]);
});

test('A statement works after a newer version of the bridge adds a column.', async () => {
  assert.equal(await nameOf('agc_1'), 'One');
  await sql`alter table agency add column later text`.execute(database.db);
  assert.equal(await nameOf('agc_1'), 'One');
});

test('A statement is not prepared where a pooler shares connections, and has the same result.', async (t) => {
  const plain = openDatabase(database.url, { maxConnections: 1, isPreparing: false });
  t.after(() => plain.destroy());
  assert.deepEqual(await agencyNames(plain, { id: 'agc_1', unlike: '' }), [{ name: 'One' }]);
  const { rows } = await sql`select from pg_prepared_statements`.execute(plain);
  assert.equal(rows.length, 0);
});
