import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBridgeClient, isBridgeClientError } from '../../../src/server/index.js';
import { failure, hostileBridge, json } from '../support/hostile-bridge.js';
import { clientSecret, login, application, applicationBody, setup, rejection } from '../support/client.js';
import { runInNewContext } from 'node:vm';

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

suite('a refused call', () => {
  test('The error of a refused call has the error number, the field and the request id.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(404));
    server.behave(
      '/v1/users/usr_1/licensing-profile',
      failure(400, {}, 'residentialAddress.zip: expected five digits'),
    );
    const missing = await rejection(client.applications.get('app_1'));
    assert.deepEqual([missing.code, missing.status, missing.bridgeCode], ['not_found', 404, 40401]);
    assert.deepEqual([missing.requestId, missing.field], ['req_1', undefined]);
    const wrong = await rejection(client.profiles.sync('usr_1', {}));
    assert.deepEqual([wrong.code, wrong.field], ['refused', 'residentialAddress.zip']);
    assert.equal(
      wrong.message,
      'syncProfile: the bridge refused the request (400). The request is not valid. The field is residentialAddress.zip.',
    );
    assert.deepEqual((JSON.parse(JSON.stringify(wrong)) as typeof wrong).message, wrong.message);
  });

  test('A redirect is not followed, because the next host would get the token.', async (t) => {
    const { server, client } = await setup(t);
    const other = await hostileBridge(t);
    server.behave(application, (response) => response.writeHead(307, { location: `${other.url}/steal` }).end());
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'refused');
    assert.match(error.message, /redirect/);
    assert.equal(other.seen.length, 0);
  });

  test('The error is recognized across realms.', () => {
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
