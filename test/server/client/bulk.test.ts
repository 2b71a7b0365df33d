import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { BridgeClientOptions, Clock } from '../../../src/server/index.js';
import { failure, json, reset, silence } from '../support/hostile-bridge.js';
import { login, rejection, setup } from '../support/client.js';
import { until } from '../support/until.js';

const start = '/v1/account/producer/bulk/onboard';
const status = '/v1/account/producer/bulk/status/id_1';
const running = json(200, {
  ...{ id: 'id_1', message: 'Try again.', npns: [], failedNpns: [], failureReason: [] },
  ...{ totalCount: 2, successCount: 0, failureCount: 0 },
});
const finished = json(200, {
  ...{ id: 'id_1', message: 'Done.', npns: ['1', '2'], failedNpns: ['2'], totalCount: 2, successCount: 1 },
  ...{ failureCount: 1, failureReason: [{ npn: '2', code: 40009, reason: 'No producer has this NPN.' }] },
});

/**
 * A clock that ends every pause at once and counts it. Deadlines of calls, which are longer, never
 * end.
 */
function impatientClock(): Clock {
  let now = Date.UTC(2026, 10, 20);
  return {
    now: () => now,
    after(milliseconds, callback) {
      if (milliseconds > 10_000) return () => undefined;
      now += milliseconds;
      setImmediate(callback);
      return () => undefined;
    },
  };
}

async function bulk(t: TestContext, options: Partial<BridgeClientOptions> = {}) {
  const clock = impatientClock();
  const made = await setup(t, { clock, timeoutMs: 60_000, ...options });
  made.server.behave(start, json(200, { id: 'id_1', message: 'Started.' }));
  const delays = () => made.entries.filter(({ event }) => event === 'bridge.bulk_wait').map(({ delayMs }) => delayMs);
  return { ...made, clock, delays };
}

test('A bulk onboarding is started once, waited for, and resolves with its final status.', async (t) => {
  const { server, client } = await bulk(t);
  server.behave(status, running, running, finished);
  const { id } = await client.bulk.start({ npn: ['1', 2], onboardType: 'subscribe' });
  const result = await client.bulk.waitUntilCompleted(id);
  assert.deepEqual([result.id, result.successCount, result.failedNpns], ['id_1', 1, ['2']]);
  assert.deepEqual(
    server.requestsTo(start).map(({ body }) => JSON.parse(body) as unknown),
    [{ npn: ['1', 2], onboardType: 'subscribe' }],
  );
  assert.equal(server.requestsTo(status).length, 3);
});

test('The status of a bulk onboarding is polled with growing pauses of at most ten seconds.', async (t) => {
  const { server, client, delays } = await bulk(t);
  // A host may leave out the id.
  const sparse = json(200, { successCount: 2, failureCount: 0 });
  server.behave(status, ...Array.from({ length: 12 }, () => running), sparse);
  assert.equal((await client.bulk.waitUntilCompleted('id_1')).id, 'id_1');
  assert.equal(delays().length, 12);
  assert.deepEqual(delays().slice(0, 4), [250, 375, 563, 844]);
  assert.deepEqual(delays().slice(-2), [5_000, 5_000]);
});

test('The wait for a bulk onboarding outlasts an outage of the bridge.', async (t) => {
  const { server, client, delays } = await bulk(t, { retries: 0 });
  const away = [reset, failure(503, { 'retry-after': '7' }), failure(429), failure(500)];
  server.behave(status, running, ...away, running, finished);
  assert.equal((await client.bulk.waitUntilCompleted('id_1')).successCount, 1);
  assert.equal(delays()[2], 7_000);
});

test('The wait for a bulk onboarding rejects when the outage does not end.', async (t) => {
  const { server, client, clock } = await bulk(t, { retries: 0 });
  server.behave(status, running, failure(502));
  const begun = clock.now();
  assert.equal((await rejection(client.bulk.waitUntilCompleted('id_1'))).code, 'unavailable');
  const waitedMs = clock.now() - begun;
  assert.ok(waitedMs > 5 * 60_000 && waitedMs < 6 * 60_000, String(waitedMs));

  server.seen.length = 0;
  server.behave(status, failure(404));
  assert.equal((await rejection(client.bulk.waitUntilCompleted('id_1'))).code, 'not_found');
  assert.equal(server.requestsTo(status).length, 1, 'which is no outage');
});

test('A bulk onboarding continues when the wait for it is aborted, even before the first poll.', async (t) => {
  const { server, client } = await bulk(t);
  server.behave(status, running);
  const controller = new AbortController();
  const waiting = rejection(client.bulk.waitUntilCompleted('id_1', { signal: controller.signal }));
  await until('a few readings', () => server.requestsTo(status).length > 3);
  controller.abort();
  assert.equal((await waiting).code, 'aborted');
  const aborted = await rejection(client.bulk.waitUntilCompleted('id_1', { signal: controller.signal }));
  assert.equal(aborted.code, 'aborted');
});

test('The wait for a bulk onboarding ends at its deadline when login or status hangs.', async (t) => {
  for (const hanging of [login, status]) {
    const { server, client } = await setup(t);
    server.behave(hanging, silence);
    const error = await rejection(client.bulk.waitUntilCompleted('id_1', { timeoutMs: 50 }));
    assert.deepEqual([error.code, error.retryable], ['timeout', true]);
    assert.match(error.message, /bulk onboarding continues/);
  }
});
