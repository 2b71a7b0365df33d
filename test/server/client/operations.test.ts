import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { operations } from '../../../src/contract/index.js';
import type { BridgeClient } from '../../../src/server/index.js';
import { json } from '../support/hostile-bridge.js';
import { login, rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';

suite('the operations of a client', () => {
  for (const [id, { call, method, path, body, answer }] of Object.entries(operationCases)) {
    test(`${id} sends the request of the spec and resolves with the unchanged response.`, async (t) => {
      const { server, client } = await setup(t);
      server.behave(path, json(200, answer));
      assert.deepEqual(await call(client), answer);
      const [request, ...others] = server.requestsTo(path);
      assert.ok(request);
      assert.equal(others.length, 0);
      assert.equal(request.method, method);
      assert.equal(request.headers['content-type'], body === undefined ? undefined : 'application/json');
      assert.deepEqual(request.body === '' ? undefined : JSON.parse(request.body), body);
      assert.equal(request.headers.authorization, path === login ? undefined : 'Bearer token-1');
      assert.equal('idempotency-key' in request.headers, id === 'createSession');
    });
  }

  test('The client has one method per operation, two iterators, the wait for a bulk onboarding, and request().', async (t) => {
    const { request, ...groups } = (await setup(t)).client;
    const methods = Object.values(groups).flatMap((group: object) => Object.values(group) as unknown[]);
    for (const method of [request, ...methods]) assert.equal(typeof method, 'function');
    assert.equal(methods.length, Object.keys(operations).length + 3);
  });
});

suite("the caller's mistakes are TypeErrors, before anything is sent", () => {
  const wrong: [what: string, call: (client: BridgeClient) => Promise<unknown>][] = [
    ['no states', (client) => client.producers.listActiveLicenses({ stateCode: [] })],
    ['an empty state', (client) => client.producers.listActiveLicenses({ stateCode: ['TX', ''] })],
    ['page 0', (client) => client.bulk.listDetails('id', { page: 0 })],
    ['half a page', (client) => client.territories.list({ page: 1.5 })],
    [
      'no NPN in the path',
      (client) => client.territories.assign(undefined as unknown as string, { territoryId: 'ter_1' }),
    ],
    ['half a character in the path', (client) => client.territories.unassign('1', '\ud83d')],
    ['no territory', (client) => client.territories.unassign('1', '')],
    ['a deadline beyond all timers', (client) => client.bulk.getStatus('id', { timeoutMs: 1e12 })],
    ['a wait beyond all timers', (client) => client.bulk.waitUntilCompleted('id', { timeoutMs: 1e12 })],
  ];

  for (const [what, call] of wrong) {
    test(`A call with ${what} is a TypeError, and nothing is sent.`, async (t) => {
      const { server, client } = await setup(t);
      await assert.rejects(call(client), TypeError);
      assert.deepEqual(server.seen, []);
    });
  }
});

suite('a response without its required fields is unreadable', () => {
  /** The operations whose response has no required fields. */
  const readsAnything = ['getSubscriptionUpdate', 'syncProfile'];
  for (const [id, { call, path }] of Object.entries(operationCases)) {
    test(`${id} rejects another object, a word and null as unreadable.`, async (t) => {
      const { server, client } = await setup(t);
      for (const answer of [{ hello: 'world' }, 'yes', null]) {
        if (answer instanceof Object && readsAnything.includes(id)) continue;
        server.behave(path, json(200, answer));
        const error = await rejection(call(client));
        assert.deepEqual([error.code, error.operation, error.status], ['unreadable', id, 200]);
      }
    });
  }
});
