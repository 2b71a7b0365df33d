import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { runCli } from '../../../src/bridge/cli/run.js';
import { createLogger, readEnvironment, startBridge } from '../../../src/bridge/index.js';
import { testDatabase } from '../../support/database.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';

/**
 * As in docs/bridge/deploy.md, for a PgBouncer in transaction mode that tracks no prepared
 * statements.
 */
const advised = {
  BRIDGE_STATEMENT_TIMEOUT: '0',
  BRIDGE_IDLE_TRANSACTION_TIMEOUT: '0',
  BRIDGE_PREPARED_STATEMENTS: 'false',
};

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
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    DATABASE_URL: bouncer.url,
  };
  const run = async (extra: Record<string, string>, ...args: string[]) => {
    let [out, err] = ['', ''];
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await runCli([...args, '--json'], { ...variables, ...extra }, output);
    return { code, out, err };
  };
  return { database, variables, run };
}

test('Behind PgBouncer in transaction mode, the bridge migrates, serves sessions and sends webhooks.', async (t) => {
  const { database, variables, run } = await setup(t);
  const migrations = await Promise.all([1, 2, 3].map(() => run(advised, 'migrate')));
  assert.deepEqual(
    migrations.map(({ code, err }) => [code, err]),
    [
      [0, ''],
      [0, ''],
      [0, ''],
    ],
  );
  const locks = await sql`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`.execute(database.db);
  assert.equal(locks.rows.length, 0, 'a lock that outlived its transaction');

  const bridge = await startBridge(readEnvironment({ ...variables, ...advised }), {
    log: createLogger('silent'),
    assets: { href: (name) => name, at: () => undefined },
  });
  t.after(() => bridge.stop());
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { agencyId } = JSON.parse((await run(advised, 'agency', 'create', '--name', 'Example')).out) as {
    agencyId: string;
  };
  const { out } = await run(advised, 'agency', 'credential', '--id', agencyId);
  const { clientId, testClientSecret: clientSecret } = JSON.parse(out) as Record<string, string>;
  const call = async (method: string, path: string, body: object | undefined, token?: string) => {
    const response = await fetch(`${bridge.bridgeUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as Record<string, string>;
  };
  const { accessToken: token } = await call('POST', '/v1/auth/login', { clientId, clientSecret });
  const sessions = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call(
        'POST',
        '/v1/applications/sessions',
        {
          userId: `usr_${String(index)}`,
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX'],
          returnUrl: 'http://localhost:5999/return',
          webhookUrl: receiver.url,
        },
        token,
      ),
    ),
  );
  const shown = await Promise.all(sessions.map(({ applicationUrl = '' }) => fetch(applicationUrl)));
  assert.deepEqual([...new Set(shown.map(({ status }) => status))], [200]);
  await receiver.arrival(20);
  const read = await Promise.all(
    sessions.map(({ applicationId = '' }) => call('GET', `/v1/applications/${applicationId}`, undefined, token)),
  );
  assert.deepEqual(
    read.map(({ sessionId }) => sessionId),
    sessions.map(({ sessionId }) => sessionId),
  );

  const { id } = await call('POST', '/v1/account/producer/bulk/onboard', { npn: [1, 2], onboardType: 'lookup' }, token);
  const status = await until(
    () => call('GET', `/v1/account/producer/bulk/status/${String(id)}`, undefined, token),
    ({ totalCount, failureCount }) => totalCount === failureCount,
  );
  assert.equal(status['failureCount'], 2);
});

test("A PgBouncer that refuses the bridge's settings is reported, with the fix.", async (t) => {
  const { variables, run } = await setup(t);
  assert.equal((await run(advised, 'migrate')).code, 0);
  const advice = /startup parameter: options\. See "PgBouncer" in docs\/bridge\/deploy\.md\./;
  await assert.rejects(startBridge(readEnvironment(variables), { log: createLogger('silent') }), advice);
  assert.match((await run({ ...advised, BRIDGE_SCHEMA: 'licensing' }, 'agency', 'list')).err, advice);
});
