import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { isMigrated, migrate } from '../../../src/bridge/store/migrate.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.stop());

test('of three bridges that start at once one migrates, and all find the tables', async () => {
  assert.equal(await isMigrated(database.db).catch(() => false), false);
  const bridges = [1, 2, 3].map(() => openDatabase(database.url));
  await Promise.all(bridges.map((db) => migrate(db)));
  for (const db of bridges) {
    assert.equal(await isMigrated(db), true);
    assert.deepEqual(await db.selectFrom('application').selectAll().execute(), []);
    await db.destroy();
  }
  await migrate(database.db);
});
