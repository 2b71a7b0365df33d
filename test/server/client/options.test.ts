import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BridgeClient, CallOptions, OperationId } from '../../../src/server/index.js';
import { application, applicationBody, login, rejection, sessionRequest, setup } from '../support/client.js';
import { json } from '../support/hostile-bridge.js';

/** Every method that calls an operation, with options of this call. */
const calls: Record<OperationId, (client: BridgeClient, options: CallOptions) => Promise<unknown>> = {
  login: (client, options) => client.login(options),
  updateAccount: (client, options) => client.updateAccount({}, options),
  createAccountCredential: (client, options) => client.createAccountCredential('agc_1', options),
  resetCredential: (client, options) => client.resetCredential(options),
  onboardProducer: (client, options) => client.onboardProducer({ npn: '1', onboardType: 'lookup' }, options),
  getBulkDetails: (client, options) => client.getBulkDetails('id', options),
  startBulkOnboarding: (client, options) => client.startBulkOnboarding({ npn: ['1'], onboardType: 'lookup' }, options),
  getBulkStatus: (client, options) => client.getBulkStatus('id', options),
  listActiveLicenses: (client, options) => client.listActiveLicenses(['TX'], options),
  lookUpNpn: (client, options) => client.lookUpNpn({ lastName: 'Sample', ssn: '900-11-0001' }, options),
  getSubscriptionUpdate: (client, options) =>
    client.getSubscriptionUpdate({ npn: '1', reportDate: '2026-11-20' }, options),
  subscribe: (client, options) => client.subscribe(['1'], options),
  unsubscribe: (client, options) => client.unsubscribe(['1'], options),
  assignTerritory: (client, options) => client.assignTerritory('1', 'ter_1', options),
  unassignTerritory: (client, options) => client.unassignTerritory('1', 'ter_1', options),
  listTerritories: (client, options) => client.listTerritories(options),
  syncProfile: (client, options) => client.syncProfile('usr_1', {}, options),
  createSession: (client, options) => client.createSession(sessionRequest, options),
  getApplication: (client, options) => client.getApplication('app_1', options),
  decideState: (client, options) => client.decideState('app_1', 'TX', { status: 'approved' }, options),
};

suite('options of one call', () => {
  for (const [id, call] of Object.entries(calls)) {
    test(`${id} heeds its signal and its deadline`, async (t) => {
      const { server, client } = await setup(t);
      assert.equal((await rejection(call(client, { signal: AbortSignal.abort() }))).code, 'aborted');
      await assert.rejects(call(client, { timeoutMs: -1 }), TypeError);
      assert.deepEqual(server.seen, []);
    });
  }

  test('leave a signal that outlives many calls without a listener', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (type: string, listener: () => void) => (listeners.add(listener), add(type, listener)),
      removeEventListener: (type: string, listener: () => void) => (listeners.delete(listener), remove(type, listener)),
    });
    for (let number = 0; number < 3; number += 1) await client.getApplication('app_1', { signal });
    assert.equal(listeners.size, 0);
  });
});

suite('hooks of a client', () => {
  test('log hears of the login and of every attempt: operation, status, duration', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(application, json(503, {}), json(200, applicationBody));
    await client.getApplication('app_1');
    const told = entries.map(({ event, operation, status }) => [event, operation, status]);
    assert.deepEqual(told, [
      ['bridge.call', 'login', 200],
      ['bridge.call', 'getApplication', 503],
      ['bridge.retry', 'getApplication', undefined],
      ['bridge.call', 'getApplication', 200],
    ]);
    for (const { event, durationMs } of entries) {
      if (event === 'bridge.call') assert.ok(typeof durationMs === 'number' && durationMs >= 0);
    }
  });

  const failingLogs: Record<string, () => unknown> = {
    throws: () => {
      throw new Error('the disk is full');
    },
    rejects: () => Promise.reject(new Error('the disk is full')),
  };
  for (const [what, log] of Object.entries(failingLogs)) {
    test(`a log that ${what} changes nothing: what was done is answered and not done again`, async (t) => {
      const { server, client } = await setup(t, { log: () => log() as undefined });
      server.behave(application, json(503, {}), json(200, applicationBody));
      assert.equal((await client.getApplication('app_1')).applicationId, 'app_1');
      assert.equal(server.requestsTo(application).length, 2);
    });
  }

  test('fetch gets a text and an init, and follows no redirect', async (t) => {
    const asked: [string, RequestInit][] = [];
    const { client } = await setup(t, {
      baseUrl: 'https://bridge.example/base/',
      fetch(url, init) {
        asked.push([url, init]);
        return Promise.resolve(Response.json(url.endsWith(login) ? { accessToken: 'token-1' } : applicationBody));
      },
    });
    await client.getApplication('app_1');
    assert.deepEqual(
      asked.map(([url, { method, redirect }]) => [url, method, redirect]),
      [
        [`https://bridge.example/base${login}`, 'POST', 'manual'],
        [`https://bridge.example/base${application}`, 'GET', 'manual'],
      ],
    );
    assert.ok(asked.every(([, { signal }]) => signal instanceof AbortSignal));
  });
});
