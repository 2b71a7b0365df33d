import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { operations, type OperationId } from '../../../src/contract/index.js';
import { prepareOperation, type AnyInput } from '../../../src/server/client/request.js';
import type { BridgeClient } from '../../../src/server/index.js';
import { failure, json, reset } from '../support/hostile-bridge.js';
import { login, rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';

/** The operations whose response has no required fields. */
const readsAnything = ['getSubscriptionUpdate', 'syncProfile'];

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

    test(`${id} obeys its signal and its deadline, and rejects a response without its required fields.`, async (t) => {
      const { server, client } = await setup(t);
      assert.equal((await rejection(call(client, { signal: AbortSignal.abort() }))).code, 'aborted');
      await assert.rejects(call(client, { timeoutMs: -1 }), TypeError);
      assert.deepEqual(server.seen, []);
      for (const wrong of [{ hello: 'world' }, 'yes', null]) {
        if (wrong instanceof Object && readsAnything.includes(id)) continue;
        server.behave(path, json(200, wrong));
        const error = await rejection(call(client));
        assert.deepEqual([error.code, error.operation, error.status], ['unreadable', id, 200]);
      }
    });
  }

  test('An operation that changes something is repeated only where nothing was done, and one that shows secrets only where nothing was sent.', () => {
    const unlessProcessed = [
      'startBulkOnboarding',
      'unassignTerritory',
      'completeApplication',
      'decideState',
      'createSession',
    ];
    const unlessSent = ['createAccountCredential', 'resetCredential'];
    const params = { npn: '1', territoryId: '1', id: '1', userId: '1', applicationId: '1', state: 'TX' };
    const settings = { baseUrl: 'https://bridge.example', honorsIdempotencyKey: false };
    const repeatOf = (id: OperationId, body: AnyInput['body'] = {}, change = {}) =>
      prepareOperation(id, { params, body }, { ...settings, ...change }).repeat;
    for (const id of Object.keys(operations) as OperationId[]) {
      if (id === 'onboardProducer') continue;
      const seldom = unlessSent.includes(id) ? 'unless_sent' : 'always';
      assert.equal(repeatOf(id), unlessProcessed.includes(id) ? 'unless_processed' : seldom, id);
    }
    for (const onboardType of ['lookup', 'subscribe']) {
      assert.equal(repeatOf('onboardProducer', { onboardType }), 'always');
    }
    // An unknown onboardType may have an effect.
    for (const onboardType of ['team', 'toString', undefined]) {
      assert.equal(repeatOf('onboardProducer', { onboardType }), 'unless_processed');
    }
    assert.equal(repeatOf('createSession', {}, { honorsIdempotencyKey: true }), 'always');
  });

  test('A call is sent three times, or once, as the rule of its operation says, and its error says whether another try may help.', async (t) => {
    const { server, client } = await setup(t);
    await client.auth.login();
    for (const [id, behaviour, times] of [
      ['getApplication', reset, 3],
      ['startBulkOnboarding', reset, 1],
      ['startBulkOnboarding', failure(429), 3],
      ['resetCredential', failure(429), 1],
    ] as const) {
      const { call, path } = operationCases[id];
      server.behave(path, behaviour);
      server.seen.length = 0;
      const error = await rejection(call(client));
      assert.deepEqual([server.requestsTo(path).length, error.retryable], [times, times > 1], id);
    }
  });
});

suite("the caller's mistakes are TypeErrors, before anything is sent", () => {
  const wrong: Record<string, (client: BridgeClient) => Promise<unknown>> = {
    'no states': (client) => client.producers.listActiveLicenses({ stateCode: [] }),
    'an empty state': (client) => client.producers.listActiveLicenses({ stateCode: ['TX', ''] }),
    'page 0': (client) => client.bulk.listDetails('id', { page: 0 }),
    'half a page': (client) => client.territories.list({ page: 1.5 }),
    'half a character in the path': (client) => client.territories.unassign('1', '\ud83d'),
    'no territory': (client) => client.territories.unassign('1', ''),
    'a deadline beyond all timers': (client) => client.bulk.getStatus('id', { timeoutMs: 1e12 }),
    'a wait beyond all timers': (client) => client.bulk.waitUntilCompleted('id', { timeoutMs: 1e12 }),
  };
  for (const id of ['', '.', '..', undefined, null, {}] as string[]) {
    wrong[`${JSON.stringify(id)} as its id`] = (client) => client.applications.get(id);
  }
  for (const body of [null, undefined, [], 'text'] as never[]) {
    wrong[`${JSON.stringify(body)} as its body`] = (client) => client.sessions.create(body);
  }

  test('A call with an argument that cannot be sent is a TypeError, and nothing is sent.', async (t) => {
    const { server, client } = await setup(t);
    for (const [what, call] of Object.entries(wrong)) await assert.rejects(call(client), TypeError, what);
    assert.deepEqual(server.seen, []);
  });
});
