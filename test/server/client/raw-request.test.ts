import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeClient, type BridgeClient } from '../../../src/server/index.js';
import { login, rejection, setup } from '../support/client.js';
import { failure, json } from '../support/hostile-bridge.js';
import { assertNoSecrets, allSecrets, ssn } from './secrets.js';

test('request() sends method, query, body and headers with the token, and resolves with the parsed JSON.', async (t) => {
  const { server, client, entries } = await setup(t);
  const path = '/v1/reports/a%2Fb?state=TX&state=CA&page=2';
  server.behave(path, json(201, [{ any: 'shape' }]));
  const answer = await client.request({
    method: 'PUT',
    path: '/v1/reports/a%2Fb',
    query: { state: ['TX', 'CA'], page: 2, left: undefined },
    body: { a: 1 },
    headers: { 'Idempotency-Key': 'mine' },
  });
  assert.deepEqual(answer, [{ any: 'shape' }]);
  const [request] = server.requestsTo(path);
  assert.deepEqual([request?.method, request?.body], ['PUT', '{"a":1}']);
  const { authorization, accept, 'idempotency-key': key, 'content-type': type } = request?.headers ?? {};
  assert.deepEqual(
    [authorization, accept, key, type],
    ['Bearer token-1', 'application/json', 'mine', 'application/json'],
  );
  assert.deepEqual(
    entries.map(({ operation, status }) => [operation, status]),
    [
      ['login', 200],
      ['request', 201],
    ],
  );
});

test('request() logs in again after a 401, and needs no credentials where the host requires none.', async (t) => {
  const { server, client } = await setup(t);
  server.behave('/v1/own', failure(401), json(200, null));
  assert.equal(await client.request({ method: 'GET', path: '/v1/own' }), null);
  assert.equal(server.requestsTo(login).length, 2);
  const stranger = createBridgeClient({ baseUrl: server.url });
  assert.equal(await stranger.request({ method: 'GET', path: '/v1/own' }), null);
  assert.equal(server.requestsTo('/v1/own').at(-1)?.headers.authorization, undefined);
});

test('request() resolves with undefined for an empty response, and rejects invalid JSON.', async (t) => {
  const { server, client, entries } = await setup(t);
  server.behave('/v1/own', (response) => response.writeHead(204).end());
  assert.equal(await client.request({ method: 'DELETE', path: '/v1/own' }), undefined);
  server.behave('/v1/own', (response) => response.writeHead(200).end(allSecrets));
  const error = await rejection(client.request({ method: 'GET', path: '/v1/own' }));
  assert.deepEqual([error.code, error.operation], ['unreadable', 'request']);
  assertNoSecrets(error, entries);
});

test('request() has the options of each call.', async (t) => {
  const { server, client } = await setup(t);
  const call = (options: object) => client.request({ method: 'GET', path: '/v1/own' }, options);
  assert.equal((await rejection(call({ signal: AbortSignal.abort() }))).code, 'aborted');
  await assert.rejects(call({ timeoutMs: 0 }), TypeError);
  await assert.rejects(call({ timeout: 5 }), TypeError);
  assert.deepEqual(server.seen, []);
});

const wrong: Record<string, object> = {
  'no method': { method: undefined },
  'a method in lower case': { method: 'get' },
  'a path without a slash': { path: 'v1/own' },
  'a path of another host': { path: '@other.example/v1' },
  'a path that climbs': { path: '/v1/users/../account' },
  'a path that climbs, encoded': { path: '/v1/users/%2e%2e/account' },
  'a path that is not encoded': { path: '/v1/two words' },
  'a path with a query': { path: '/v1/own?a=1' },
  'an empty value in the query': { query: { a: '' } },
  'an SSN in the query': { query: { ssn } },
  'an SSN in the body': { method: 'POST', body: { deep: [{ ssn }] } },
  'a list as the body': { method: 'POST', body: [1] },
  'a header of the client': { headers: { Authorization: 'Bearer mine' } },
  'a header that HTTP does not allow': { headers: { 'x-note': `${ssn}\nx: y` } },
  'a misspelt part': { querry: {} },
};

test('A request that is malformed, has an SSN or a header of the client is a TypeError, before anything is sent.', async (t) => {
  const { server, client, entries } = await setup(t);
  for (const [what, change] of Object.entries(wrong)) {
    const request = { method: 'GET', path: '/v1/own', ...change } as Parameters<BridgeClient['request']>[0];
    const thrown: unknown = await client.request(request).catch((error: unknown) => error);
    assert.ok(thrown instanceof TypeError, `${what}: ${String(thrown)}`);
    assertNoSecrets(thrown, entries);
  }
  assert.deepEqual(server.seen, []);
});
