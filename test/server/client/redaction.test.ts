import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import type { BridgeClient } from '../../../src/server/index.js';
import { clientSecret, login, rejection, sessionRequest, sessions, setup } from '../support/client.js';
import { failure, json, reset, truncate, type Behaviour } from '../support/hostile-bridge.js';
import { operationCases } from '../support/operations.js';
import { producerBody } from '../support/producer.js';
import { allSecrets, assertNoSecrets, hidden } from './secrets.js';

const profile = {
  npn: '123456789',
  firstName: 'Ada',
  email: 'ada.sample@mail.example',
  dateOfBirth: '1980-05-17',
  residentialAddress: { street: '12 Juniper Lane', city: 'Austin', state: 'TX', zip: '7870l' },
} as const;
const profilePath = '/v1/users/usr_1/licensing-profile';
/** As long as those of the handler. */
const webhookToken = `v1.AbCdEfGhIjKlMnOpQrStUv.1893456000.${'mac-of-this-url'.padEnd(43, 'x')}`;
const webhookUrl = `https://agency.example/hooks/${webhookToken}`;

/** Calls that send an SSN, personal data or a capability. */
const calls: Record<string, [path: string, call: (client: BridgeClient) => Promise<unknown>]> = {
  'an SSN with dashes': [
    operationCases.lookUpNpn.path,
    (client) => client.producers.lookUpNpn({ lastName: 'Sample', ssn: '900-11-0042' }),
  ],
  'a profile': [profilePath, (client) => client.profiles.sync('usr_1', profile)],
  'a webhook URL': ['/v1/applications/sessions', (client) => client.sessions.create({ ...sessionRequest, webhookUrl })],
  'the body of another operation': [
    '/v1/own',
    (client) => client.request({ method: 'POST', path: '/v1/own', body: { ...profile, webhookUrl } }),
  ],
};

const digits = '900110042';
const spelled = ['900-11-0042', digits, digits.split('').join(' '), `x${digits}y`, '900%2D11%2D0042'].join(' | ');

/** An answer that repeats the request and the secrets wherever it can. */
function echoing(status: number, requestId: string, code = Number(digits)): Behaviour {
  return (response, { body, headers }) => {
    const words = `${body} ${JSON.stringify(headers)} ${spelled} ${allSecrets}`;
    const answer = { code, details: words, errorMessage: words, ...(JSON.parse(body) as object) };
    json(status, answer, { 'x-request-id': requestId, 'retry-after': digits, location: `/?${digits}` })(response, {
      ...{ method: '', path: '', headers, body },
    });
  };
}

const leaks: Record<string, Behaviour> = {
  ...Object.fromEntries(
    [302, 400, 401, 403, 404, 422, 429, 500, 502, 503].map((status) => [String(status), echoing(status, digits)]),
  ),
  ...Object.fromEntries([40001, 40004].map((code) => [`400 with ${code}`, echoing(400, digits, code)])),
  'a request id that is the secret': echoing(400, clientSecret),
  'a request id that is the token': echoing(400, 'token-1'),
  'an unreadable answer': (response, { body }) => response.writeHead(200).end(`<h1>${body} ${spelled}</h1>`),
  'an answer of another shape': json(200, { ...producerBody, biographic: spelled, data: { npn: { spelled } } }),
  'a broken connection': reset,
  'half an answer': truncate,
};

function assertNothingPersonal(error: unknown, entries: readonly unknown[]): void {
  assertNoSecrets(error, entries);
  const personal = /ada\.?sample|1980-?05-?17|juniper|austin|7870l|123456789|AbCdEfGhIj|mac-of-this/i;
  assert.doesNotMatch(inspect([error, entries], { depth: null, showHidden: true }), personal);
}

suite('Errors and logs contain nothing that was sent', () => {
  for (const [what, [path, call]] of Object.entries(calls)) {
    test(`A call with ${what} shows nothing of it, whatever the answer repeats.`, async (t) => {
      const { server, client, entries } = await setup(t, { retries: 0 });
      server.behave(login, json(200, { accessToken: 'token-1' }));
      for (const [leak, behaviour] of Object.entries(leaks)) {
        // A profile may be answered with anything.
        if (leak === 'an answer of another shape' && !what.startsWith('an SSN')) continue;
        server.behave(path, behaviour);
        entries.length = 0;
        const error = await rejection(call(client));
        assertNothingPersonal(error, entries);
        if (leak !== 'an answer of another shape') assert.equal(error.requestId, undefined, leak);
      }
      assert.match(server.requestsTo(path)[0]?.body ?? '', /900-?11|juniper|hooks/i);
    });

    test(`A call with ${what} shows nothing of it when \`fetch\` throws the request.`, async (t) => {
      const { client, entries } = await setup(t, {
        retries: 0,
        fetch: (url, init) =>
          url.endsWith(login)
            ? Promise.resolve(Response.json({ accessToken: 'token-1' }))
            : Promise.reject(Object.assign(new Error(inspect(init)), { code: digits, cause: init, request: init })),
      });
      assertNothingPersonal(await rejection(call(client)), entries);
    });
  }

  test('A success logs no secret, and the client has none among its properties.', async (t) => {
    const { server, client, entries } = await setup(t);
    server.behave(operationCases.lookUpNpn.path, json(200, operationCases.lookUpNpn.answer));
    await client.producers.lookUpNpn({ lastName: 'Sample', ssn: '900-11-0042' });
    assertNoSecrets(undefined, entries);
    const texts = [inspect(client, { depth: null, showHidden: true }), JSON.stringify(client)];
    assert.doesNotMatch([...texts, ...Object.values(client).map(String)].join(), hidden);
  });

  test('A login that repeats its request shows nothing of it.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, (response, request) => failure(401, {}, request.body)(response, request));
    assertNoSecrets(await rejection(client.auth.login()));
  });
});

test('An error names the rule that the field breaks, in words of the client.', async (t) => {
  const { server, client } = await setup(t);
  server.behave(profilePath, json(400, { code: 40001, details: 'residentialAddress.zip: 7870l is none' }));
  const zip = await rejection(client.profiles.sync('usr_1', profile));
  assert.equal(
    zip.message,
    'syncProfile: the bridge refused the request (400). The request is not valid. ' +
      'residentialAddress.zip: expected five digits, or five and four.',
  );
  assert.equal(zip.field, 'residentialAddress.zip');

  // The client has no such rule, so the sentence stays as it was.
  server.behave(profilePath, json(400, { code: 40001, details: 'email: expected an address that ada.sample reads' }));
  assert.match((await rejection(client.profiles.sync('usr_1', profile))).message, /valid\. The field is email\.$/);

  const [path = ''] = operationCases.listTerritories.path.split('?');
  server.behave(`${path}?page=1&pageSize=5000`, json(400, { code: 40001, details: 'pageSize: expected less' }));
  const pageSize = await rejection(client.territories.list({ pageSize: 5_000 }));
  assert.match(pageSize.message, /valid\. pageSize: expected a whole number from 1 to 100\.$/);
});

test('An error lists the license types of the catalogue of the bridge, and no word that was sent.', async (t) => {
  const { server, client } = await setup(t);
  const session = { ...sessionRequest, userId: 'ada sample', licenseType: 'life_helth' };
  const cases: [details: string, end: RegExp][] = [
    [
      'licenseType: expected one of life_health, property_casualty',
      /valid\. licenseType: expected one of life_health, property_casualty\.$/,
    ],
    ['licenseType: expected one of life_health, ada_b', /valid\. The field is licenseType\.$/],
    ['licenseType: expected one of life_health, 900110042', /valid\. The field is licenseType\.$/],
    ['licenseType: expected one of life_health, Ada', /valid\. The field is licenseType\.$/],
    ['licenseType: expected one of life_health, not life_helth', /valid\. The field is licenseType\.$/],
    ['userId: expected one of one, other', /valid\. The field is userId\.$/],
  ];
  for (const [details, end] of cases) {
    server.behave(sessions, json(400, { code: 40001, details }));
    assert.match((await rejection(client.sessions.create(session))).message, end);
  }
});

test('An error names the key that the operation does not accept, unless it may be a value.', async (t) => {
  const { server, client } = await setup(t);
  server.behave(profilePath, json(400, { code: 40004, details: 'residentialAddress.zipCode: expected no such key' }));
  const call = (body: object) => rejection(client.profiles.sync('usr_1', body));
  const { message } = await call({ residentialAddress: { ...profile.residentialAddress, zipCode: '78701' } });
  assert.match(message, /does not accept\. It is residentialAddress\.zipCode\.$/);
  assert.match((await call({ x900110042y: 1 })).message, /does not accept\.$/);
});

test('An error names the field where the operation has it, and our sentence for a known number, in no words of the host.', async (t) => {
  const { server, client } = await setup(t);
  const cases: [answer: object, field: string | undefined, message: RegExp][] = [
    [{ details: 'residentialAddress.zip: expected five digits, not 7870l' }, 'residentialAddress.zip', /zip\.$/],
    [{ details: '"email" is not valid: ada.sample@mail.example' }, 'email', /email\.$/],
    [{ details: 'Juniper Lane is unknown' }, undefined, /\(400\)\.$/],
    [{ details: 'address.zip: unknown' }, undefined, /\(400\)\.$/],
    [{ details: { field: 'email' } }, undefined, /\(400\)\.$/],
    [{ code: 40010 }, undefined, /\(400\)\. No producer matches\.$/],
    ...[40999, '40010', 40010.5].map((code): [object, undefined, RegExp] => [{ code }, undefined, /\(400\)\.$/]),
  ];
  for (const [answer, field, message] of cases) {
    server.behave(profilePath, json(400, { ...answer, errorMessage: 'In the words of the host.' }));
    const error = await rejection(client.profiles.sync('usr_1', profile));
    assert.equal(error.field, field);
    assert.match(error.message, message);
    assert.doesNotMatch(JSON.stringify(error), /words/);
  }
});
