import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { type AuditRecord, recordAudit } from '../../../src/bridge/domain/audit/audit.js';
import { startBridge, type TestBridgeOptions } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';

async function setup(t: TestContext, options: TestBridgeOptions = {}) {
  const bridge = await startBridge({
    ...options,
    environment: { BRIDGE_METRICS_PORT: '0', BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001', ...options.environment },
  });
  t.after(() => bridge.stop());
  const { metricsUrl = '' } = bridge;
  /** The current metrics, by name and labels. */
  const scrape = async (): Promise<Map<string, number>> => {
    const response = await fetch(metricsUrl);
    assert.equal(response.status, 200);
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.replace(/ [^ ]*$/, ''), Number(line.split(' ').at(-1))]));
  };
  return { bridge, metricsUrl, scrape };
}

test('Requests are counted by operation and status, under the pattern of their route.', async (t) => {
  const { bridge, scrape } = await setup(t);
  await bridge.call('GET', '/v1/applications/app_1');
  await bridge.call('GET', '/v1/applications/app_2');
  await bridge.call('GET', '/v1/applications/app_3', { token: null });
  await bridge.call('GET', '/v1/nowhere/app_4');
  await (await fetch(`${bridge.applyUrl}/s/some-token`)).text();
  const metrics = await scrape();
  const route = 'app="api",operation="getApplication",method="GET",route="/v1/applications/:applicationId"';
  assert.equal(metrics.get(`bridge_http_requests_total{${route},status="404"}`), 2);
  assert.equal(metrics.get(`bridge_http_requests_total{${route},status="401"}`), 1);
  assert.equal(metrics.get(`bridge_http_request_duration_seconds_count{${route}}`), 3);
  assert.ok(![...metrics.keys()].some((name) => /app_\d|some-token|nowhere/.test(name)));
  assert.ok([...metrics.keys()].some((name) => name.includes('route="/s/:token')));
});

test('Failed logins are counted by reason.', async (t) => {
  const { bridge, scrape } = await setup(t);
  const body = { clientId: bridge.credential.clientId, clientSecret: 'wrong' };
  for (let count = 0; count < 11; count += 1) await bridge.call('POST', '/v1/auth/login', { token: null, body });
  const metrics = await scrape();
  assert.equal(metrics.get('bridge_login_failures_total{reason="refused"}'), 10);
  assert.equal(metrics.get('bridge_login_failures_total{reason="limited"}'), 1);
});

test('Webhooks are counted by result, and dead-lettered ones stay counted.', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { bridge, scrape } = await setup(t);
  receiver.answers.push(503);
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitApplication(bridge, id, '0004');
  await receiver.arrival(10);
  const metrics = await until(scrape, (now) => now.get('bridge_webhooks_dead') === 1);
  assert.equal(metrics.get('bridge_webhooks_waiting'), 0);
  assert.equal(metrics.get('bridge_webhook_lag_seconds'), 0);
  assert.equal(metrics.get('bridge_webhook_deliveries_total{outcome="retry"}'), 9);
  assert.equal(metrics.get('bridge_webhook_deliveries_total{outcome="dead"}'), 1);
  assert.equal(metrics.get('bridge_webhook_deliveries_total{outcome="delivered"}'), 0);
  assert.equal(metrics.get('bridge_webhook_failures_total{reason="status"}'), 10);
  assert.equal(metrics.get('bridge_webhook_failures_total{reason="certificate_expired"}'), 0);
  assert.equal(metrics.get('bridge_webhook_delivery_duration_seconds_count'), 10);
});

test('An undelivered webhook increases the lag.', async (t) => {
  let now = Date.now();
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { bridge, scrape } = await setup(t, { clock: () => new Date(now) });
  receiver.answers.push(() => undefined);
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitApplication(bridge, id, '0004');
  await receiver.arrival(1);
  for (const seconds of [60, 120]) {
    now += 60_000;
    const metrics = await scrape();
    assert.equal(metrics.get('bridge_webhook_lag_seconds'), seconds);
    assert.equal(metrics.get('bridge_webhook_due_applications'), 1);
    assert.equal(metrics.get('bridge_webhooks_waiting'), 1);
  }
});

test('Filings that wait are shown with the age of the oldest, and payments by what their processor was asked.', async (t) => {
  const now = new Date();
  const { bridge, scrape } = await setup(t, { clock: () => now, environment: { BRIDGE_FILING_DAYS: '2' } });
  const { db } = bridge.context;
  const figures = async () =>
    Object.fromEntries([...(await scrape())].filter(([name]) => /^bridge_(filing|payments)/.test(name)));
  const none = {
    'bridge_filings{status="waiting"}': 0,
    'bridge_filings{status="claimed"}': 0,
    bridge_filing_oldest_seconds: 0,
    bridge_filing_due_seconds: 172_800,
    'bridge_payments{status="pending"}': 0,
    'bridge_payments{status="capturing"}': 0,
    'bridge_payments{status="voiding"}': 0,
    'bridge_payments{status="refunding"}': 0,
    'bridge_payments{status="refused"}': 0,
  };
  assert.deepEqual(await figures(), none);

  const states = ['TX', 'CA', 'NY', 'FL'] as const;
  // People file those of test mode for training only.
  const training = await createApplication(bridge, { states: ['TX'] });
  const times = { createdAt: now, queuedAt: now, updatedAt: now };
  const waiting = { applicationId: training, state: 'TX', status: 'waiting', ...times } as const;
  await db.insertInto('filing').values(waiting).execute();
  assert.deepEqual(await figures(), none);

  const live = { token: bridge.tokens.live, paymentMethod: 'partner_billing' as const };
  const applicationId = await createApplication(bridge, { ...live, states: [...states] });
  for (const [state, status, seconds] of [
    ['TX', 'waiting', 30],
    ['CA', 'waiting', 90],
    ['NY', 'claimed', 60],
    ['FL', 'filed', 900],
  ] as const) {
    const createdAt = new Date(now.getTime() - seconds * 1_000);
    const times = { createdAt, queuedAt: createdAt, updatedAt: now };
    await db
      .insertInto('filing')
      .values({ applicationId, state, status, ...times })
      .execute();
  }
  for (const [status, problem] of [
    ['pending', null],
    ['capturing', null],
    ['capturing', 'expired'],
    ['voiding', null],
    ['captured', null],
    ['declined', null],
  ] as const) {
    const paid = await createApplication(bridge);
    const payment = { id: `pay_${paid}`, applicationId: paid, amountCents: 100, cardLast4: '', status, problem };
    await db
      .insertInto('payment')
      .values({ ...payment, createdAt: now, updatedAt: now })
      .execute();
    if (status !== 'captured') continue;
    for (const [id, refundedAt, reason] of [
      ['ref_1', now, null],
      ['ref_2', null, null],
      ['ref_3', null, 'too_late'],
    ] as const) {
      const refund = { id, paymentId: payment.id, amountCents: 1, actor: 'operator', requestedAt: now };
      await db
        .insertInto('paymentRefund')
        .values({ ...refund, refundedAt, problem: reason })
        .execute();
    }
  }
  assert.deepEqual(await figures(), {
    'bridge_filings{status="waiting"}': 2,
    'bridge_filings{status="claimed"}': 1,
    bridge_filing_oldest_seconds: 90,
    bridge_filing_due_seconds: 172_800,
    'bridge_payments{status="pending"}': 1,
    'bridge_payments{status="capturing"}': 1,
    'bridge_payments{status="voiding"}': 1,
    'bridge_payments{status="refunding"}': 1,
    'bridge_payments{status="refused"}': 2,
  });
});

test('The applications whose data one operator was shown in the last hour are counted, once each, in live mode.', async (t) => {
  let now = new Date();
  const { bridge, scrape } = await setup(t, { clock: () => now });
  const { context, agencyId } = bridge;
  const figure = async () => (await scrape()).get('bridge_revealed_by_one_operator');
  assert.equal(await figure(), 0);
  const entry = { agencyId, mode: 'live', result: 'shown' } as const;
  const shown: AuditRecord[] = [
    { ...entry, actor: 'operator:one', action: 'application.revealed', subject: 'app_a' },
    { ...entry, actor: 'operator:one', action: 'filing.package_read', subject: 'app_a/TX' },
    { ...entry, actor: 'operator:one', action: 'document.read', subject: 'app_b/doc_1' },
    { ...entry, actor: 'operator:two', action: 'application.revealed', subject: 'app_c' },
    { ...entry, actor: 'gateway', action: 'filing.package_read', subject: 'app_d/TX' },
    { ...entry, actor: 'gateway', action: 'filing.package_read', subject: 'app_e/TX' },
    { ...entry, actor: 'gateway', action: 'filing.package_read', subject: 'app_f/TX' },
    { ...entry, actor: 'operator:one', action: 'state.decided', subject: 'app_g/TX' },
    { ...entry, actor: 'operator:one', action: 'application.revealed', subject: 'app_h', mode: 'test' },
  ];
  for (const each of shown) await recordAudit(context.db, context, each);
  assert.equal(await figure(), 2);
  now = new Date(now.getTime() + 3_600_000);
  assert.equal(await figure(), 2);
  now = new Date(now.getTime() + 1);
  assert.equal(await figure(), 0);
});

test('Unfinished live applications are shown, and states that are not decided.', async (t) => {
  const { bridge, scrape } = await setup(t);
  const figures = async () =>
    Object.fromEntries([...(await scrape())].filter(([name]) => name.startsWith('bridge_application')));
  const figuresOf = (unfinished: number, pendingReview: number, requiresAction: number) => ({
    bridge_applications_unfinished: unfinished,
    'bridge_application_states{status="pending_review"}': pendingReview,
    'bridge_application_states{status="requires_action"}': requiresAction,
  });
  assert.deepEqual(await figures(), figuresOf(0, 0, 0));
  await createApplication(bridge, { states: ['TX'] });
  const live = { token: bridge.tokens.live, paymentMethod: 'partner_billing' as const };
  const applicationId = await createApplication(bridge, { ...live, states: ['TX', 'CA', 'NY', 'FL'] });
  assert.deepEqual(await figures(), figuresOf(1, 0, 0));
  const { db } = bridge.context;
  const updatedAt = new Date();
  for (const [state, status] of [
    ['TX', 'pending_review'],
    ['CA', 'pending_review'],
    ['NY', 'requires_action'],
    ['FL', 'approved'],
  ] as const) {
    await db.insertInto('applicationState').values({ applicationId, state, status, updatedAt }).execute();
  }
  await db.updateTable('application').set({ submittedAt: updatedAt }).where('id', '=', applicationId).execute();
  assert.deepEqual(await figures(), figuresOf(0, 2, 1));
});

test('Jobs are shown by queue and state.', async (t) => {
  const { bridge, scrape } = await setup(t);
  const id = await createApplication(bridge);
  // An SSN without a simulated decision.
  await submitApplication(bridge, id, '1234');
  assert.equal((await scrape()).get('bridge_jobs{queue="department",state="deferred"}'), 1);
});

test('The process, its build, its event loop and its connections are shown.', async (t) => {
  const { scrape } = await setup(t);
  const metrics = await scrape();
  const build = [...metrics.keys()].find((name) => name.startsWith('bridge_build_info'));
  assert.match(build ?? '', /version="\d+\.\d+\.\d+",node="v\d+/);
  assert.ok((metrics.get('process_resident_memory_bytes') ?? 0) > 1e7);
  assert.ok((metrics.get('process_start_time_seconds') ?? 0) > 1.7e9);
  assert.equal(metrics.get('bridge_database_connections{state="max"}'), 10);
  assert.equal(metrics.get('bridge_database_up'), 1);
  assert.ok((metrics.get('bridge_event_loop_lag_seconds') ?? -1) >= 0);
});

test('The names of counters, and of nothing else, end in `_total`, and the processor time grows.', async (t) => {
  const { metricsUrl, scrape } = await setup(t);
  const page = await (await fetch(metricsUrl)).text();
  const types = [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  const counters = types.filter(({ type }) => type === 'counter').map(({ name }) => name);
  assert.ok(counters.includes('process_cpu_seconds_total'));
  assert.deepEqual(
    counters,
    types.map(({ name }) => name).filter((name) => name.endsWith('_total')),
  );
  const seconds = async () => (await scrape()).get('process_cpu_seconds_total') ?? 0;
  const before = await seconds();
  const until = performance.now() + 100;
  while (performance.now() < until);
  const after = await seconds();
  const { user, system } = process.cpuUsage();
  assert.ok(before > 0 && after > before + 0.05, `${before}, ${after}`);
  assert.ok(after <= (user + system) / 1e6);
});

test('A blocked event loop shows its lag.', async (t) => {
  const { scrape } = await setup(t);
  await new Promise(setImmediate);
  const until = performance.now() + 1_200;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(((await scrape()).get('bridge_event_loop_lag_seconds') ?? 0) > 0.5);
});

test('The metrics page responds while the database does not, and says so.', async (t) => {
  const { bridge, scrape } = await setup(t);
  await bridge.context.db.destroy();
  const metrics = await scrape();
  assert.equal(metrics.get('bridge_database_up'), 0);
  assert.equal(metrics.has('bridge_webhooks_waiting'), false);
  assert.ok(metrics.has('process_cpu_seconds_total'));
});

test('docs/bridge/operate.md, deploy/alerts.yaml and deploy/dashboard.json name only metrics and labels that exist.', async (t) => {
  const { bridge, scrape } = await setup(t);
  await bridge.call('GET', '/v1/applications/app_x');
  // For the labels of an internal error, which no request of this test causes.
  const names = [...(await scrape()).keys(), 'bridge_http_requests_total{status="500"}'];
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const [, section = ''] = /\n## Metrics\n([^]*?)\n## /.exec(await read('docs/bridge/operate.md')) ?? [];
  const { panels } = JSON.parse(await read('deploy/dashboard.json')) as { panels: { targets?: { expr: string }[] }[] };
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const rules = `${await read('deploy/alerts.yaml')}\n${shown}`;
  const named = [section, rules].flatMap((text) => [...text.matchAll(/bridge_[a-z_]+/g)].map(([name]) => name));
  assert.ok(named.length > 20);
  const notShown = [
    'bridge_revealed_by_one_operator',
    'bridge_bulk_items',
    'bridge_build_info',
    'bridge_webhook_due_applications',
  ];
  const known = new Set(names.map((name) => /^\w+/.exec(name)?.[0] ?? '').filter((name) => /^bridge_/.test(name)));
  assert.deepEqual(
    [...known].filter((name) => !shown.includes(name) && !/_(sum|count)$/.test(name)).sort(),
    ['bridge_webhook_delivery_duration_seconds_bucket', ...notShown].sort(),
    'metrics that the dashboard does not show',
  );
  assert.deepEqual(
    named.filter((name) => !names.some((known) => known.startsWith(name))),
    [],
  );
  const selected = [...rules.matchAll(/(bridge_[a-z_]+)\{(\w+)=("\w+")\}/g)].map(([, name, label, value]) => ({
    name,
    label: `${label}=${value}`,
  }));
  assert.ok(selected.length > 4);
  for (const { name, label } of selected)
    assert.ok(
      names.some((known) => known.startsWith(`${name}{`) && known.includes(label)),
      `${name}{${label}}`,
    );
});

test('Metrics are on a separate port, which is closed by default.', async (t) => {
  const { bridge, metricsUrl } = await setup(t);
  assert.equal((await bridge.call('GET', '/metrics', { token: null })).status, 404);
  assert.equal((await fetch(`${bridge.applyUrl}/metrics`)).status, 404);
  assert.equal((await fetch(metricsUrl, { method: 'POST' })).status, 405);
  assert.equal((await fetch(metricsUrl.replace('/metrics', '/'))).status, 404);
  const plain = await startBridge();
  t.after(() => plain.stop());
  assert.equal(plain.metricsUrl, undefined);
});
