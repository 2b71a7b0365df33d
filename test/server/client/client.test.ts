import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { createBridgeClient } from '../../../src/server/index.js';
import { failure, hostileBridge, json, silence, type Behaviour } from '../support/hostile-bridge.js';
import {
  clientSecret,
  login,
  application,
  sessions,
  applicationBody,
  sessionBody,
  sessionRequest,
  setup,
  rejection,
} from '../support/client.js';

suite('calls', () => {
  test('send what the table of operations says', async (t) => {
    const { server, client } = await setup(t);
    server.behave('/v1/users/a%2Fb%20c/licensing-profile', json(200, { userId: 'a/b c', updatedAt: 'now' }));
    await client.profiles.sync('a/b c', { npn: '123', email: null });
    const [request] = server.requestsTo('/v1/users/a%2Fb%20c/licensing-profile');
    assert.equal(request?.method, 'PATCH');
    assert.equal(request.headers.authorization, 'Bearer token-1');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), { npn: '123', email: null });
  });

  test('share one login and keep its token', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    await Promise.all(Array.from({ length: 20 }, () => client.applications.get('app_1')));
    await client.applications.get('app_1');
    assert.equal(server.requestsTo(login).length, 1);
    assert.deepEqual(JSON.parse(server.requestsTo(login)[0]?.body ?? ''), { clientId: 'client_1', clientSecret });
  });

  test('a hundred at once that meet 401 in mid-flight lead to one new login', async (t) => {
    const { server, client } = await setup(t);
    let valid = 'Bearer token-1';
    server.behave(application, (response, request) =>
      (request.headers.authorization === valid ? json(200, applicationBody) : failure(401))(response, request),
    );
    await client.applications.get('app_1');
    valid = 'Bearer token-2';
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.applications.get('app_1')));
    assert.equal(answers.length, 100);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('give up when the new token is refused too', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(401));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(server.requestsTo(application).length, 2);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('offer the login itself', async (t) => {
    const { client } = await setup(t);
    assert.deepEqual(await client.auth.login(), { accessToken: 'token-1' });
    assert.deepEqual(await client.auth.login(), { accessToken: 'token-2' });
  });

  test('work without credentials where the operation does', async (t) => {
    const server = await hostileBridge(t);
    const credential = { agencyId: 'a', agencyName: 'A', clientId: 'c', createdAt: 'now', deactivatedAt: '', id: 'i' };
    const issued = { ...credential, isActive: true, liveClientSecret: 'l', testClientSecret: 't', updatedAt: 'now' };
    server.behave('/v1/account/account-credential?agencyId=a%26b', json(200, issued));
    const client = createBridgeClient({ baseUrl: server.url });
    assert.deepEqual(await client.account.createCredential({ agencyId: 'a&b' }), issued);
    assert.equal(server.seen[0]?.headers.authorization, undefined);
    await assert.rejects(client.applications.get('app_1'), TypeError);
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
    const read = await client.applications.get('app_1');
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
    assert.deepEqual((await client.applications.get('app_1')).states, []);
    assert.equal((await client.sessions.create(sessionRequest)).expiresAt, undefined);
    assert.deepEqual(await client.profiles.sync('usr_1', { firstName: 'A' }), {});
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
      const error = await rejection(client.applications.get('app_1'));
      assert.equal(error.code, 'unreadable');
      assert.equal(error.retryable, false);
      assert.equal(server.requestsTo(application).length, 1);
    });
  }

  test('refuses a token that cannot stand in a header, without quoting it', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, json(200, { accessToken: 'stolen\r\nx: y' }));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'unreadable');
    assert.equal(error.operation, 'login');
    assert.doesNotMatch(inspect(error), /stolen/);
  });
});

suite('ending', () => {
  test('a call ends at its deadline', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, silence);
    const error = await rejection(client.applications.get('app_1', { timeoutMs: 60 }));
    assert.equal(error.code, 'timeout');
    assert.equal(error.retryable, true);
  });

  test('a call ends at its deadline while the answer trickles', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    assert.equal((await rejection(client.applications.get('app_1', { timeoutMs: 60 }))).code, 'timeout');
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
    const ended = rejection(client.applications.get('app_1', { signal: controller.signal }));
    const other = client.applications.get('app_1');
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    assert.equal((await ended).code, 'aborted');
    answerLogin();
    assert.equal((await other).applicationId, 'app_1');
  });

  test('a call does not begin with a signal that has ended', async (t) => {
    const { server, client } = await setup(t);
    assert.equal((await rejection(client.applications.get('app_1', { signal: AbortSignal.abort() }))).code, 'aborted');
    assert.equal(server.requestsTo(application).length, 0);
  });

  test('a fetch that ignores its signal is left behind', async (t) => {
    const { client } = await setup(t, { fetch: () => new Promise(() => undefined), timeoutMs: 30 });
    assert.equal((await rejection(client.applications.get('app_1'))).code, 'timeout');
  });
});
