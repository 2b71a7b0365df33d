import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LogEntry } from '../../../src/server/index.js';
import { createBridgeClient } from '../../../src/server/index.js';
import { application, applicationBody, clientSecret, login, rejection, setup } from '../support/client.js';
import { failure, hostileBridge, json } from '../support/hostile-bridge.js';
import { manualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';

const delays = (entries: readonly LogEntry[]) =>
  entries.filter(({ event }) => event === 'bridge.retry').map(({ delayMs }) => delayMs);

suite('the pause before a repetition', () => {
  test('A call waits as long as Retry-After says, and leaves no timer behind.', async (t) => {
    const clock = manualClock();
    const { server, client, entries } = await setup(t, { clock });
    server.behave(application, failure(429, { 'retry-after': '2' }), json(200, applicationBody));
    const reading = client.applications.get('app_1');
    await until('the wait', () => delays(entries).length === 1);
    await clock.advance(1_999);
    assert.equal(server.requestsTo(application).length, 1);
    await clock.advance(1);
    assert.equal((await reading).applicationId, 'app_1');
    assert.equal(clock.timers, 0);
  });

  test('The pause is 0 without jitter, doubles with all of it, and never exceeds the deadline.', async (t) => {
    const clock = manualClock();
    const { server, client, entries } = await setup(t, {
      clock,
      random: () => 0.999_999,
      retries: 9,
      timeoutMs: 4_000,
    });
    server.behave(application, failure(500));
    const failing = rejection(client.applications.get('app_1'));
    for (let retry = 1; retry <= 4; retry += 1) {
      await until(`retry ${String(retry)}`, () => delays(entries).length === retry);
      await clock.advance(250 * 2 ** (retry - 1));
    }
    assert.equal((await failing).code, 'unavailable');
    assert.deepEqual(delays(entries), [250, 500, 1_000, 2_000]);
    assert.equal(clock.timers, 0);
  });
});

suite('a failing login', () => {
  const hundred = Array.from({ length: 100 });

  test('A login that fails with 500 fails all hundred waiting calls, after three attempts in all.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(500));
    const errors = await Promise.all(hundred.map(() => rejection(client.applications.get('app_1'))));
    assert.deepEqual(
      new Set(errors.map(({ code, operation }) => `${code} ${operation}`)),
      new Set(['unavailable login']),
    );
    assert.equal(server.requestsTo(login).length, 3);
    assert.equal(server.requestsTo(application).length, 0);
  });

  test('A login that fails with 401 fails all hundred waiting calls after one attempt.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(401));
    const errors = await Promise.all(hundred.map(() => rejection(client.applications.get('app_1'))));
    assert.ok(errors.every(({ code }) => code === 'credentials_refused'));
    assert.equal(server.requestsTo(login).length, 1);
  });

  test('A login that fails later fails the calls whose token was refused, and the next call logs in again.', async (t) => {
    const { server, client } = await setup(t, { retries: 0 });
    server.behave(application, json(200, applicationBody));
    await client.applications.get('app_1');
    server.behave(application, failure(401));
    server.behave(login, failure(503), json(200, { accessToken: 'token-2' }));
    const errors = await Promise.all(hundred.map(() => rejection(client.applications.get('app_1'))));
    assert.ok(errors.every(({ operation, code }) => operation === 'login' || code === 'refused'));
    assert.ok(errors.some(({ operation, code }) => operation === 'login' && code === 'unavailable'));
    server.behave(application, json(200, applicationBody));
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
  });

  test('A login whose response has no usable token fails the call as unreadable.', async (t) => {
    const server = await hostileBridge(t);
    for (const body of [{ token: 'token-1' }, { accessToken: '' }, { accessToken: ['token-1'] }, [], null]) {
      server.behave(login, json(200, body));
      const client = createBridgeClient({ baseUrl: server.url, clientId: 'client_1', clientSecret });
      const error = await rejection(client.applications.get('app_1'));
      assert.deepEqual([error.code, error.operation], ['unreadable', 'login']);
      assert.doesNotMatch(JSON.stringify(error), /token-1/);
    }
  });
});
