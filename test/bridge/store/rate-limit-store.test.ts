import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createCounter } from '../../../src/bridge/store/accounts/rate-limit-store.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { testDatabase } from '../../support/database.js';

async function setup(t: TestContext) {
  const database = await testDatabase();
  // One connection, so that a test sees the prepared statements of the counter.
  const db = openDatabase(database.url, { maxConnections: 1 });
  t.after(async () => {
    await db.destroy();
    await database.stop();
  });
  const errors: unknown[] = [];
  const options = { name: 'tries', points: 5, seconds: 60, onError: (error: unknown) => void errors.push(error) };
  return { db, errors, create: () => createCounter(db, options) };
}

test('Points are granted up to the limit, by all counters of one name together.', async (t) => {
  const { create } = await setup(t);
  const [first, second] = [create(), create()];
  assert.equal((await first.count('a', 3)).granted, 3);
  assert.equal((await second.count('a', 3)).granted, 2);
  assert.equal((await first.count('a', 1)).granted, 0);
  assert.equal((await second.count('a', 1)).granted, 0);
  assert.equal((await first.count('b', 5)).granted, 5);
  await first.giveBack('b');
  assert.equal((await second.count('b', 1)).granted, 1);
  assert.equal((await second.count('b', 1)).granted, 0);
});

test('A counter leaves nothing on its connection, so it works behind PgBouncer in transaction mode.', async (t) => {
  const { db, create } = await setup(t);
  const counter = create();
  await counter.count('a', 1);
  await counter.giveBack('a');
  const { rows } = await sql`select name from pg_prepared_statements`.execute(db);
  assert.deepEqual(rows, []);
});

test('A counter continues in memory while the database fails, and logs it.', async (t) => {
  const { db, errors, create } = await setup(t);
  const counter = create();
  await sql`alter table rate_limit rename to away`.execute(db);
  assert.equal((await counter.count('a', 5)).granted, 5);
  assert.equal((await counter.count('a', 1)).granted, 0);
  assert.equal(errors.length, 2);
});
