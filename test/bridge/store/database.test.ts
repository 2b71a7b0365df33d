import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { testDatabase } from '../../support/database.js';

test('a connection that ends in the middle of a transaction fails the transaction and nothing else', async (t) => {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  let heard: (error: Error) => void;
  const lost = new Promise<Error>((resolve) => (heard = resolve));
  const db = openDatabase(database.url, { onError: (error) => heard(error) });
  t.after(() => db.destroy());

  const transaction = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
    // Between two statements, such as while a registry is asked: no query is there to hear of it.
    await lost;
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(transaction);
  assert.match((await lost).message, /terminat/);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  assert.deepEqual(rows, [{ one: 1 }]);
});
