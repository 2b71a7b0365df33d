import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { assertWritable } from '../../../src/bridge/store/assert-writable.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { databaseOutages, findOutage, type DatabaseOutage } from '../../../src/bridge/store/outages.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { testDatabase } from '../../support/database.js';

/**
 * A database whose next connections have a setting and keep it, as the connections to a demoted
 * server stay read-only.
 */
async function setup(t: TestContext, setting: string) {
  const database = await testDatabase();
  t.after(() => database.stop());
  const name = new URL(database.url).pathname.slice(1);
  await sql.raw(`alter database ${name} set ${setting}`).execute(database.db);
  const db = openDatabase(database.url, { maxConnections: 3 });
  t.after(() => db.destroy());
  return { db, restore: () => sql.raw(`alter database ${name} reset all`).execute(database.db) };
}

/** The processes of all three connections. */
async function processes(db: Database): Promise<number[]> {
  const found = await Promise.all(
    [1, 2, 3].map(() => sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)`.execute(db)),
  );
  return found.map(({ rows }) => rows[0]?.pid ?? 0).sort();
}

const write = (db: Database) => sql`create table written (id integer)`.execute(db);

test('When one connection reports a read-only server, all connections to it leave the pool.', async (t) => {
  const { db, restore } = await setup(t, 'default_transaction_read_only = on');
  const before = await processes(db);
  await restore();
  await assert.rejects(db.transaction().execute(write), { code: '25006' });
  await write(db);
  const after = await processes(db);
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  );
});

test('When one connection reports a server without resources, only that connection leaves the pool.', async (t) => {
  const { db, restore } = await setup(t, 'temp_file_limit = 0');
  const before = await processes(db);
  await restore();
  await assert.rejects(assertWritable(db), { code: '53400' });
  await assert.rejects(sql`select 1 / 0`.execute(db), { code: '22012' });
  const after = await processes(db);
  assert.equal(after.filter((pid) => before.includes(pid)).length, 2);
});

test('A database is writable only if the server takes writes and has space on its disk.', async (t) => {
  const readOnly = await setup(t, 'default_transaction_read_only = on');
  await assert.rejects(assertWritable(readOnly.db), { code: '25006' });
  const full = await setup(t, 'temp_file_limit = 0');
  await assert.rejects(assertWritable(full.db), { code: '53400' });
  for (const { db, restore } of [readOnly, full]) {
    await restore();
    await assertWritable(db);
  }
});

test('States of the server are outages; faults of a query are not.', () => {
  const ofCode = (code: string | undefined, message = '') => findOutage(Object.assign(new Error(message), { code }));
  for (const { codes } of databaseOutages as readonly DatabaseOutage[]) {
    for (const code of codes) assert.equal(ofCode(code.padEnd(5, '0'))?.codes, codes, code);
  }
  for (const code of ['23505', '42P01', '22001', '57014', '55P03', 'XX000', '0A000', 'ERR_58']) {
    assert.equal(ofCode(code), undefined, code);
  }
  assert.equal(ofCode(undefined, 'Connection terminated unexpectedly'), databaseOutages[0]);
  assert.equal(ofCode(undefined, 'Something else'), undefined);
});
