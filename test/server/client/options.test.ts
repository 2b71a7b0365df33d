import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBridgeClient, type BridgeClientOptions } from '../../../src/server/index.js';
import { application, applicationBody, login, setup } from '../support/client.js';
import { json } from '../support/hostile-bridge.js';

test('Unknown options of a call are refused by name.', async (t) => {
  const { server, client } = await setup(t);
  const misspelt = { timeout: 5 } as object;
  const message = 'getApplication: `timeout` is unknown. It takes signal, timeoutMs.';
  await assert.rejects(client.applications.get('app_1', misspelt), { name: 'TypeError', message });
  await assert.rejects(client.bulk.waitUntilCompleted('id', misspelt), TypeError);
  await assert.rejects(client.auth.login(misspelt), TypeError);
  await assert.rejects(client.applications.get('app_1', { idempotencyKey: 'mine' } as object), TypeError);
  assert.deepEqual(server.seen, []);
});

test('Variables that are not set are named together.', () => {
  assert.throws(
    () => createBridgeClient({ baseUrl: '', clientId: '', clientSecret: '' }),
    ({ message }: Error) => (message.match(/check that its environment variable is set/g) ?? []).length === 3,
  );
});

const good = { baseUrl: 'https://bridge.example', clientId: 'c', clientSecret: 's' };

test('A base URL is https, or http on this machine, without credentials and a query.', () => {
  const local = ['http://localhost:1', 'http://demo.localhost', 'http://127.0.0.1', 'http://[::1]:2'];
  for (const baseUrl of [...local, 'https://a.b/c/']) createBridgeClient({ ...good, baseUrl });
  const remote = ['http://bridge.example', 'http://localhost.example', 'ftp://localhost', '/bridge', undefined];
  for (const baseUrl of [...remote, 'https://user:pass@bridge.example', 'https://bridge.example?x=1']) {
    assert.throws(() => createBridgeClient({ ...good, baseUrl } as BridgeClientOptions), TypeError, baseUrl);
  }
  const insecure = { ...good, baseUrl: 'http://bridge:5171' };
  assert.throws(() => createBridgeClient(insecure), /baseUrl must be an https URL.*allowInsecure/);
});

test('Options of a client that are unknown or of the wrong type are refused by name.', () => {
  const message = /createBridgeClient: `clientID` is unknown\. It takes baseUrl, clientId, .*random\./;
  const misspelt = { ...good, clientID: 'c' };
  assert.throws(() => createBridgeClient(misspelt), { name: 'TypeError', message });
  for (const [name, value] of Object.entries({
    ...{ fetch: 'node-fetch', log: {}, random: 0.5, clock: {}, retries: '2', timeoutMs: '5000' },
    ...{ allowInsecure: 'false', honorsIdempotencyKey: 1 },
  })) {
    const refusal = { name: 'TypeError', message: new RegExp(`^createBridgeClient: ${name}`) };
    assert.throws(() => createBridgeClient({ ...good, [name]: value }), refusal);
  }
  for (const wrong of [{ clientSecret: '' }, { clientSecret: undefined }, { timeoutMs: -1 }, { retries: 0.5 }]) {
    assert.throws(() => createBridgeClient({ ...good, ...wrong } as BridgeClientOptions), TypeError);
  }
  assert.throws(() => createBridgeClient(undefined as unknown as BridgeClientOptions), TypeError);
});

suite('hooks of a client', () => {
  test('log receives the login and every attempt, with operation, status and duration.', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(application, json(503, {}), json(200, applicationBody));
    await client.applications.get('app_1');
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

  test('A log that throws or rejects changes nothing: the call succeeds and is not repeated.', async (t) => {
    const full = new Error('The disk is full.');
    const throwing = () => {
      throw full;
    };
    for (const log of [throwing, () => Promise.reject(full) as unknown as undefined]) {
      const { server, client } = await setup(t, { log });
      server.behave(application, json(503, {}), json(200, applicationBody));
      assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
      assert.equal(server.requestsTo(application).length, 2);
    }
  });

  test('fetch receives a URL string and an init, and follows no redirect.', async (t) => {
    const asked: [string, RequestInit][] = [];
    const { client } = await setup(t, {
      baseUrl: 'http://bridge:5171/base/',
      allowInsecure: true,
      fetch(url, init) {
        asked.push([url, init]);
        return Promise.resolve(Response.json(url.endsWith(login) ? { accessToken: 'token-1' } : applicationBody));
      },
    });
    await client.applications.get('app_1');
    assert.deepEqual(
      asked.map(([url, { method, redirect }]) => [url, method, redirect]),
      [
        [`http://bridge:5171/base${login}`, 'POST', 'manual'],
        [`http://bridge:5171/base${application}`, 'GET', 'manual'],
      ],
    );
    assert.ok(asked.every(([, { signal }]) => signal instanceof AbortSignal));
  });
});
