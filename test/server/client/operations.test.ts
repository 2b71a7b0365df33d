import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { operations } from '../../../src/contract/index.js';
import type { BridgeClient, OperationId } from '../../../src/server/index.js';
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

  test("A client's own options are not sent in the body of an operation.", async (t) => {
    const { server, client } = await setup(t);
    const { path, answer } = operationCases.listTerritories;
    server.behave(path, json(200, answer));
    const { signal } = new AbortController();
    await client.territories.list({ page: 2, pageSize: 50 }, { signal, timeoutMs: 5_000 });
    assert.equal(server.requestsTo(path).length, 1);
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
    ['an SSN where none belongs', (client) => client.producers.onboard(withSsn({ npn: 1, onboardType: 'lookup' }))],
    ['an SSN in the settings', (client) => client.account.update(withSsn({}))],
    [
      'answers of the user',
      (client) => client.producers.lookUpNpn({ ...look, ...({ backgroundQuestions: [] } as object) }),
    ],
    [
      'an SSN deeper down',
      (client) => client.producers.lookUpNpn({ ...look, ...({ deep: { ssn: look.ssn } } as object) }),
    ],
  ];
  const look = { lastName: 'Sample', ssn: '900-11-0001' };
  const withSsn = <Body>(body: Body): Body => ({ ...body, ssn: '900-11-0001' });

  for (const [what, call] of wrong) {
    test(what, async (t) => {
      const { server, client } = await setup(t);
      await assert.rejects(call(client), (error) => error instanceof TypeError && !/900-?11/.test(error.message));
      assert.deepEqual(server.seen, []);
    });
  }
});

suite('a response without its required fields is unreadable', () => {
  /** The operations whose response has no required fields. */
  const readsAnything: OperationId[] = ['getSubscriptionUpdate', 'syncProfile'];
  for (const [id, { call, path }] of Object.entries(operationCases) as [
    OperationId,
    (typeof operationCases)['login'],
  ][]) {
    for (const [what, answer] of Object.entries({
      'another object': { hello: 'world' },
      'a word': 'yes',
      null: null,
    })) {
      if (what === 'another object' && readsAnything.includes(id)) continue;
      test(`${id} rejects ${what} as unreadable.`, async (t) => {
        const { server, client } = await setup(t);
        server.behave(path, json(200, answer));
        const error = await rejection(call(client));
        assert.deepEqual([error.code, error.operation, error.status], ['unreadable', id, 200]);
        assert.equal(server.requestsTo(path).length, 1);
      });
    }
  }
});
