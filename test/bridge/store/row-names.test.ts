import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

test('Rows of SQL texts and of built queries have camelCase names, also with digits.', async () => {
  const { db } = database;
  const { rows } = await sql`select n as user_id, n as card_last4, n as "isOurs" from generate_series(1, 2) n`.execute(
    db,
  );
  assert.deepEqual(
    rows,
    [1, 2].map((n) => ({ userId: n, cardLast4: n, isOurs: n })),
  );
  const createdAt = new Date('2026-03-02T12:00:00Z');
  await db.insertInto('agency').values({ id: 'a', name: 'A', onboardTypes: [], createdAt }).execute();
  assert.deepEqual(await db.selectFrom('agency').select(['id', 'createdAt', 'name as agencyName']).execute(), [
    { id: 'a', createdAt, agencyName: 'A' },
  ]);
});

test('The names in JSON stay as they are stored.', async () => {
  const { rows } = await sql`select '{"user_id": {"card_last4": 1}}'::jsonb as some_data,
    '[{"user_id": 1}]'::jsonb as some_list`.execute(database.db);
  assert.deepEqual(rows, [{ someData: { user_id: { card_last4: 1 } }, someList: [{ user_id: 1 }] }]);
});

test('A result without rows, and one whose names are the same, is returned.', async () => {
  assert.deepEqual((await sql`select 1 as user_id where false`.execute(database.db)).rows, []);
  assert.deepEqual((await sql`select 1 as one, null as two`.execute(database.db)).rows, [{ one: 1, two: null }]);
});
