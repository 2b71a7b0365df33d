import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLicensingHandler, type PartnerSession } from '../../../src/server/index.js';
import { partner, publicUrl, returnState, secret, untouchedBridge } from '../support/partner.js';

const friend = 'https://www.agency.example';
const cors = { origins: [friend], headers: ['authorization'] };
const ask = (origin: string, method = 'POST') => ({
  method: 'OPTIONS',
  user: null,
  headers: { origin, 'access-control-request-method': method, 'sec-fetch-site': 'cross-site' },
});

suite('pages of other origins', () => {
  const routes = ['/sessions', '/applications', '/applications/app_1', '/applications/app_1/events'];

  test('get no answer that they can read unless they are named', async (t) => {
    const { begin, request } = partner(t);
    await begin();
    for (const path of routes) {
      const answer = await request(path, ask(friend));
      assert.equal(answer.status, 403, path);
      const named = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      assert.deepEqual(named, []);
    }
  });

  test('that are named may ask, with cookies', async (t) => {
    const { request } = partner(t, { cors });
    for (const [index, path] of routes.entries()) {
      const answer = await request(path, ask(friend));
      assert.equal(answer.status, 204);
      const { headers } = answer;
      assert.equal(headers.get('access-control-allow-origin'), friend);
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.equal(headers.get('access-control-allow-methods'), index === 0 ? 'POST' : 'GET');
      assert.equal(headers.get('access-control-allow-headers'), 'content-type, authorization');
      assert.equal(headers.get('vary'), 'origin');
    }
  });

  const strangers = [
    'https://evil.example',
    'https://agency.example.evil.example',
    'http://www.agency.example',
    'https://www.agency.example:8443',
    'https://WWW.agency.example',
    'https://sub.www.agency.example',
    'null',
    '',
  ];
  for (const stranger of strangers) {
    test(`are refused when they are "${stranger}", others being named`, async (t) => {
      const { request, bridge } = partner(t, { cors });
      const preflight = await request('/sessions', ask(stranger));
      assert.equal(preflight.status, 403);
      const answer = await request('/sessions', {
        method: 'POST',
        headers: { origin: stranger, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
        body: { reason: 'open', returnState },
      });
      assert.equal(answer.status, 403);
      for (const { headers } of [preflight, answer]) {
        assert.equal(headers.get('access-control-allow-origin'), null);
        assert.equal(headers.get('vary'), 'origin', 'no cache keeps this answer for those that are named');
      }
      assert.equal(bridge.sessions.length, 0);
    });
  }

  test('that are named get sessions, with addresses that are good there, and refusals that they can read', async (t) => {
    const { postSession, request } = partner(t, { cors });
    const headers = { origin: friend, 'sec-fetch-site': 'same-site' };
    const answer = await postSession(undefined, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), friend);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
    const session = (await answer.json()) as PartnerSession;
    assert.equal(session.statusUrl, `${publicUrl}/applications/app_1`);
    const refused = await request('/applications/app_9', { headers });
    assert.equal(refused.status, 404);
    assert.equal(refused.headers.get('access-control-allow-origin'), friend);
  });

  test('never reach the webhooks', async (t) => {
    const { begin, handler } = partner(t, { cors });
    const { webhookUrl } = await begin();
    const headers = { origin: friend, 'access-control-request-method': 'POST' };
    const answer = await handler(new Request(webhookUrl, { method: 'OPTIONS', headers }));
    assert.equal(answer.status, 405);
  });

  test('and headers that are one text alone are not taken letter by letter', async (t) => {
    const plain = { origins: friend, headers: 'authorization' } as unknown as typeof cors;
    const { request } = partner(t, { cors: plain });
    const headers = { origin: friend, 'access-control-request-method': 'POST' };
    const answer = await request('/sessions', { method: 'OPTIONS', headers });
    assert.equal(answer.headers.get('access-control-allow-headers'), 'content-type, authorization');
  });

  const wrong = ['*', 'null', '', 'www.agency.example', 'https://www.agency.example/', 'http://www.agency.example'];
  for (const origin of [...wrong, 'https://*.agency.example', 'https://user@www.agency.example']) {
    test(`cannot be named as "${origin}"`, () => {
      const options = {
        bridge: untouchedBridge,
        secret,
        publicUrl,
        identify: () => null,
        session: () => assert.fail(),
        cors: { origins: [origin] },
      };
      assert.throws(() => createLicensingHandler(options), { name: 'TypeError', message: /^cors\.origins/ });
    });
  }
});
