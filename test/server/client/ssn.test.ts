import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import type { BridgeClient } from '../../../src/server/index.js';
import { failure, json, reset, silence, truncate, type Behaviour } from '../support/hostile-bridge.js';
import { clientSecret, rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';
import { producerBody } from '../support/producer.js';
import { assertNoSecrets, hidden, ssnDigits } from './secrets.js';

/** The forms that the contract accepts. */
const ssns = ['900-11-0042', '900110042'];

const carriers: Record<string, [path: string, call: (client: BridgeClient, ssn: string) => Promise<unknown>]> = {
  lookUpNpn: [operationCases.lookUpNpn.path, (client, ssn) => client.producers.lookUpNpn({ lastName: 'Sample', ssn })],
  onboardProducer: [
    operationCases.onboardProducer.path,
    (client, ssn) =>
      client.producers.onboard({
        npn: '9000000001',
        onboardType: 'team',
        paymentResponsibility: 'agency',
        email: 'avery.sample@agency.example',
        firstName: 'Avery',
        lastName: 'Sample',
        ssn,
      }),
  ],
};

/** Failures whose response contains the SSN and the secrets. */
function leaks(ssn: string): Record<string, Behaviour> {
  const digits = ssn.replaceAll('-', '');
  const spelled = [
    ssn,
    digits,
    digits.replaceAll(/(?=.)/g, ' '),
    `x${digits}y`,
    `ssn=${digits}&`,
    ssn.replaceAll('-', '%2D'),
  ];
  const words = [...spelled, clientSecret, 'token-1'].join(' | ');
  const aloud = (status: number) =>
    json(
      status,
      { code: Number(digits), details: words, errorMessage: words, ssn },
      { 'x-request-id': digits, 'retry-after': digits },
    );
  return {
    ...Object.fromEntries([400, 401, 403, 404, 429, 500, 502, 503].map((status) => [String(status), aloud(status)])),
    'an echo of the request': (response, request) =>
      failure(400, { 'x-request-id': clientSecret }, request.body)(response, request),
    'a request id with the token': failure(500, { 'x-request-id': 'token-1' }),
    'an unreadable answer': (response) => response.writeHead(200, { 'x-request-id': digits }).end(words),
    'an answer of another shape': json(200, { ...producerBody, biographic: ssn, data: { npn: { ssn } } }),
    'a page': (response) => response.writeHead(200).end(`<h1>${words}</h1>`),
    'a redirect': (response) => response.writeHead(302, { location: `/?ssn=${ssn}` }).end(),
    'a broken connection': reset,
    'half an answer': truncate,
    'no answer': silence,
  };
}

for (const [id, [path, call]] of Object.entries(carriers)) {
  suite(`${id} sends an SSN to the bridge only`, () => {
    for (const ssn of ssns) {
      for (const [what, behaviour] of Object.entries(leaks(ssn))) {
        test(`An SSN ${ssn.length === 9 ? 'of nine digits' : 'with dashes'} is in no error and no log: ${what}.`, async (t) => {
          const { server, client, entries } = await setup(t, {
            retries: 1,
            timeoutMs: behaviour === silence ? 500 : 10_000,
          });
          server.behave(path, behaviour);
          const error = await rejection(call(client, ssn));
          assert.match(server.requestsTo(path)[0]?.body ?? '', ssnDigits);
          assert.ok(entries.some(({ operation }) => operation === id));
          assertNoSecrets(error, entries);
        });
      }

      test(`An SSN ${ssn.length === 9 ? 'of nine digits' : 'with dashes'} is in no error of a fetch that throws the request.`, async (t) => {
        const { client, entries } = await setup(t, {
          fetch: (url, init) =>
            url.endsWith('/login')
              ? Promise.resolve(Response.json({ accessToken: 'token-1' }))
              : Promise.reject(Object.assign(new Error(inspect(init)), { code: ssn, cause: init, request: init })),
        });
        assertNoSecrets(await rejection(call(client, ssn)), entries);
      });

      test(`An SSN ${ssn.length === 9 ? 'of nine digits' : 'with dashes'} is in no log of a success.`, async (t) => {
        const { server, client, entries } = await setup(t);
        server.behave(path, json(200, id === 'lookUpNpn' ? operationCases.lookUpNpn.answer : producerBody));
        await call(client, ssn);
        assertNoSecrets(undefined, entries);
        assert.doesNotMatch(inspect(client, { depth: null, showHidden: true }), hidden);
      });
    }

    test('An SSN is in no error about another mistake of the caller.', async (t) => {
      const { server, client, entries } = await setup(t);
      const circular: Record<string, unknown> = {};
      circular['self'] = circular;
      for (const extra of [{ backgroundQuestions: ssns[0] }, { social_security_number: ssns[1] }, { circular }]) {
        const wrong = { lookUpNpn: { lastName: 'Sample' }, onboardProducer: { npn: 1, onboardType: 'team' } };
        const body = { ...wrong[id as keyof typeof wrong], ssn: ssns[0], ...extra } as never;
        const thrown: unknown = await (
          id === 'lookUpNpn' ? client.producers.lookUpNpn(body) : client.producers.onboard(body)
        ).catch((error: unknown) => error);
        assert.ok(thrown instanceof TypeError);
        assertNoSecrets(thrown, entries);
      }
      assert.deepEqual(server.seen, []);
    });
  });
}
