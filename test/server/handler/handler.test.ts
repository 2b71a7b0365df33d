import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { memoryStore, type BridgeClientErrorCode } from '../../../src/server/index.js';
import { putAll, record } from '../store/record-suite.js';
import { submitted } from '../support/applications.js';
import { errorOf, partner, returnState, webhook } from '../support/partner.js';
import { bridgeError } from '../support/scripted-bridge.js';

suite('The handler answers only pages of the same site', () => {
  const cases: [headers: Record<string, string>, isAllowed: boolean][] = [
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
  test('A request for a session that another site may have sent is 403, and the bridge is not called.', async (t) => {
    for (const [headers, isAllowed] of cases) {
      const { request, bridge } = partner(t);
      const answer = await request('/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: { reason: 'open', returnState },
      });
      if (isAllowed) assert.equal(answer.status, 200, JSON.stringify(headers));
      else assert.equal(await errorOf(answer), '403 cross_site_request', JSON.stringify(headers));
      assert.equal(bridge.requests.length, isAllowed ? 1 : 0);
    }
  });

  test('A path that the handler does not have is in the log once, however many there are, and without the path.', async (t) => {
    const { request, entries } = partner(t);
    for (let index = 0; index < 3; index += 1) assert.equal((await request('/nowhere/a-token')).status, 404);
    const reported = entries.filter(({ event }) => event === 'request.unknown_route');
    assert.equal(reported.length, 1);
    assert.match(reported[0]?.message ?? '', /Check the URL, and where the handler is mounted/);
    assert.ok(!JSON.stringify(entries).includes('nowhere'));
  });

  test('A form of another site cannot create a session, because its content type is refused.', async (t) => {
    const { request } = partner(t);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type };
      const answer = await request('/sessions', { method: 'POST', headers, body: { reason: 'open', returnState } });
      assert.equal(await errorOf(answer), '415 unsupported_media_type');
    }
  });
});

suite('GET /applications', () => {
  test("The list has the user's own applications, newest first, without calling the bridge and without the link of an unfinished one.", async (t) => {
    const { begin, bridge, request, clock } = partner(t, { resumeUnfinished: false });
    await begin();
    await begin('usr_2');
    clock.leap(1_000);
    await begin('usr_1', 'z'.repeat(24));
    const receiptNumber = '4F7K-22QP';
    bridge.change('app_3', { ...submitted, receiptNumber });
    await request('/applications/app_3');
    const readingsBefore = bridge.readings.length;
    const answer = await request('/applications');
    const text = await answer.clone().text();
    const { applications } = (await answer.json()) as { applications: Record<string, unknown>[] };
    const common = {
      applicationType: 'new',
      licenseType: 'life_health',
      requestedStates: ['TX', 'CA'],
      estimatedFees: { total: 100 },
    };
    const receiptUrl = 'https://apply.example/s/capability-of-ses_3';
    assert.deepEqual(applications, [
      {
        applicationId: 'app_3',
        sessionId: 'ses_3',
        userId: 'usr_1',
        ...common,
        createdAt: '2026-11-20T12:00:01.000Z',
        expiresAt: '2026-11-21T12:00:01.000Z',
        ...submitted,
        receiptNumber,
        receiptUrl,
      },
      {
        applicationId: 'app_1',
        ...common,
        createdAt: '2026-11-20T12:00:00.000Z',
        expiresAt: '2026-11-21T12:00:00.000Z',
        progress: { step: 'not_started', index: 0, count: 0 },
        states: [],
      },
    ]);
    assert.deepEqual(text.match(/https?:[^"]*/g), [receiptUrl]);
    assert.equal(bridge.readings.length, readingsBefore);
    assert.deepEqual(await (await request('/applications', { user: 'usr_9' })).json(), { applications: [] });
    assert.equal(await errorOf(await request('/applications', { user: null })), '401 not_signed_in');
  });
});

test('The list has the last twenty applications, and none that the bridge has not answered yet.', async (t) => {
  const store = memoryStore();
  const { request } = partner(t, { store });
  await putAll(store, ...Array.from({ length: 21 }, (_, number) => record(number, { applicationId: `app_${number}` })));
  const listed = async () => {
    const { applications } = (await (await request('/applications')).json()) as { applications: object[] };
    return applications.map((each) => (each as { applicationId: string }).applicationId);
  };
  assert.deepEqual(
    await listed(),
    Array.from({ length: 20 }, (_, number) => `app_${20 - number}`),
  );
  await putAll(store, record(30));
  assert.equal((await listed()).length, 19);
});

suite('GET /applications/{applicationId}', () => {
  test('The answer is the application as the bridge has it now, with the documented fields only.', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    bridge.change('app_1', { ...submitted, receiptNumber: '4F7K-22QP', ...({ ssn: '900-11-0001' } as object) });
    const answer = await request('/applications/app_1');
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      applicationId: 'app_1',
      sessionId: 'ses_1',
      userId: 'usr_1',
      applicationType: 'new',
      licenseType: 'life_health',
      createdAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-11-21T12:00:00.000Z',
      requestedStates: ['TX', 'CA'],
      estimatedFees: { total: 100 },
      ...submitted,
      receiptNumber: '4F7K-22QP',
      receiptUrl: 'https://apply.example/s/capability-of-ses_1',
    });
  });

  test('An application of another user is 404, just like one that does not exist.', async (t) => {
    const { begin, request } = partner(t);
    await begin();
    const foreign = await request('/applications/app_1', { user: 'usr_2' });
    const unknown = await request('/applications/app_9', { user: 'usr_2' });
    assert.equal(await foreign.clone().text(), await unknown.clone().text());
    assert.equal(await errorOf(foreign), '404 unknown_application');
    const events = await request('/applications/app_1/events', { user: 'usr_2' });
    assert.equal(await errorOf(events), '404 unknown_application');
    for (const path of ['/applications/app_1', '/applications/app_1/events']) {
      assert.equal(await errorOf(await request(path, { user: null })), '401 not_signed_in');
    }
  });

  test('A bridge that cannot be reached is 503 with the time to wait, and one that refuses is 502.', async (t) => {
    const outages: BridgeClientErrorCode[] = ['unreachable', 'unavailable', 'timeout', 'aborted', 'rate_limited'];
    const refusals: BridgeClientErrorCode[] = ['credentials_refused', 'not_found', 'refused', 'unreadable'];
    for (const code of [...outages, ...refusals]) {
      const { bridge, begin, request } = partner(t);
      await begin();
      for (const [retryAfterMs, wait] of [
        [undefined, '5'],
        [6_001, '7'],
      ] as const) {
        const failure = bridgeError(code, 'getApplication');
        bridge.applications.get = () => Promise.reject(Object.assign(failure, { retryAfterMs }));
        const answer = await request('/applications/app_1');
        const isOutage = outages.includes(code);
        assert.equal(answer.headers.get('retry-after'), isOutage ? wait : null);
        assert.equal(await errorOf(answer), isOutage ? '503 bridge_unavailable' : '502 bridge_refused', code);
      }
    }
  });

  test('Once an application is known, an outage shows its last state, and any other failure is an error.', async (t) => {
    const { bridge, begin, request, entries } = partner(t);
    await begin();
    await request('/applications/app_1');
    for (const [failure, status] of [
      [bridgeError('refused', 'getApplication'), 200],
      [bridgeError('not_found', 'getApplication'), 502],
      [new Error('A mistake.'), 500],
    ] as const) {
      bridge.applications.get = () => Promise.reject(failure);
      assert.equal((await request('/applications/app_1')).status, status);
    }
    assert.ok(entries.some(({ event }) => event === 'application.stale'));
  });

  test('An answer of the bridge about another application or user is 502, and is not shown.', async (t) => {
    const { bridge, begin, request } = partner(t);
    await begin();
    for (const another of [{ userId: 'usr_2' }, { userId: 'usr_1', applicationId: 'app_2' }]) {
      bridge.change('app_1', another);
      assert.equal(await errorOf(await request('/applications/app_1')), '502 bridge_mismatch');
    }
  });

  test('An application that the bridge gives to a second user stays with the first one.', async (t) => {
    const { bridge, begin, postSession, request } = partner(t);
    await begin();
    bridge.resumed = 'app_1';
    assert.equal(await errorOf(await postSession(undefined, { user: 'usr_2' })), '502 bridge_mismatch');
    assert.equal((await request('/applications/app_1')).status, 200);
    assert.deepEqual(await (await request('/applications', { user: 'usr_2' })).json(), { applications: [] });
  });
});

test('Routes are found where a mount or a proxy removes the base path or the beginning of it, and nowhere else.', async (t) => {
  const base = 'https://agency.example/api/v2/licensing';
  const { handler, bridge, begin } = partner(t, { publicUrl: base });
  await begin();
  assert.ok(bridge.requests[0]?.webhookUrl.startsWith(`${base}/webhooks/`));
  const statusOf = async (path: string) =>
    (await handler(new Request(`http://inside${path}`, { headers: { 'x-user': 'usr_1' } }))).status;
  for (const prefix of ['/api/v2/licensing', '/v2/licensing', '/licensing', '']) {
    assert.equal(await statusOf(`${prefix}/applications/app_1`), 200, prefix);
    assert.equal(await statusOf(`${prefix}/applications/app_1/`), 200, prefix);
  }
  for (const path of ['', '/applications/%E0%A4%A', '/applications/app_1/more']) {
    assert.equal(await statusOf(`/licensing${path}`), 404, path);
  }
  for (const prefix of ['/api', '/api/v2', '/api/licensing', '/censing', '/licensing/licensing', '/v2']) {
    assert.equal(await statusOf(`${prefix}/applications/app_1`), 404, prefix);
  }
});

test('No URL of an application and no webhook token is ever logged.', async (t) => {
  const urls: string[] = [];
  const { begin, request, bridge, postSession, postWebhook, entries } = partner(t, {
    on: {
      submitted: () => {
        throw new Error(`Failed: ${urls.join(' ')}`);
      },
    },
  });
  const { session, webhookUrl } = await begin();
  urls.push(session.applicationUrl, webhookUrl);
  await request('/applications/app_1');
  await postWebhook(webhookUrl, '{');
  await postWebhook(`${webhookUrl}x`, {});
  bridge.change('app_1', submitted);
  await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
  bridge.fail('unreachable');
  await request('/applications/app_1');
  await postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'));
  await postSession({ reason: 'expired', returnState: 'z'.repeat(24) });
  await request('/applications/app_1/events');
  assert.ok(entries.some(({ event }) => event === 'listener.failed'));
  assert.doesNotMatch(inspect(entries, { depth: null }), /capability-of|[\w-]{22}\.[\w-]{43}/);
});
