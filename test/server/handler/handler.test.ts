import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import type { RefusalBody } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, returnState } from '../support/partner.js';

async function refusal(answer: Response): Promise<string> {
  const body = (await answer.json()) as RefusalBody;
  assert.deepEqual(Object.keys(body), ['code', 'message']);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return `${String(answer.status)} ${body.code}`;
}

suite('requests of other sites', () => {
  const cases: [headers: Record<string, string>, allowed: boolean][] = [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' }, true],
    [{ origin: 'https://agency.example' }, true],
    [{}, true],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://agency.example' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://agency.example.evil.example' }, false],
    [{ origin: 'http://agency.example' }, false],
    [{ origin: 'null' }, false],
  ];
  for (const [headers, allowed] of cases) {
    test(`${allowed ? 'accepted' : 'refused'}: ${JSON.stringify(headers)}`, async (t) => {
      const { request, bridge } = partner(t);
      const answer = await request('/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: { reason: 'open', returnState },
      });
      assert.equal(answer.status, allowed ? 200 : 403);
      assert.equal(bridge.sessions.length, allowed ? 1 : 0);
      if (!allowed) assert.equal(await refusal(answer), '403 cross_site_request');
    });
  }

  test('nor can another site read', async (t) => {
    const { begin, request } = partner(t);
    await begin();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      for (const path of ['/applications', '/applications/app_1', '/applications/app_1/events']) {
        assert.equal(await refusal(await request(path, { headers })), '403 cross_site_request', path);
      }
    }
  });

  test('a form cannot post: its type is refused', async (t) => {
    const { request } = partner(t);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await request('/sessions', {
        method: 'POST',
        headers: { 'content-type': type },
        body: { reason: 'open', returnState },
      });
      assert.equal(await refusal(answer), '415 unsupported_media_type');
    }
  });

  test('a preflight is not answered: CORS is off', async (t) => {
    const { request } = partner(t);
    const answer = await request('/sessions', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    assert.equal(await refusal(answer), '405 method_not_allowed');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
  });
});

suite('GET /applications', () => {
  test("lists the user's own applications, the newest first, without asking the bridge and without any address", async (t) => {
    const { begin, bridge, request, clock } = partner(t);
    await begin();
    await begin('usr_2');
    clock.leap(1_000);
    await begin();
    bridge.move('app_3', submitted);
    await request('/applications/app_3');
    const before = bridge.readings.length;
    const answer = await request('/applications');
    const text = await answer.clone().text();
    const { applications } = (await answer.json()) as { applications: Record<string, unknown>[] };
    const common = { applicationType: 'new', licenseType: 'life_health' };
    assert.deepEqual(applications, [
      {
        applicationId: 'app_3',
        ...common,
        createdAt: '2026-11-20T12:00:01.000Z',
        expiresAt: '2026-11-21T12:00:01.000Z',
        ...submitted,
      },
      {
        applicationId: 'app_1',
        ...common,
        createdAt: '2026-11-20T12:00:00.000Z',
        expiresAt: '2026-11-21T12:00:00.000Z',
        states: [{ state: 'TX' }, { state: 'CA' }],
      },
    ]);
    assert.doesNotMatch(text, /https?:/);
    assert.equal(bridge.readings.length, before);
    assert.deepEqual(await (await request('/applications', { user: 'usr_9' })).json(), { applications: [] });
    assert.equal(await refusal(await request('/applications', { user: null })), '401 not_signed_in');
  });
});

suite('GET /applications/{applicationId}', () => {
  test('answers the application as it is now, and only what is declared', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    bridge.move('app_1', {
      progress: { step: 'submitted', index: 6, count: 6 },
      submittedAt: '2026-11-20T12:00:00.000Z',
      states: [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' }],
      ...({ ssn: '900-11-0001' } as object),
    });
    const answer = await request('/applications/app_1');
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      applicationId: 'app_1',
      sessionId: 'ses_1',
      userId: 'usr_1',
      applicationType: 'new',
      licenseType: 'life_health',
      submittedAt: '2026-11-20T12:00:00.000Z',
      progress: { step: 'submitted', index: 6, count: 6 },
      states: [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' }],
    });
  });

  test("somebody else's application does not exist, whether it does or not", async (t) => {
    const { begin, request } = partner(t);
    await begin();
    const foreign = await request('/applications/app_1', { user: 'usr_2' });
    const unknown = await request('/applications/app_9', { user: 'usr_2' });
    assert.equal(await foreign.clone().text(), await unknown.clone().text());
    assert.equal(await refusal(foreign), '404 unknown_application');
    assert.equal(
      await refusal(await request('/applications/app_1/events', { user: 'usr_2' })),
      '404 unknown_application',
    );
    assert.equal(await refusal(await request('/applications/app_1', { user: null })), '401 not_signed_in');
    assert.equal(await refusal(await request('/applications/app_1/events', { user: null })), '401 not_signed_in');
  });

  test('many at once are one reading; a second later it is read again', async (t) => {
    const { bridge, begin, request, clock } = partner(t);
    await begin();
    const release = bridge.hold();
    const answers = Promise.all(Array.from({ length: 50 }, () => request('/applications/app_1')));
    await clock.advance(0);
    release();
    await clock.advance(200);
    assert.ok((await answers).every(({ status }) => status === 200));
    assert.ok(bridge.readings.length <= 2, String(bridge.readings.length));
    const before = bridge.readings.length;
    await request('/applications/app_1');
    assert.equal(bridge.readings.length, before);
    await clock.advance(1_500);
    await request('/applications/app_1');
    assert.equal(bridge.readings.length, before + 1);
  });

  test('answers the last known state while the bridge cannot be asked', async (t) => {
    const { bridge, begin, request, clock } = partner(t);
    await begin();
    bridge.fail('unreachable');
    assert.equal(await refusal(await request('/applications/app_1')), '503 bridge_unavailable');
    bridge.fail(undefined);
    await clock.advance(1_500);
    assert.equal((await request('/applications/app_1')).status, 200);
    bridge.fail('unreachable');
    await clock.advance(1_500);
    assert.equal((await request('/applications/app_1')).status, 200);
  });

  test('never mixes up applications, even if the bridge does', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    for (const another of [{ userId: 'usr_2' }, { userId: 'usr_1', applicationId: 'app_2' }]) {
      bridge.move('app_1', another);
      assert.equal(await refusal(await request('/applications/app_1')), '500 internal');
    }
  });

  test('lists no application that the bridge has given to somebody else', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    bridge.begun = 'app_1';
    await begin('usr_2');
    const listed: unknown = await (await request('/applications')).json();
    assert.deepEqual(listed, { applications: [] });
    assert.equal((await request('/applications/app_1')).status, 404);
  });

  test('completes what a host leaves out with what was asked for', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    bridge.getApplication = () =>
      Promise.resolve({ applicationId: 'app_1', states: [{ state: 'TX', status: 'on_hold', updatedAt: '' }] });
    assert.deepEqual(await (await request('/applications/app_1')).json(), {
      applicationId: 'app_1',
      sessionId: 'ses_1',
      userId: 'usr_1',
      applicationType: 'new',
      licenseType: 'life_health',
      progress: { step: 'submitted', index: 0, count: 0 },
      states: [{ state: 'TX', status: 'on_hold', updatedAt: '' }],
    });
  });
});

suite('routes', () => {
  const cases: [method: string, path: string, expected: string, allow: string | null][] = [
    ['GET', '/sessions', '405 method_not_allowed', 'POST'],
    ['DELETE', '/applications/app_1', '405 method_not_allowed', 'GET'],
    ['POST', '/applications/app_1/events', '405 method_not_allowed', 'GET'],
    ['GET', '/webhooks/x', '405 method_not_allowed', 'POST'],
    ['GET', '', '404 unknown_route', null],
    ['GET', '/other', '404 unknown_route', null],
    ['GET', '/applications/%E0%A4%A', '404 unknown_route', null],
    ['GET', '/applications/app_1/more', '404 unknown_route', null],
  ];
  for (const [method, path, expected, allow] of cases) {
    test(`${method} ${path === '' ? '/' : path} is ${expected}`, async (t) => {
      const { request } = partner(t);
      const answer = await request(path, { method });
      assert.equal(answer.headers.get('allow'), allow);
      assert.equal(await refusal(answer), expected);
    });
  }

  test('are found where a proxy takes off the front of the base path', async (t) => {
    const base = 'https://agency.example/api/v2/licensing';
    const { handler, bridge, postSession } = partner(t, { publicUrl: base });
    const session = await handler(
      new Request(`${base}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': 'usr_1' },
        body: JSON.stringify({ reason: 'open', returnState }),
      }),
    );
    assert.equal(session.status, 200);
    assert.equal((await postSession()).status, 200);
    assert.match(bridge.sessions[0]?.webhookUrl ?? '', /^https:\/\/agency\.example\/api\/v2\/licensing\/webhooks\//);
    const statusOf = async (path: string) =>
      (await handler(new Request(`http://inside${path}`, { headers: { 'x-user': 'usr_1' } }))).status;
    for (const prefix of ['/api/v2/licensing', '/v2/licensing', '/licensing', '']) {
      assert.equal(await statusOf(`${prefix}/applications/app_1`), 200, prefix);
    }
    for (const prefix of ['/api', '/api/v2', '/api/licensing', '/censing', '/licensing/licensing', '/v2']) {
      assert.equal(await statusOf(`${prefix}/applications/app_1`), 404, prefix);
    }
  });

  test('are found with the base path and without it', async (t) => {
    const { begin, handler } = partner(t);
    await begin();
    for (const path of ['/licensing/applications/app_1', '/applications/app_1', '/applications/app_1/']) {
      const answer = await handler(new Request(`http://anything${path}`, { headers: { 'x-user': 'usr_1' } }));
      assert.equal(answer.status, 200, path);
    }
  });
});

test('no address of an application and no capability is ever logged', async (t) => {
  const { begin, request, bridge, postWebhook, entries } = partner(t);
  const { webhookUrl } = await begin();
  await request('/applications/app_1');
  await postWebhook(webhookUrl, '{');
  await postWebhook(`${webhookUrl}x`, {});
  bridge.fail('unreachable');
  await request('/applications/app_1');
  assert.ok(entries.length > 0);
  assert.doesNotMatch(inspect(entries, { depth: null }), /capability-of|v1\.[\w-]{22}|apply\.example/);
});
