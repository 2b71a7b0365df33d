import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { startBridge } from '../../support/bridge.js';
import { testDatabase } from '../../support/database.js';
import { createApplication } from '../applications.js';
import { runHere } from '../process.js';

/** An empty database whose connections begin with the settings of its operator. */
async function databaseWith(t: TestContext, settings: readonly string[]) {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of settings) await sql.raw(`alter database ${name} set ${setting}`).execute(database.db);
  const variables = { DATABASE_URL: database.url, BRIDGE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
  return { database, variables };
}

test('A German, serializable database migrates twice at once, and creates 40 sessions at once.', async (t) => {
  const { variables } = await databaseWith(t, [
    `default_transaction_isolation = 'serializable'`,
    `datestyle = 'German, DMY'`,
    'standard_conforming_strings = off',
    // Those on which nothing depends.
    `timezone = 'Asia/Kathmandu'`,
    `intervalstyle = 'sql_standard'`,
    `bytea_output = 'escape'`,
    'extra_float_digits = -15',
    `client_encoding = 'latin1'`,
  ]);
  const migrations = await Promise.all([1, 2].map(() => runHere(['migrate'], variables)));
  for (const { code, err } of migrations) assert.deepEqual([code, err], [0, '']);

  const bridge = await startBridge({ environment: variables });
  t.after(() => bridge.stop());
  const ids = await Promise.all(Array.from({ length: 40 }, () => createApplication(bridge)));
  const problems = () => bridge.logged.filter((line) => /"level":[456]0/.test(line) && !line.includes('scanner'));
  assert.ok(
    ids.every((id) => /^app_/.test(id)),
    problems()[0],
  );
  assert.deepEqual(problems(), []);
});

test('Without its settings, the bridge does not start in such a database, and says which to change.', async (t) => {
  const { variables } = await databaseWith(t, [`datestyle = 'German'`]);
  assert.equal((await runHere(['migrate'], variables)).code, 0);
  const { code, err } = await runHere(['agency', 'list'], { ...variables, BRIDGE_CONNECTION_SETTINGS: 'false' });
  assert.equal(code, 1);
  assert.match(
    err,
    /^The database at DATABASE_URL cannot be used: DateStyle is "German, DMY", and the bridge needs "ISO"/,
  );
});
