import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '../../support/database.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { until } from '../until.js';

test('A read-only database causes 503 responses and takes the instance out of the rotation, until it can be written again.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const service = await startApplyService({
    environment: {
      DATABASE_URL: database.url,
      BRIDGE_METRICS_PORT: '0',
      CONSOLE_PORT: '0',
      BRIDGE_RATE_LIMIT: '100000',
    },
  });
  t.after(() => service.stop());
  const session = await service.createSession();
  const visitor = createVisitor();
  await walkTo(visitor, session, 'payment', { identity: { ssn: '900-11-0001' } });
  const isUp = async () =>
    / ([01])$/m.exec(
      (await (await fetch(service.metricsUrl ?? '')).text()).split('bridge_database_up').at(-1) ?? '',
    )?.[1];
  const readiness = async () => (await service.call('GET', '/readyz')).status;
  assert.deepEqual([await readiness(), await isUp()], [200, '1']);

  // As after a failover to a standby: connections end, and new ones are read-only and stay so.
  const name = new URL(database.url).pathname.slice(1);
  await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(database.db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
  await until(isUp, (value) => value === '0');
  assert.equal(await readiness(), 503);
  const { credential } = service;
  const login = { clientId: credential.clientId, clientSecret: credential.testClientSecret };
  for (const { status, headers, body } of await Promise.all([
    service.call('POST', '/v1/auth/login', { token: null, body: login }),
    service.call('PATCH', '/v1/users/usr_1/licensing-profile', { body: { firstName: 'Ana' } }),
  ])) {
    assert.deepEqual([status, body.code], [503, 50301], JSON.stringify(body));
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const page = await visitor.post(`${session.applicationUrl}/payment`, typed.payment);
  const form = new URLSearchParams({ name: 'nobody', password: 'a wrong password', code: '' });
  const signIn = await fetch(`${service.consoleUrl ?? ''}/sign-in`, {
    method: 'POST',
    body: form,
    headers: { origin: service.consoleUrl ?? '' },
  });
  for (const { status, headers } of [page, signIn]) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assert.match(await signIn.text(), /database is unavailable/);
  assert.ok(service.logged.some((line) => line.includes('The server is read-only')));
  assert.ok(!service.logged.some((line) => line.includes('"level":50') && line.includes('A request failed')));

  // The connection may be a new one, which is read-only like those of the bridge.
  const writing = database.db.transaction().setAccessMode('read write');
  await writing.execute((trx) => sql.raw(`alter database ${name} reset all`).execute(trx));
  const startedAt = Date.now();
  await until(readiness, (status) => status === 200);
  const receipt = await visitor.post(`${session.applicationUrl}/payment`, typed.payment);
  // The simulated departments approve at once.
  assert.match(receipt.heading, /^Application (submitted|approved)$/);
  // The jobs have separate connections.
  await until(
    () => service.call('GET', `/v1/applications/${session.applicationId}`),
    ({ body }) => body.states.every(({ status }) => status !== 'pending_review'),
  );
  assert.ok(Date.now() - startedAt < 10_000, 'recovered within seconds');
  assert.equal(await isUp(), '1');
});
