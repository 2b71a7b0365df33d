import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBridgeClient } from '../../../src/server/index.js';
import { failure, hostileBridge, json } from '../support/hostile-bridge.js';
import { clientSecret, login, application, applicationBody, setup, rejection } from '../support/client.js';

suite('the calls of a client', () => {
  test('The calls of a client share one login, and its token is kept.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    await Promise.all(Array.from({ length: 20 }, () => client.applications.get('app_1')));
    await client.applications.get('app_1');
    assert.equal(server.requestsTo(login).length, 1);
    assert.deepEqual(JSON.parse(server.requestsTo(login)[0]?.body ?? ''), { clientId: 'client_1', clientSecret });
  });

  test('A hundred concurrent calls that get a 401 cause one new login.', async (t) => {
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

  test('A call fails when the new token is refused, too.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(401));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(server.requestsTo(application).length, 2);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('Each call of login() logs in.', async (t) => {
    const { client } = await setup(t);
    assert.deepEqual(await client.auth.login(), { accessToken: 'token-1' });
    assert.deepEqual(await client.auth.login(), { accessToken: 'token-2' });
  });

  test('Calls without credentials work where the operation needs none, and are TypeErrors elsewhere.', async (t) => {
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

suite('the abort of a call', () => {
  test('A call that its signal aborts does not abort others that wait for the same login.', async (t) => {
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

  test('An aborted call does not wait for a fetch that ignores its signal.', async (t) => {
    const { client } = await setup(t, { fetch: () => new Promise(() => undefined), timeoutMs: 30 });
    assert.equal((await rejection(client.applications.get('app_1'))).code, 'timeout');
  });
});
