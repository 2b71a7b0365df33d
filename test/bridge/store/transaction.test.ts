import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { inTransaction } from '../../../src/bridge/store/transaction.js';
import type { Database, DatabaseTransaction } from '../../../src/bridge/store/tables/typed-database.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { deferred } from '../../support/deferred.js';

let database: TestDatabase;
/** Two connections at most. */
let db: Database;
before(async () => {
  database = await testDatabase({ migrated: false });
  db = openDatabase(database.url, { maxConnections: 2 });
  await sql`create table account (id integer primary key, total integer not null)`.execute(db);
});
beforeEach(async () => {
  await sql`truncate account`.execute(db);
  await sql`insert into account values (1, 0), (2, 0)`.execute(db);
});
after(async () => {
  await db.destroy();
  await database.stop();
});

const add = (trx: DatabaseTransaction, id: number) =>
  sql`update account set total = total + 1 where id = ${id}`.execute(trx);
const totals = async () =>
  (await sql<{ total: number }>`select total from account order by id`.execute(db)).rows.map(({ total }) => total);
const processes = async () =>
  (
    await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'licensing-bridge' order by pid`.execute(database.db)
  ).rows.map(({ pid }) => pid);

test('Of two transactions that wait for each other, the server undoes one, which runs once more and succeeds.', async () => {
  // Both hold their first row before either asks for the other's.
  const [first, second] = [deferred(), deferred()];
  let runs = 0;
  const cross = (own: number, other: number, mine: typeof first, theirs: typeof first) =>
    inTransaction(db, async (trx) => {
      runs += 1;
      await add(trx, own);
      mine.resolve();
      await theirs.promise;
      await add(trx, other);
    });
  await sql`select 1`.execute(db);
  await Promise.all([cross(1, 2, first, second), cross(2, 1, second, first)]);
  assert.equal(runs, 3);
  assert.deepEqual(await totals(), [2, 2]);
});

test('A transaction that is undone twice fails, and its connection continues to serve.', async () => {
  const before = await processes();
  let runs = 0;
  const undone = inTransaction(db, async (trx) => {
    runs += 1;
    await add(trx, 1);
    await sql`do $$ begin raise exception 'undone' using errcode = '40001'; end $$`.execute(trx);
  });
  await assert.rejects(undone, { code: '40001' });
  assert.equal(runs, 2);
  assert.deepEqual(await totals(), [0, 0]);
  assert.deepEqual(await processes(), before);
});

test('Any other failure of a transaction is not repeated.', async () => {
  let runs = 0;
  const failing = inTransaction(db, async (trx) => {
    runs += 1;
    await sql`insert into account values (1, 0)`.execute(trx);
  });
  await assert.rejects(failing, { code: '23505' });
  assert.equal(runs, 1);
});

test('Work that is given a transaction runs in it, and is undone with it.', async () => {
  const outer = inTransaction(db, async (trx) => {
    await inTransaction(trx, (inner) => add(inner, 1));
    throw new Error('stop');
  });
  await assert.rejects(outer, /stop/);
  assert.deepEqual(await totals(), [0, 0]);
});
