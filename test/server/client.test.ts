import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import {
  type BridgeClientError,
  createBridgeClient,
  isBridgeClientError,
  type BridgeClientOptions,
  type CreateSessionRequest,
  type LogEntry,
} from '../../src/server/index.js';
import { failure, hostileBridge, json, reset, silence, truncate, type Behaviour } from './support/hostile-bridge.js';

const clientSecret = 'secret-that-nobody-may-see-0123456789';
const login = '/v1/auth/login';
const application = '/v1/applications/app_1';
const sessions = '/v1/applications/sessions';
const applicationBody = {
  applicationId: 'app_1',
  sessionId: 'ses_1',
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  progress: { step: 'identity', index: 2, count: 6 },
  states: [],
};
const sessionBody = {
  sessionId: 'ses_1',
  applicationId: 'app_1',
  applicationUrl: 'https://apply.example/s/abc',
  expiresAt: '2026-11-21T12:00:00.000Z',
  estimatedFees: { total: 120.5 },
  prefilled: { npn: true, ssn: false, backgroundQuestions: false },
};
const sessionRequest: CreateSessionRequest = {
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX'],
  returnUrl: 'https://agency.example/done',
};

async function setup(context: TestContext, options: Partial<BridgeClientOptions> = {}) {
  const server = await hostileBridge(context);
  const entries: LogEntry[] = [];
  const client = createBridgeClient({
    baseUrl: server.url,
    clientId: 'client_1',
    clientSecret,
    // No jitter: repetitions follow at once.
    random: () => 0,
    log: (entry) => entries.push(entry),
    ...options,
  });
  return { server, client, entries };
}

async function rejection(promise: Promise<unknown>): Promise<BridgeClientError> {
  const thrown: unknown = await promise.then(
    () => assert.fail('It should have failed.'),
    (error: unknown) => error,
  );
  assert.ok(isBridgeClientError(thrown), inspect(thrown));
  return thrown;
}

suite('calls', () => {
  test('send what the table of operations says', async (t) => {
    const { server, client } = await setup(t);
    server.behave('/v1/users/a%2Fb%20c/licensing-profile', json(200, { userId: 'a/b c', updatedAt: 'now' }));
    await client.syncProfile('a/b c', { npn: '123', email: null });
    const [request] = server.requestsTo('/v1/users/a%2Fb%20c/licensing-profile');
    assert.equal(request?.method, 'PATCH');
    assert.equal(request.headers.authorization, 'Bearer token-1');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), { npn: '123', email: null });
  });

  test('share one login and keep its token', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    await Promise.all(Array.from({ length: 20 }, () => client.getApplication('app_1')));
    await client.getApplication('app_1');
    assert.equal(server.requestsTo(login).length, 1);
    assert.deepEqual(JSON.parse(server.requestsTo(login)[0]?.body ?? ''), { clientId: 'client_1', clientSecret });
  });

  test('a hundred at once that meet 401 in mid-flight lead to one new login', async (t) => {
    const { server, client } = await setup(t);
    let valid = 'Bearer token-1';
    server.behave(application, (response, request) =>
      (request.headers.authorization === valid ? json(200, applicationBody) : failure(401))(response, request),
    );
    await client.getApplication('app_1');
    valid = 'Bearer token-2';
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.getApplication('app_1')));
    assert.equal(answers.length, 100);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('give up when the new token is refused too', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(401));
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(server.requestsTo(application).length, 2);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('offer the login itself', async (t) => {
    const { client } = await setup(t);
    assert.deepEqual(await client.login(), { accessToken: 'token-1' });
    assert.deepEqual(await client.login(), { accessToken: 'token-2' });
  });

  test('work without credentials where the operation does', async (t) => {
    const server = await hostileBridge(t);
    const credential = { agencyId: 'a', agencyName: 'A', clientId: 'c', createdAt: 'now', deactivatedAt: '', id: 'i' };
    const issued = { ...credential, isActive: true, liveClientSecret: 'l', testClientSecret: 't', updatedAt: 'now' };
    server.behave('/v1/account/account-credential?agencyId=a%26b', json(200, issued));
    const client = createBridgeClient({ baseUrl: server.url });
    assert.deepEqual(await client.createAccountCredential('a&b'), issued);
    assert.equal(server.seen[0]?.headers.authorization, undefined);
    await assert.rejects(client.getApplication('app_1'), TypeError);
  });
});

suite('reading', () => {
  test('keeps unknown fields and values, and takes numbers for texts', async (t) => {
    const { server, client } = await setup(t);
    server.behave(
      application,
      json(200, {
        ...applicationBody,
        applicationId: 17,
        submittedAt: null,
        region: { deep: true },
        states: [{ state: 'TX', status: 'on_hold', updatedAt: 'now', actionUrl: null, queue: 3 }],
      }),
    );
    const read = await client.getApplication('app_1');
    assert.equal(read.applicationId, '17');
    assert.equal('submittedAt' in read, false);
    assert.deepEqual(read.states, [{ state: 'TX', status: 'on_hold', updatedAt: 'now', queue: 3 }]);
    assert.deepEqual((read as unknown as { region: unknown }).region, { deep: true });
  });

  test('does without what a host need not send', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, { applicationId: 'app_1' }));
    server.behave(sessions, json(200, { ...sessionBody, expiresAt: undefined }));
    server.behave('/v1/users/usr_1/licensing-profile', (response) => response.writeHead(204).end());
    assert.deepEqual((await client.getApplication('app_1')).states, []);
    assert.equal((await client.createSession(sessionRequest)).expiresAt, undefined);
    assert.deepEqual(await client.syncProfile('usr_1', { firstName: 'A' }), {});
  });

  for (const [what, behaviour] of Object.entries<Behaviour>({
    'a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    'another object': json(200, { hello: 'world' }),
    'a list': json(200, []),
    null: json(200, null),
  })) {
    test(`says that ${what} is unreadable, once`, async (t) => {
      const { server, client } = await setup(t);
      server.behave(application, behaviour);
      const error = await rejection(client.getApplication('app_1'));
      assert.equal(error.code, 'unreadable');
      assert.equal(error.retryable, false);
      assert.equal(server.requestsTo(application).length, 1);
    });
  }

  test('refuses a token that cannot stand in a header, without quoting it', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, json(200, { accessToken: 'stolen\r\nx: y' }));
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'unreadable');
    assert.equal(error.operation, 'login');
    assert.doesNotMatch(inspect(error), /stolen/);
  });
});

suite('repeating', () => {
  const cases: [what: string, behaviour: Behaviour, read: number, decide: number][] = [
    ['a broken connection', reset, 3, 1],
    ['a truncated answer', truncate, 3, 1],
    ['500', failure(500), 3, 1],
    ['502', failure(502), 3, 1],
    ['503', failure(503), 3, 3],
    ['429', failure(429), 3, 3],
    ['400', failure(400), 1, 1],
    ['403', failure(403), 1, 1],
    ['404', failure(404), 1, 1],
    ['501', failure(501), 1, 1],
  ];
  const decide = '/v1/test_helpers/applications/app_1/states/TX';
  for (const [what, behaviour, read, decided] of cases) {
    test(`after ${what}: a reading ${String(read)}, a decision ${String(decided)} times`, async (t) => {
      const { server, client } = await setup(t);
      server.behave(application, behaviour);
      server.behave(decide, behaviour);
      await rejection(client.getApplication('app_1'));
      await rejection(client.decideState('app_1', 'TX', { status: 'approved' }));
      assert.equal(server.requestsTo(application).length, read);
      assert.equal(server.requestsTo(decide).length, decided);
    });
  }

  test('succeeds when the bridge recovers', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(application, reset, failure(503), json(200, applicationBody));
    assert.equal((await client.getApplication('app_1')).applicationId, 'app_1');
    assert.deepEqual(
      entries.filter(({ event }) => event === 'bridge.retry').map(({ code }) => code),
      ['unreachable', 'unavailable'],
    );
  });

  test('a session carries the same Idempotency-Key in each attempt and another in the next call', async (t) => {
    const { server, client } = await setup(t);
    server.behave(sessions, reset, failure(500), json(200, sessionBody));
    await client.createSession(sessionRequest);
    await client.createSession(sessionRequest);
    await client.createSession(sessionRequest, { idempotencyKey: 'mine' });
    const keys = server.requestsTo(sessions).map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 5);
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
    assert.equal(keys[4], 'mine');
  });

  test('nobody there: every operation is repeated, and the error says so', async (t) => {
    const { server, client, entries } = await setup(t);
    await server.stop();
    const error = await rejection(client.createAccountCredential('a'));
    assert.equal(error.code, 'unreachable');
    assert.equal(error.details, 'ECONNREFUSED');
    assert.equal(error.retryable, true);
    assert.equal(entries.filter(({ event }) => event === 'bridge.retry').length, 2);

    const stranger = createBridgeClient({ baseUrl: server.url, random: () => 0, log: (entry) => entries.push(entry) });
    assert.equal((await rejection(stranger.createAccountCredential('a'))).operation, 'createAccountCredential');
    assert.equal(entries.filter(({ event }) => event === 'bridge.retry').length, 4);
  });

  test('waits as long as Retry-After says', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(application, failure(429, { 'retry-after': '0.05' }), json(200, applicationBody));
    await client.getApplication('app_1');
    assert.deepEqual(
      entries.filter(({ event }) => event === 'bridge.retry').map(({ delayMs }) => delayMs),
      [50],
    );
  });

  test('does not wait beyond its deadline: it fails at once and says how long to wait', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(429, { 'retry-after': '3600' }));
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'rate_limited');
    assert.equal(error.retryAfterMs, 3_600_000);
    assert.equal(server.requestsTo(application).length, 1);
  });

  test('can be turned off', async (t) => {
    const { server, client } = await setup(t, { retries: 0 });
    server.behave(application, failure(503));
    await rejection(client.getApplication('app_1'));
    assert.equal(server.requestsTo(application).length, 1);
  });
});

suite('ending', () => {
  test('a call ends at its deadline', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, silence);
    const error = await rejection(client.getApplication('app_1', { timeoutMs: 60 }));
    assert.equal(error.code, 'timeout');
    assert.equal(error.retryable, true);
  });

  test('a call ends at its deadline while the answer trickles', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    assert.equal((await rejection(client.getApplication('app_1', { timeoutMs: 60 }))).code, 'timeout');
  });

  test('a call ends with its signal, and others that wait for the same login go on', async (t) => {
    const { server, client } = await setup(t);
    let answerLogin = () => {};
    server.behave(login, (response, request) => {
      answerLogin = () => {
        json(200, { accessToken: 'late' })(response, request);
      };
    });
    server.behave(application, json(200, applicationBody));
    const controller = new AbortController();
    const ended = rejection(client.getApplication('app_1', { signal: controller.signal }));
    const other = client.getApplication('app_1');
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    assert.equal((await ended).code, 'aborted');
    answerLogin();
    assert.equal((await other).applicationId, 'app_1');
  });

  test('a call does not begin with a signal that has ended', async (t) => {
    const { server, client } = await setup(t);
    assert.equal((await rejection(client.getApplication('app_1', { signal: AbortSignal.abort() }))).code, 'aborted');
    assert.equal(server.requestsTo(application).length, 0);
  });

  test('a fetch that ignores its signal is left behind', async (t) => {
    const { client } = await setup(t, { fetch: () => new Promise(() => undefined), timeoutMs: 30 });
    assert.equal((await rejection(client.getApplication('app_1'))).code, 'timeout');
  });
});

suite('refusals', () => {
  test('wrong credentials are named as such and not tried again for a while', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(401));
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'credentials_refused');
    assert.equal(error.operation, 'login');
    await rejection(client.getApplication('app_1'));
    assert.equal(server.requestsTo(login).length, 1);
  });

  test('an answer that says no carries its number, its details and the id of the request', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(404));
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'not_found');
    assert.equal(error.status, 404);
    assert.equal(error.bridgeCode, 40401);
    assert.equal(error.requestId, 'req_1');
    assert.equal(error.details, 'field: expected something else');
    assert.match(error.message, /^getApplication: /);
  });

  test('a redirect is not followed: the next host would get the token', async (t) => {
    const { server, client } = await setup(t);
    const other = await hostileBridge(t);
    server.behave(application, (response) => response.writeHead(307, { location: `${other.url}/steal` }).end());
    const error = await rejection(client.getApplication('app_1'));
    assert.equal(error.code, 'refused');
    assert.match(error.message, /redirect/);
    assert.equal(other.seen.length, 0);
  });

  test('are recognised across realms', () => {
    const foreign: unknown = runInNewContext(
      'Object.assign(new Error("no"), { name: "BridgeClientError", code: "refused" })',
    );
    assert.equal(foreign instanceof Error, false);
    assert.equal(isBridgeClientError(foreign), true);
    for (const other of [null, undefined, 'BridgeClientError', {}, new Error('no')]) {
      assert.equal(isBridgeClientError(other), false);
    }
  });
});

suite('secrets', () => {
  const ssn = '900-11-0001';
  const hidden = /secret-that-nobody|token-1|900-?11-?0001|900110001/;

  for (const [what, behaviour] of Object.entries<Behaviour>({
    'an echo of everything': (response, request) =>
      failure(400, {}, `${JSON.stringify(request.headers)} ${clientSecret} ${ssn} 900110001`)(response, request),
    'an unreadable answer': (response) => response.writeHead(200).end(`${ssn} ${clientSecret} token-1`),
    'a broken connection': reset,
    'a failing bridge': (response, request) =>
      failure(500, { 'x-request-id': ssn }, `Bearer token-1 ${ssn}`)(response, request),
  })) {
    test(`stay out of errors and logs, whatever fails: ${what}`, async (t) => {
      const { server, client, entries } = await setup(t, { retries: 0 });
      server.behave(application, behaviour);
      server.behave('/v1/users/usr_1/licensing-profile', behaviour);
      for (const call of [client.getApplication('app_1'), client.syncProfile('usr_1', { phone: ssn })]) {
        const error = await rejection(call);
        for (const text of [
          String(error),
          error.stack ?? '',
          JSON.stringify(error),
          inspect(error, { depth: null, showHidden: true }),
        ]) {
          assert.doesNotMatch(text, hidden);
        }
      }
      assert.doesNotMatch(inspect(entries, { depth: null }), hidden);
    });
  }

  test('stay out of errors when the login echoes them', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, (response, request) => failure(401, {}, request.body)(response, request));
    assert.doesNotMatch(inspect(await rejection(client.getApplication('app_1'))), hidden);
  });

  test('stay out of errors when fetch throws the request', async (t) => {
    const { client } = await setup(t, {
      retries: 0,
      fetch: (url, init) => Promise.reject(Object.assign(new Error(inspect(init)), { request: init })),
    });
    assert.doesNotMatch(inspect(await rejection(client.getApplication('app_1')), { depth: null }), hidden);
  });

  test('stay out of the client itself', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    await client.getApplication('app_1');
    for (const text of [
      inspect(client, { depth: null, showHidden: true }),
      JSON.stringify(client),
      Object.values(client).join(),
    ]) {
      assert.doesNotMatch(text, hidden);
    }
  });
});

suite("the caller's mistakes are TypeErrors, before anything is sent", () => {
  const good = { baseUrl: 'https://bridge.example', clientId: 'c', clientSecret: 's' };
  for (const [what, change] of Object.entries<Partial<Record<keyof BridgeClientOptions, unknown>>>({
    'no address': { baseUrl: undefined },
    'a relative address': { baseUrl: '/bridge' },
    'http on another host': { baseUrl: 'http://bridge.example' },
    'http on a host that only looks local': { baseUrl: 'http://localhost.example' },
    'another scheme': { baseUrl: 'ftp://localhost' },
    'credentials in the address': { baseUrl: 'https://user:pass@bridge.example' },
    'a query in the address': { baseUrl: 'https://bridge.example?x=1' },
    'an empty secret': { clientSecret: '' },
    'an id without a secret': { clientSecret: undefined },
    'a negative deadline': { timeoutMs: -1 },
    'half a retry': { retries: 0.5 },
  })) {
    test(`at construction: ${what}`, () => {
      assert.throws(() => createBridgeClient({ ...good, ...change } as BridgeClientOptions), TypeError);
    });
  }

  for (const baseUrl of [
    'http://localhost:1',
    'http://demo.localhost',
    'http://127.0.0.1',
    'http://[::1]:2',
    'https://a.b/c/',
  ]) {
    test(`${baseUrl} is fine`, () => {
      createBridgeClient({ ...good, baseUrl });
    });
  }

  test('in a call', async (t) => {
    const { server, client } = await setup(t);
    const sensitive = { ssn: '900-11-0001' } as object;
    const calls = [
      () => client.getApplication(''),
      () => client.getApplication('..'),
      () => client.getApplication(undefined as unknown as string),
      () => client.createSession(null as unknown as CreateSessionRequest),
      () => client.createSession({ ...sessionRequest, ...sensitive }),
      () => client.syncProfile('usr_1', { ...sensitive }),
      () => client.syncProfile('usr_1', { residentialAddress: { backgroundQuestions: [] } as never }),
      () => client.createSession(sessionRequest, { idempotencyKey: 'no spaces' }),
      () => client.getApplication('app_1', { timeoutMs: Number.NaN }),
    ];
    for (const call of calls) {
      await assert.rejects(call, (error) => error instanceof TypeError && !error.message.includes('900-11'));
    }
    assert.equal(server.seen.length, 0);
  });
});
