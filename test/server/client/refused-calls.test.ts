import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { createBridgeClient, isBridgeClientError, type BridgeClientOptions } from '../../../src/server/index.js';
import { failure, hostileBridge } from '../support/hostile-bridge.js';
import { application, login, rejection, setup } from '../support/client.js';

suite('a refused call', () => {
  test('The error about wrong credentials names them, and they are not tried again for a while.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(401));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'credentials_refused');
    assert.equal(error.operation, 'login');
    await rejection(client.applications.get('app_1'));
    assert.equal(server.requestsTo(login).length, 1);
  });

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
    'a deadline that is a text, as variables of the environment are': { timeoutMs: '5000' },
    'half a retry': { retries: 0.5 },
  })) {
    test(`A client with ${what} is a TypeError.`, () => {
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
    test(`The base URL ${baseUrl} is accepted.`, () => {
      createBridgeClient({ ...good, baseUrl });
    });
  }

  test('A call with an id that is empty, climbs or is absent, or without a body, is a TypeError.', async (t) => {
    const { server, client } = await setup(t);
    for (const id of ['', '.', '..', undefined, null, {}] as string[]) {
      await assert.rejects(client.applications.get(id), TypeError);
    }
    for (const body of [null, undefined, [], 'text'] as never[])
      await assert.rejects(client.sessions.create(body), TypeError);
    assert.equal(server.seen.length, 0);
  });
});
