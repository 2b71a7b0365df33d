import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBridgeClient, type LogEntry } from '../../../src/server/index.js';
import { failure, json, reset, type Behaviour, hostileBridge } from '../support/hostile-bridge.js';
import { operationCases, type OperationCase } from '../support/operations.js';
import {
  application,
  sessions,
  applicationBody,
  sessionBody,
  sessionRequest,
  setup,
  rejection,
  clientSecret,
  login,
} from '../support/client.js';
import { manualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';

suite('the repetition of calls', () => {
  /**
   * How often each is sent with `retries: 2`: an operation that only reads, one that may be
   * processed once, one that may be sent once.
   */
  const cases: [what: string, behaviour: Behaviour, always: number, unlessProcessed: number, unlessSent: number][] = [
    ['a broken connection', reset, 3, 1, 1],
    ['429', failure(429), 3, 3, 1],
    ['400', failure(400), 1, 1, 1],
  ];
  const unlessProcessed: string[] = [
    'startBulkOnboarding',
    'unassignTerritory',
    'decideState',
    'createSession',
    'team',
  ];
  const unlessSent: string[] = ['createAccountCredential', 'resetCredential'];
  const team: OperationCase = {
    ...operationCases.onboardProducer,
    call: (client) =>
      client.producers.onboard({
        ...{ npn: 1, onboardType: 'team', paymentResponsibility: 'agency' },
        ...{ email: 'avery.sample@agency.example', firstName: 'Avery', lastName: 'Sample' },
      }),
  };
  const lookup: OperationCase = {
    ...operationCases.onboardProducer,
    call: (client) => client.producers.onboard({ npn: 1, onboardType: 'lookup' }),
  };
  const unknownType: OperationCase = {
    ...operationCases.onboardProducer,
    call: (client) => client.producers.onboard({ npn: 1, onboardType: 'toString' as 'lookup' }),
  };
  const all = { ...operationCases, lookup, team };
  for (const [what, behaviour, always, processed, sent] of cases) {
    test(`A call is sent ${String(always)}, ${String(processed)} or ${String(sent)} times after ${what}, as the operation allows.`, async (t) => {
      const { server, client } = await setup(t);
      for (const [id, { call, path }] of Object.entries(all)) {
        if (id !== 'login') await client.auth.login();
        server.seen.length = 0;
        server.behave(path, behaviour);
        const error = await rejection(call(client));
        const times = unlessProcessed.includes(id) ? processed : unlessSent.includes(id) ? sent : always;
        assert.equal(server.requestsTo(path).length, times, id);
        assert.equal(error.retryable, times > 1, id);
        if (id === 'login') server.behave(path, json(200, { accessToken: 'token-1' }));
      }
    });
  }

  test('An unknown onboardType is not repeated, because it may have an effect.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(unknownType.path, reset);
    await rejection(unknownType.call(client));
    assert.equal(server.requestsTo(unknownType.path).length, 1);
  });

  test('A repeated call succeeds when the bridge recovers.', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(application, reset, failure(503), json(200, applicationBody));
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
    assert.deepEqual(
      entries.filter(({ event }) => event === 'bridge.retry').map(({ code }) => code),
      ['unreachable', 'unavailable'],
    );
  });

  test('A session has a random Idempotency-Key by default.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(sessions, json(200, sessionBody));
    await client.sessions.create(sessionRequest, { idempotencyKey: undefined as unknown as string });
    assert.match(String(server.requestsTo(sessions)[0]?.headers['idempotency-key']), /^[\da-f-]{36}$/);
  });

  for (const [what, behaviour] of [
    ['a broken connection', reset],
    ['a 502', failure(502)],
    ['a 503', failure(503)],
  ] as const) {
    test(`A session is not created again after ${what}, unless the host honors the key.`, async (t) => {
      const unknown = await setup(t);
      unknown.server.behave(sessions, behaviour, json(200, sessionBody));
      assert.equal((await rejection(unknown.client.sessions.create(sessionRequest))).retryable, false);
      assert.equal(unknown.server.requestsTo(sessions).length, 1);

      const { server, client } = await setup(t, { honorsIdempotencyKey: true });
      server.behave(sessions, behaviour, failure(500), json(200, sessionBody));
      await client.sessions.create(sessionRequest);
      await client.sessions.create(sessionRequest);
      await client.sessions.create(sessionRequest, { idempotencyKey: 'mine' });
      const keys = server.requestsTo(sessions).map(({ headers }) => headers['idempotency-key']);
      assert.equal(keys.length, 5);
      assert.equal(new Set(keys.slice(0, 3)).size, 1);
      assert.notEqual(keys[3], keys[0]);
      assert.equal(keys[4], 'mine');
    });
  }

  test('A session is created again after responses that prove that nothing was done.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(sessions, failure(429), failure(401), json(200, sessionBody));
    assert.equal((await client.sessions.create(sessionRequest)).sessionId, 'ses_1');
    assert.equal(server.requestsTo(sessions).length, 3);
  });

  test('Without a server, every operation is repeated, and the error says so.', async (t) => {
    const { server, client, entries } = await setup(t);
    await server.stop();
    const error = await rejection(client.account.createCredential({ agencyId: 'a' }));
    assert.equal(error.code, 'unreachable');
    assert.equal(error.networkCode, 'ECONNREFUSED');
    assert.equal(error.retryable, true);
    assert.equal(entries.filter(({ event }) => event === 'bridge.retry').length, 2);

    const stranger = createBridgeClient({ baseUrl: server.url, random: () => 0, log: (entry) => entries.push(entry) });
    assert.equal(
      (await rejection(stranger.account.createCredential({ agencyId: 'a' }))).operation,
      'createAccountCredential',
    );
    assert.equal(entries.filter(({ event }) => event === 'bridge.retry').length, 4);
  });

  test('A call that cannot be repeated before its deadline fails at once and says how long to wait.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(429, { 'retry-after': '3600' }));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'rate_limited');
    assert.equal(error.retryAfterMs, 3_600_000);
    assert.equal(server.requestsTo(application).length, 1);
  });
});

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
  const twenty = Array.from({ length: 20 });

  test('A login that fails with 500 fails all waiting calls, after three attempts in all.', async (t) => {
    const { server, client } = await setup(t, { timeoutMs: 60_000 });
    server.behave(login, failure(500));
    const errors = await Promise.all(twenty.map(() => rejection(client.applications.get('app_1'))));
    assert.deepEqual(
      new Set(errors.map(({ code, operation }) => `${code} ${operation}`)),
      new Set(['unavailable login']),
    );
    assert.equal(server.requestsTo(login).length, 3);
    assert.equal(server.requestsTo(application).length, 0);
  });

  test('A login that fails with 401 fails all waiting calls after one attempt.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(401));
    const errors = await Promise.all(twenty.map(() => rejection(client.applications.get('app_1'))));
    assert.ok(errors.every(({ code }) => code === 'credentials_refused'));
    assert.equal(server.requestsTo(login).length, 1);
  });

  test('A login that fails later fails the calls whose token was refused, and the next call logs in again.', async (t) => {
    // No deadline passes, however slow the machine is.
    const { server, client } = await setup(t, { retries: 0, clock: manualClock() });
    server.behave(application, json(200, applicationBody));
    await client.applications.get('app_1');
    server.behave(application, failure(401));
    server.behave(login, failure(503), json(200, { accessToken: 'token-2' }));
    const errors = await Promise.all(twenty.map(() => rejection(client.applications.get('app_1'))));
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
