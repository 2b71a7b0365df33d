import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PartnerSession } from '../../../src/server/index.js';
import { partner, publicUrl, returnState } from '../support/partner.js';

const friend = 'https://www.agency.example';
const allowedOrigins = [friend];
const preflight = (origin: string, method = 'POST') => ({
  method: 'OPTIONS',
  user: null,
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
    'sec-fetch-site': 'cross-site',
  },
});

suite('Pages of other origins', () => {
  const routes = ['/sessions', '/applications', '/applications/app_1', '/applications/app_1/events'];

  test('Without `allowedOrigins`, a page of another origin cannot read any answer.', async (t) => {
    const { begin, request } = partner(t);
    await begin();
    for (const path of routes) {
      const answer = await request(path, preflight(friend));
      assert.equal(answer.status, 403, path);
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      assert.deepEqual(names, []);
    }
  });

  test('OPTIONS that asks about no method is no preflight: 405.', async (t) => {
    const { request } = partner(t, { allowedOrigins });
    assert.equal((await request('/sessions', { method: 'OPTIONS', headers: { origin: friend } })).status, 405);
  });

  test('The preflight of an origin in `allowedOrigins` is answered with its method, its headers and credentials.', async (t) => {
    const { request } = partner(t, { allowedOrigins });
    for (const [index, path] of routes.entries()) {
      const { status, headers } = await request(path, preflight(friend));
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), friend);
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.equal(headers.get('access-control-allow-methods'), index === 0 ? 'POST' : 'GET');
      assert.equal(headers.get('access-control-allow-headers'), 'authorization,content-type');
      assert.equal(headers.get('vary'), 'origin');
    }
  });

  test('An origin that only resembles one in `allowedOrigins` is 403, and no cache keeps that answer for the real one.', async (t) => {
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
    const { request, bridge } = partner(t, { allowedOrigins });
    for (const stranger of strangers) {
      const headers = { origin: stranger, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
      const body = { reason: 'open', returnState };
      const answers = [
        await request('/sessions', preflight(stranger)),
        await request('/sessions', { method: 'POST', headers, body }),
      ];
      for (const { status, headers: received } of answers) {
        assert.equal(status, 403, stranger);
        assert.equal(received.get('access-control-allow-origin'), null);
        assert.equal(received.get('vary'), 'origin');
      }
    }
    assert.equal(bridge.requests.length, 0);
  });

  test('A page of an origin in `allowedOrigins` receives sessions with absolute URLs, and errors that it can read.', async (t) => {
    const { postSession, request } = partner(t, { allowedOrigins });
    const headers = { origin: friend, 'sec-fetch-site': 'same-site' };
    const answer = await postSession(undefined, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), friend);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
    const session = (await answer.json()) as PartnerSession;
    assert.equal(session.statusUrl, `${publicUrl}/applications/app_1`);
    const unknown = await request('/applications/app_9', { headers });
    assert.equal(unknown.status, 404);
    assert.equal(unknown.headers.get('access-control-allow-origin'), friend);
  });
});
