import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../support/database.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';

test('A temporarily unreachable database causes 503 responses, loses nothing, and is used again afterwards.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const proxy = await startTcpProxy(Number(new URL(database.url).port));
  t.after(() => proxy.close());
  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const service = await startApplyService({
    environment: { DATABASE_URL: proxied.href, BRIDGE_CONNECT_TIMEOUT: '2', BRIDGE_RATE_LIMIT: '100000' },
  });
  t.after(() => service.stop());
  const session = await service.createSession({ webhookUrl: receiver.url });
  const visitor = createVisitor();
  await walkTo(visitor, session, 'payment');
  const path = `/v1/applications/${session.applicationId}`;
  const before = await service.call('GET', path);
  assert.equal(before.status, 200);

  proxy.cut();
  const refused = await Promise.all([
    service.call('GET', path),
    service.call('POST', '/v1/account/producer/bulk/onboard', { body: { npn: [1], onboardType: 'lookup' } }),
    service.call('POST', '/v1/auth/login', {
      token: null,
      body: { clientId: service.credential.clientId, clientSecret: service.credential.testClientSecret },
    }),
  ]);
  for (const { status, headers, body } of refused) {
    assert.deepEqual([status, body.code], [503, 50301], JSON.stringify(body));
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.deepEqual(Object.keys(body).sort(), ['code', 'details', 'errorMessage']);
    assert.doesNotMatch(JSON.stringify(body), /ECONN|127\.0\.0\.1|postgres/i);
  }
  for (const page of [
    await visitor.get(session.applicationUrl),
    await visitor.post(`${session.applicationUrl}/payment`, typed.payment),
  ]) {
    assert.equal(page.status, 503);
    assert.match(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assert.equal((await service.call('GET', '/healthz')).status, 200);
  assert.equal((await service.call('GET', '/readyz')).status, 503);

  proxy.restore();
  await until(
    () => service.call('GET', '/readyz'),
    ({ status }) => status === 200,
  );
  const after = await service.call('GET', path);
  assert.deepEqual(after.body, before.body);
  // The user is at the same step, because the payment without a database was not accepted.
  const receipt = await visitor.post(`${session.applicationUrl}/payment`, typed.payment);
  assert.equal(receipt.heading, 'Application submitted');
  const payments = await until(
    () => database.db.selectFrom('payment').select('status').execute(),
    ([payment]) => payment?.status === 'captured',
  );
  assert.equal(payments.length, 1);
  const types = () => Promise.resolve(receiver.received.map(({ event }) => event.type));
  const sent = await until(types, (all) => all.includes('application.submitted'));
  assert.equal(sent.filter((type) => type === 'application.submitted').length, 1);
  // Webhooks during the outage arrive again with the same id, because their arrival could not be
  // recorded.
  const events = await database.db.selectFrom('webhookEvent').select('id').execute();
  assert.deepEqual(new Set(receiver.received.map(({ event }) => event.id)), new Set(events.map(({ id }) => id)));
});
