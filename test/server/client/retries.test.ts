import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBridgeClient, type LogEntry } from '../../../src/server/index.js';
import { failure, json, reset } from '../support/hostile-bridge.js';
import { application, sessions, sessionBody, sessionRequest, setup, rejection, login } from '../support/client.js';
import { manualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';

const retriesOf = (entries: readonly LogEntry[]) => entries.filter(({ event }) => event === 'bridge.retry');

suite('the repetition of calls', () => {
  test('A session has a random Idempotency-Key for each call, or that of the caller, in each of its attempts.', async (t) => {
    const { server, client } = await setup(t, { honorsIdempotencyKey: true });
    server.behave(sessions, reset, failure(500), json(200, sessionBody));
    await client.sessions.create(sessionRequest);
    await client.sessions.create(sessionRequest, { idempotencyKey: undefined as unknown as string });
    await client.sessions.create(sessionRequest, { idempotencyKey: 'mine' });
    const keys = server.requestsTo(sessions).map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 5);
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.match(String(keys[3]), /^[\da-f-]{36}$/);
    assert.notEqual(keys[3], keys[0]);
    assert.equal(keys[4], 'mine');
  });

  test('Without a server, even an operation that may be sent once is repeated, and the error says so.', async (t) => {
    const { server, client, entries } = await setup(t);
    await server.stop();
    const { code, operation, networkCode, retryable } = await rejection(
      client.account.createCredential({ agencyId: 'a' }),
    );
    // Without a token, the login is what fails.
    assert.deepEqual([code, operation, networkCode, retryable], ['unreachable', 'login', 'ECONNREFUSED', true]);
    assert.equal(retriesOf(entries).length, 2);

    const stranger = createBridgeClient({ baseUrl: server.url, random: () => 0, log: (entry) => entries.push(entry) });
    const error = await rejection(stranger.account.createCredential({ agencyId: 'a' }));
    assert.equal(error.operation, 'createAccountCredential');
    assert.equal(retriesOf(entries).length, 4);
  });

  test('The pause is 0 without jitter, doubles with all of it, and never exceeds the deadline.', async (t) => {
    const clock = manualClock();
    const { server, client, entries } = await setup(t, {
      clock,
      random: () => 0.999_999,
      retries: 9,
      timeoutMs: 4_000,
    });
    const delays = () => retriesOf(entries).map(({ delayMs }) => delayMs);
    server.behave(application, failure(500));
    const failing = rejection(client.applications.get('app_1'));
    for (let retry = 1; retry <= 4; retry += 1) {
      await until(`retry ${retry}`, () => delays().length === retry);
      await clock.advance(250 * 2 ** (retry - 1) - 1);
      assert.equal(server.requestsTo(application).length, retry);
      await clock.advance(1);
    }
    assert.equal((await failing).code, 'unavailable');
    assert.deepEqual(delays(), [250, 500, 1_000, 2_000]);
    assert.equal(clock.timers, 0);
  });
});

suite('a failing login', () => {
  const twenty = Array.from({ length: 20 });

  for (const [status, code, logins] of [
    [500, 'unavailable', 3],
    [401, 'credentials_refused', 1],
  ] as const) {
    test(`A login that fails with ${status} fails all waiting calls, after ${logins} attempts in all.`, async (t) => {
      const { server, client } = await setup(t, { timeoutMs: 60_000 });
      server.behave(login, failure(status));
      const errors = await Promise.all(twenty.map(() => rejection(client.applications.get('app_1'))));
      assert.deepEqual([...new Set(errors.map((error) => `${error.code} ${error.operation}`))], [`${code} login`]);
      assert.equal(server.requestsTo(login).length, logins);
      assert.equal(server.requestsTo(application).length, 0);
    });
  }
});
