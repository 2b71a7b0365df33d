import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSettings } from '../../../src/bridge/store/connection-settings.js';
import { openDatabase, openPool } from '../../../src/bridge/store/database.js';
import { testDatabase } from '../../support/database.js';

/** `lost` resolves with the server's message when it ends an idle connection. */
function watchConnection(): { lost: Promise<Error>; onError: (error: Error) => void } {
  let onError: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => (onError = resolve));
  return { lost, onError };
}

test('A connection that ends during a transaction fails only the transaction.', async (t) => {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  const { lost, onError } = watchConnection();
  const db = openDatabase(database.url, { onError });
  t.after(() => db.destroy());

  const transaction = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
    // Between two statements, such as during a call of a registry, no query receives the error.
    await lost;
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(transaction);
  assert.match((await lost).message, /terminat/);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  assert.deepEqual(rows, [{ one: 1 }]);
});

test('A statement or transaction that exceeds its limit ends, and its connection serves others.', async (t) => {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  const limits = { schema: 'public', statementTimeoutSeconds: 1, idleTransactionTimeoutSeconds: 1 };
  const { lost, onError } = watchConnection();
  const db = openDatabase(withSettings(database.url, limits), { maxConnections: 1, onError });
  t.after(() => db.destroy());
  await assert.rejects(sql`select pg_sleep(60)`.execute(db), /statement timeout/);
  await assert.rejects(
    db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await lost;
      // The message depends on whether the socket is closed yet. The reason was logged before.
      await sql`select 1`.execute(trx);
    }),
  );
  assert.match((await lost).message, /idle-in-transaction timeout/);
  assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }]);
});

test('A query that gets no connection in time fails.', async (t) => {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  const { db, use } = openPool(database.url, { maxConnections: 2, connectTimeoutSeconds: 1 });
  t.after(() => db.destroy());
  assert.equal(use().max, 2);
  const isHeld = db.connection().execute(() =>
    db.connection().execute(async () => {
      await assert.rejects(sql`select 1`.execute(db), /timeout exceeded when trying to connect/);
    }),
  );
  await isHeld;
});
