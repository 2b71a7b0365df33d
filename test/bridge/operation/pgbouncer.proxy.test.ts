import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createLogger, readEnvironment, startBridge as startRealBridge } from '../../../src/bridge/index.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { startBridge } from '../../support/bridge.js';
import { testDatabase } from '../../support/database.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { createApplication } from '../applications.js';
import { startBulk } from '../producers/bulk-job.js';
import { runHere } from '../process.js';
import { startReceiver } from '../receiver.js';

/**
 * As in docs/bridge/deploy.md, for a PgBouncer in transaction mode that tracks no prepared
 * statements.
 */
const advised = { BRIDGE_CONNECTION_SETTINGS: 'false', BRIDGE_PREPARED_STATEMENTS: 'false' };

async function setup(t: TestContext) {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  // Fewer connections than clients, so that statements move between connections.
  const bouncer = await startPgBouncer(database.url, 3);
  t.after(() => bouncer.stop());
  const variables = {
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    BRIDGE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    DATABASE_URL: bouncer.url,
  };
  return { database, variables };
}

test('Behind PgBouncer in transaction mode, the bridge migrates, serves sessions and sends webhooks.', async (t) => {
  const { database, variables } = await setup(t);
  const migrations = await Promise.all([1, 2, 3].map(() => runHere(['migrate'], { ...variables, ...advised })));
  for (const { code, err } of migrations) assert.deepEqual([code, err], [0, '']);
  const locks = await sql`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`.execute(database.db);
  assert.equal(locks.rows.length, 0, 'a lock that outlived its transaction');

  const bridge = await startBridge({ environment: { ...variables, ...advised } });
  t.after(() => bridge.stop());
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => createApplication(bridge, { webhookUrl: receiver.url })),
  );
  const sessions = await bridge.context.db
    .selectFrom('application')
    .select(['mode', 'sessionId', 'linkHash'])
    .execute();
  const links = sessions.map((row) => bridge.context.links.applicationUrl(row, row.linkHash));
  const shown = await Promise.all(links.map((url) => fetch(url)));
  assert.deepEqual([...new Set(shown.map(({ status }) => status))], [200]);
  await receiver.arrival(20);
  const read = await Promise.all(ids.map((id) => bridge.call('GET', `/v1/applications/${id}`)));
  assert.deepEqual(
    read.map(({ body }) => body.applicationId),
    ids,
  );
  const job = await startBulk(bridge, [1, 2], { onboardType: 'lookup' });
  assert.equal((await job.finished()).failureCount, 2);
});

test("A PgBouncer that refuses the bridge's settings is reported, with the fix.", async (t) => {
  const { variables } = await setup(t);
  assert.equal((await runHere(['migrate'], { ...variables, ...advised })).code, 0);
  const advice = /startup parameter: options\. Set BRIDGE_CONNECTION_SETTINGS=false: see "PgBouncer" in docs\//;
  await assert.rejects(startRealBridge(readEnvironment(variables), { log: createLogger('silent') }), advice);
  const listed = await runHere(['agency', 'list'], variables);
  assert.match(listed.err, advice);
});

test('Behind a PgBouncer whose connections are all in use, a slow statement is not taken for a vanished server.', async (t) => {
  const database = await testDatabase({ migrated: false });
  t.after(() => database.stop());
  const bouncer = await startPgBouncer(database.url, 1);
  t.after(() => bouncer.stop());
  const lost: Error[] = [];
  const db = openDatabase(bouncer.url, {
    silenceSeconds: 0.3,
    connectTimeoutSeconds: 1,
    onError: (error) => lost.push(error),
  });
  t.after(() => db.destroy());
  await sql`select pg_sleep(3)`.execute(db);
  assert.deepEqual(lost, []);
});
