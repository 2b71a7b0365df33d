import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import type { BridgeClient, LogEntry } from '../../../src/server/index.js';
import { rejection, sessionRequest, setup } from '../support/client.js';
import { json, type Behaviour } from '../support/hostile-bridge.js';

const profile = {
  npn: '123456789',
  firstName: 'Ada',
  email: 'ada.sample@mail.example',
  dateOfBirth: '1980-05-17',
  residentialAddress: { street: '12 Juniper Lane', city: 'Austin', state: 'TX', zip: '7870l' },
} as const;
/** As long as those of the handler. */
const webhookToken = `v1.AbCdEfGhIjKlMnOpQrStUv.1893456000.${'mac-of-this-url'.padEnd(43, 'x')}`;
const webhookUrl = `https://agency.example/hooks/${webhookToken}`;
const personal = /ada\.?sample|1980-?05-?17|juniper|austin|7870l|123456789|AbCdEfGhIj|mac-of-this/i;

const calls: Record<string, [path: string, call: (client: BridgeClient) => Promise<unknown>]> = {
  'a profile': ['/v1/users/usr_1/licensing-profile', (client) => client.profiles.sync('usr_1', profile)],
  'a session': ['/v1/applications/sessions', (client) => client.sessions.create({ ...sessionRequest, webhookUrl })],
  'a separate request': [
    '/v1/own',
    (client) => client.request({ method: 'POST', path: '/v1/own', body: { ...profile, webhookUrl } }),
  ],
};

/** Repeats the request in each part of an answer. */
function echoing(status: number): Behaviour {
  return (response, request) => {
    const body = {
      code: 40001,
      details: request.body,
      errorMessage: `Wrong: ${request.body}`,
      ...parsed(request.body),
    };
    json(status, body, { 'x-request-id': webhookToken, 'retry-after': '1980-05-17' })(response, request);
  };
}

function parsed(text: string): object {
  return JSON.parse(text) as object;
}

function assertNothingOf(pattern: RegExp, thrown: Error, entries: LogEntry[]): void {
  for (const text of [
    String(thrown),
    thrown.stack ?? '',
    JSON.stringify(thrown),
    inspect(thrown, { depth: null, showHidden: true }),
    inspect(entries, { depth: null }),
    JSON.stringify(entries),
  ]) {
    assert.doesNotMatch(text, pattern);
  }
}

suite('a host that echoes the request', () => {
  for (const [what, [path, call]] of Object.entries(calls)) {
    for (const status of [400, 403, 404, 422, 500, 503]) {
      test(`${what}: no personal data and no webhook URL is in the error or the log after a ${String(status)}.`, async (t) => {
        const { server, client, entries } = await setup(t, { retries: 0 });
        server.behave(path, echoing(status));
        const error = await rejection(call(client));
        assertNothingOf(personal, error, entries);
        assert.deepEqual([error.status, error.bridgeCode, error.requestId], [status, 40001, undefined]);
      });
    }

    test(`${what}: the error about an unreadable response contains nothing of it.`, async (t) => {
      const { server, client, entries } = await setup(t);
      server.behave(path, (response, request) => response.writeHead(200).end(`<pre>${request.body}`));
      assertNothingOf(personal, await rejection(call(client)), entries);
    });
  }

  test('The error names the field, where the operation has it.', async (t) => {
    const { server, client } = await setup(t);
    const cases: [details: unknown, field: string | undefined][] = [
      ['residentialAddress.zip: expected five digits, not 7870l', 'residentialAddress.zip'],
      ['"email" is not valid: ada.sample@mail.example', 'email'],
      ['Juniper Lane is unknown', undefined],
      ['address.zip: unknown', undefined],
      [{ field: 'email' }, undefined],
      [undefined, undefined],
    ];
    for (const [details, field] of cases) {
      server.behave('/v1/users/usr_1/licensing-profile', json(400, { code: 40001, details }));
      assert.equal((await rejection(client.profiles.sync('usr_1', profile))).field, field);
    }
  });

  test('The error names an item of a list by its index, but shows no value in place of an index.', async (t) => {
    const { server, client } = await setup(t);
    for (const [details, field] of [
      ['npns.2, npns.4: expected the NPN of a producer', 'npns.2'],
      ['npns.123456789: unknown', undefined],
    ]) {
      server.behave('/v1/subscribe', json(400, { code: 40009, details }));
      assert.equal((await rejection(client.subscriptions.add({ npns: ['123456789'] }))).field, field);
    }
  });
});

suite('the number of a failure', () => {
  test('A known error number has our text; an unknown one is shown alone, without the text of the host.', async (t) => {
    const { server, client } = await setup(t);
    const cases: [code: unknown, bridgeCode: number | undefined, message: RegExp][] = [
      [40010, 40010, /\(400\)\. No producer matches\.$/],
      [40999, 40999, /\(400\)\.$/],
      [123456789, undefined, /\(400\)\.$/],
      ['40010', undefined, /\(400\)\.$/],
      [40010.5, undefined, /\(400\)\.$/],
    ];
    for (const [code, bridgeCode, message] of cases) {
      server.behave('/v1/account', json(400, { code, errorMessage: 'In the words of the host.' }));
      const error = await rejection(client.account.update({}));
      assert.equal(error.bridgeCode, bridgeCode);
      assert.match(error.message, message);
      assert.doesNotMatch(JSON.stringify(error), /words/);
    }
  });
});

suite('the id of a request', () => {
  for (const [id, expected] of Object.entries({
    '0c9f5a52-6d1e-4b7a-9c25-0e8f4d2b1a60': '0c9f5a52-6d1e-4b7a-9c25-0e8f4d2b1a60',
    'Root=1-67891233': undefined,
    '900-11-0042': undefined,
    '1980-05-17': undefined,
    'two words': undefined,
    [webhookToken]: undefined,
    [`r${'x'.repeat(200)}`]: undefined,
  })) {
    test(`The request id "${id.slice(0, 40)}" is ${expected === undefined ? 'omitted' : 'kept'}.`, async (t) => {
      const { server, client } = await setup(t);
      const body = { code: 40001, details: '', errorMessage: '' };
      server.behave('/v1/users/usr_1/licensing-profile', json(400, body, { 'x-request-id': id }));
      const error = await rejection(client.profiles.sync('usr_1', { ...profile, phone: webhookToken }));
      assert.equal(error.requestId, expected);
    });
  }
});
