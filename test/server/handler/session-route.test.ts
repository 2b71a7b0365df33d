import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import {
  BridgeClientError,
  memoryStore,
  type HttpErrorBody,
  type LicensingHandlerOptions,
  type PartnerSession,
} from '../../../src/server/index.js';
import { putAll, record } from '../store/record-suite.js';
import { errorOf, partner, returnState, webhook } from '../support/partner.js';
import { bridgeError } from '../support/scripted-bridge.js';

/** A value like the element's, a different one for each number. */
const stateOf = (number: number) => String(number).padStart(24, 'z');

async function sessionOf(answer: Response): Promise<PartnerSession> {
  assert.equal(answer.status, 200);
  return (await answer.json()) as PartnerSession;
}

suite('POST /sessions creates a session', () => {
  test('The profile is synced, a session is created, and the response has the fields for the element.', async (t) => {
    const { bridge, postSession } = partner(t);
    const answer = await postSession();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.deepEqual(await answer.json(), {
      applicationUrl: 'https://apply.example/s/capability-of-ses_1',
      applicationId: 'app_1',
      expiresAt: '2026-11-21T12:00:00.000Z',
      estimatedFees: { total: 100 },
      states: ['TX', 'CA'],
      statusUrl: '/licensing/applications/app_1',
      eventsUrl: '/licensing/applications/app_1/events',
      returnState,
    });
    assert.deepEqual(bridge.syncedProfiles, [{ userId: 'usr_1', profile: { firstName: 'Ada' } }]);
    const [request] = bridge.requests;
    assert.equal(request?.userId, 'usr_1');
    assert.equal(request.returnUrl, `https://agency.example/done?from=apply&state=${returnState}`);
    assert.match(request.webhookUrl, /^https:\/\/agency\.example\/licensing\/webhooks\/[\w-]{22}\.[\w-]{43}$/);
  });
});

suite('POST /sessions creates no second application by accident', () => {
  test('Two hundred requests of a user at the same time make one application.', async (t) => {
    const { postSession, bridge } = partner(t);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, number) => postSession({ reason: 'open', returnState: stateOf(number) })),
    );
    const sessions = await Promise.all(answers.map(sessionOf));
    assert.deepEqual(new Set(sessions.map(({ applicationUrl }) => applicationUrl)).size, 1);
    assert.equal(bridge.requests.length, 1);
  });

  test('An unfinished application is continued when the user asks for the same again, and not when they ask for something else.', async (t) => {
    type Asked = Awaited<ReturnType<LicensingHandlerOptions['session']>>;
    const same: Asked = {
      applicationType: 'new',
      licenseType: 'life',
      states: ['TX', 'CA'],
      returnUrl: 'https://agency.example',
    };
    const changes: [Partial<Asked>, boolean][] = [
      [{}, true],
      [{ states: ['CA', 'TX'] }, true],
      [{ paymentMethod: 'user_pays' }, true],
      [{ returnUrl: 'https://www.agency.example' }, true],
      [{ states: ['CA'] }, false],
      [{ applicationType: 'renewal' }, false],
      [{ licenseType: 'health' }, false],
      [{ paymentMethod: 'partner_billing' }, false],
    ];
    for (const [change, isContinued] of changes) {
      let what = same;
      const { postSession } = partner(t, { session: () => what });
      await sessionOf(await postSession());
      what = { ...same, ...change };
      const { applicationId } = await sessionOf(await postSession({ reason: 'open', returnState: stateOf(2) }));
      assert.equal(applicationId, isContinued ? 'app_1' : 'app_2', JSON.stringify(change));
    }
  });

  test('An unfinished application is found among the last twenty of the user.', async (t) => {
    for (const newer of [19, 20]) {
      const store = memoryStore();
      const { begin, postSession, clock } = partner(t, { store });
      await begin();
      clock.leap(60_000);
      await putAll(store, ...Array.from({ length: newer }, (_, number) => record(70_000 + number)));
      const again = await sessionOf(await postSession({ reason: 'resume', returnState: stateOf(2) }));
      assert.equal(again.applicationId, newer === 19 ? 'app_1' : 'app_2');
    }
  });

  test('With resumeUnfinished: false, a user has at most ten unfinished applications; the next request is 429.', async (t) => {
    const limit = 10;
    const { postSession, bridge, clock } = partner(t, { resumeUnfinished: false });
    const open = (number: number) => postSession({ reason: 'open', returnState: stateOf(number) });
    for (let number = 1; number <= limit; number += 1) assert.equal((await open(number)).status, 200);
    const refused = await open(limit + 1);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal(await errorOf(refused), '429 too_many_applications');
    assert.equal((await open(1)).status, 200, 'the same request as before creates nothing');
    assert.equal((await postSession(undefined, { user: 'usr_2' })).status, 200);
    assert.equal(bridge.requests.length, limit + 1);
    await clock.advance(25 * 60 * 60_000);
    assert.equal((await open(limit + 2)).status, 200, 'those whose link has expired do not count');
  });
});

suite('POST /sessions takes the states that the user chose', () => {
  const choose = (number: number, ...states: string[]) => ({ reason: 'open', returnState: stateOf(number), states });

  test('The session is for the chosen states, in the order of the backend, and another choice is another application.', async (t) => {
    const { bridge, postSession } = partner(t);
    const both = await sessionOf(await postSession(choose(1, 'CA', 'TX', 'CA')));
    assert.deepEqual(both.states, ['TX', 'CA']);
    const one = await sessionOf(await postSession(choose(2, 'CA')));
    assert.deepEqual([one.states, one.applicationId], [['CA'], 'app_2']);
    const again = await sessionOf(await postSession(choose(3, 'CA')));
    assert.equal(again.applicationId, 'app_2', 'the same choice continues its application');
    assert.deepEqual(
      bridge.requests.map(({ states }) => states),
      [['TX', 'CA'], ['CA']],
    );
  });

  test('A state that the backend does not offer is refused, and a choice of none or of no state is invalid.', async (t) => {
    const { bridge, postSession } = partner(t);
    assert.equal(await errorOf(await postSession(choose(1, 'TX', 'NV'))), '422 states_not_offered');
    for (const states of [[], ['Texas'], 'TX', null]) {
      const answer = await postSession({ reason: 'open', returnState, states });
      assert.equal(await errorOf(answer), '400 invalid_request', JSON.stringify(states));
    }
    assert.deepEqual(bridge.requests, []);
  });

  test('A new link for an application keeps its chosen states, also on another device.', async (t) => {
    for (const applicationId of ['app_1', undefined]) {
      const { bridge, postSession, clock } = partner(t);
      await sessionOf(await postSession(choose(1, 'CA')));
      await clock.advance(25 * 60 * 60_000);
      const resume = { reason: 'resume', returnState: stateOf(2), ...(applicationId && { applicationId }) };
      assert.deepEqual((await sessionOf(await postSession(resume))).states, ['CA']);
      assert.deepEqual(bridge.requests.at(-1)?.states, ['CA']);
    }
  });

  test('An application with a state that is not offered any more is not continued.', async (t) => {
    let states: Awaited<ReturnType<LicensingHandlerOptions['session']>>['states'] = ['TX', 'CA'];
    const returnUrl = 'https://agency.example/done';
    const { postSession, clock } = partner(t, {
      session: () => ({ applicationType: 'new', licenseType: 'life', states, returnUrl }),
    });
    await sessionOf(await postSession(choose(1, 'CA')));
    await clock.advance(25 * 60 * 60_000);
    states = ['TX'];
    const resumed = await postSession({ reason: 'resume', returnState: stateOf(2), applicationId: 'app_1' });
    assert.deepEqual((await sessionOf(resumed)).states, ['TX']);
  });
});

suite('POST /sessions continues an application', () => {
  test('From another device, the newest application that is not submitted is continued.', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t, { resumeUnfinished: false });
    for (const [number, user] of ['usr_1', 'usr_1', 'usr_2'].entries()) {
      await begin(user, stateOf(number));
      clock.leap(1);
    }
    let number = 10;
    const resume = async (user = 'usr_1') => {
      const body = { reason: 'resume', returnState: stateOf((number += 1)) };
      return (await sessionOf(await postSession(body, { user }))).applicationId;
    };
    assert.equal(await resume(), 'app_2');
    bridge.change('app_2', { submittedAt: '2026-11-20T12:00:00.000Z' });
    assert.equal(await resume(), 'app_1');
    assert.equal(await resume('usr_2'), 'app_3');
    assert.equal(bridge.requests.length, 3);
    clock.leap(24 * 60 * 60_000);
    assert.equal(await resume(), 'app_4', 'the links have expired');
    assert.equal(await resume('usr_3'), 'app_5', 'there is none');
  });

  test('Where there is none to continue, a new application is created.', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t);
    await begin();
    bridge.change('app_1', { submittedAt: '2026-11-20T12:00:00.000Z' });
    let number = 0;
    const create = async (body: object, user = 'usr_1') => {
      clock.leap(1);
      const returned = await postSession({ returnState: stateOf((number += 1)), ...body }, { user });
      return (await sessionOf(returned)).applicationId;
    };
    assert.equal(await create({ reason: 'open' }), 'app_2', 'the earlier one is submitted');
    assert.equal(await create({ reason: 'resume', applicationId: 'app_1' }), 'app_3');
    assert.equal(await create({ reason: 'expired' }), 'app_3', 'the store knows no link that has expired');
    assert.equal(await create({ reason: 'resume', applicationId: 'nobodys' }), 'app_4');
    assert.equal(await create({ reason: 'resume', applicationId: 'app_2' }, 'usr_2'), 'app_5', 'it is of another user');
    clock.leap((bridge.sessionLifetimeMs ?? 0) - 59_000);
    assert.equal(await create({ reason: 'resume', applicationId: 'app_2' }), 'app_6', 'the link expires in a minute');
    bridge.sessionLifetimeMs = undefined;
    await begin('usr_3');
    assert.equal(await create({ reason: 'resume', applicationId: 'app_7' }, 'usr_3'), 'app_7');
    assert.equal(await create({ reason: 'expired', applicationId: 'app_7' }, 'usr_3'), 'app_8');
  });

  test('An application that cannot be read is 503, and no second one is created for it.', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    await begin();
    bridge.applications.get = () => Promise.reject(bridgeError('unavailable', 'getApplication'));
    for (const reason of ['open', 'resume']) {
      const body = { reason, returnState: stateOf(1) };
      assert.equal(await errorOf(await postSession(body)), '503 bridge_unavailable');
    }
    assert.equal(bridge.requests.length, 1);
  });

  test('A login that fails is 502 with what to check: no fault of the profile, and no application that does not exist.', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    await begin();
    for (const code of ['refused', 'not_found', 'credentials_refused'] as const) {
      const fail = () => Promise.reject(bridgeError(code, 'login'));
      bridge.applications.get = fail;
      bridge.profiles.sync = fail;
      const post = async (reason: string) => errorOf(await postSession({ reason, returnState: stateOf(1) }));
      assert.equal(await post('open'), '502 bridge_misconfigured', code);
      assert.equal(bridge.requests.length, 1, 'no second application');
      const { create } = bridge.sessions;
      bridge.sessions.create = fail;
      assert.equal(await post('expired'), '502 bridge_misconfigured', code);
      bridge.sessions.create = create;
    }
  });
});

suite('A profile that cannot be synced', () => {
  const failure = { operation: 'syncProfile', message: 'Scripted.', retryable: false } as const;

  test('A bridge that fails at profile sync does not keep the user from applying, unless the profile itself is wrong.', async (t) => {
    const codes = ['unreachable', 'unavailable', 'timeout', 'rate_limited', 'not_found', 'unreadable'] as const;
    const outages = [...codes.map((code) => ({ code })), { code: 'refused', status: 403 } as const];
    for (const outage of outages) {
      const { bridge, postSession, entries } = partner(t);
      bridge.profiles.sync = () => Promise.reject(new BridgeClientError({ ...failure, ...outage }));
      assert.equal((await postSession()).status, 200, outage.code);
      assert.ok(entries.some(({ event, level }) => event === 'profile.not_synced' && level === 'warn'));
    }
    const mistaken = partner(t);
    mistaken.bridge.profiles.sync = () => Promise.reject(new TypeError('syncProfile: remove "ssn".'));
    assert.equal((await mistaken.postSession()).status, 500);
    const { bridge, postSession } = partner(t, { identify: () => ({ userId: 'usr_1' }) });
    assert.equal((await postSession()).status, 200);
    assert.deepEqual(bridge.syncedProfiles, [], 'without a profile nothing is synced');
  });

  test('A profile that the bridge refuses is 422 with the name of the field, and no session is created.', async (t) => {
    const { bridge, postSession, entries } = partner(t);
    const refusal = { ...failure, code: 'refused', status: 400, field: 'residentialAddress.zip' } as const;
    bridge.profiles.sync = () => Promise.reject(new BridgeClientError(refusal));
    const answer = await postSession();
    assert.match(((await answer.clone().json()) as HttpErrorBody).message, /\(residentialAddress\.zip\)$/);
    assert.equal(await errorOf(answer), '422 invalid_profile');
    assert.deepEqual(bridge.requests, []);
    assert.equal(entries.at(-1)?.['field'], 'residentialAddress.zip');
  });
});

const hourMs = 60 * 60_000;
const nextState = 'z'.repeat(24);

/**
 * A user at work, a few minutes before the session ends, at a bridge that resumes their
 * application.
 */
async function setup(t: TestContext) {
  const { postSession, ...rest } = partner(t);
  const { session, webhookUrl } = await rest.begin();
  rest.bridge.change('app_1', { progress: { step: 'background', index: 3, count: 6 } });
  rest.clock.leap(24 * hourMs - 5 * 60_000);
  rest.bridge.resumed = 'app_1';
  const renew = async (body: object = {}, user = 'usr_1') => {
    const wanted = { reason: 'expired', applicationId: 'app_1', returnState: nextState, ...body };
    const answer = await postSession(wanted, { user });
    assert.equal(answer.status, 200);
    return (await answer.json()) as PartnerSession;
  };
  return { ...rest, session, webhookUrl, renew };
}

suite('A session that expires while the user is at work', () => {
  test('An expired session is followed by another link of the same application, which several tabs and another device share.', async (t) => {
    const { session, renew, bridge, clock } = await setup(t);
    const renewed = await renew();
    assert.equal(renewed.applicationId, session.applicationId);
    assert.equal(renewed.applicationUrl, 'https://apply.example/s/capability-of-ses_2');
    assert.equal(renewed.expiresAt, new Date(clock.now() + 24 * hourMs).toISOString());
    assert.equal(renewed.returnState, nextState);
    assert.match(bridge.requests[1]?.returnUrl ?? '', new RegExp(`state=${nextState}$`));
    for (const body of [{ returnState }, { returnState, reason: 'resume', applicationId: undefined }]) {
      const progress = { step: 'background', index: 3, count: 6 };
      assert.deepEqual(await renew(body), { ...renewed, progress }, 'with the returnState that the link carries');
    }
    assert.equal(bridge.requests.length, 2);
  });

  test('A user who says again and again that the link has expired gets the same one until it has.', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    const { session } = await begin();
    for (const applicationId of ['app_1', undefined])
      for (let number = 0; number < 5; number += 1) {
        const wanted = { reason: 'expired', applicationId, returnState: stateOf(number) };
        assert.equal((await sessionOf(await postSession(wanted))).applicationUrl, session.applicationUrl);
      }
    assert.equal(bridge.requests.length, 1);
  });

  test('A user gets twenty sessions in an hour, however they are asked for; the next one is 429 until the hour is over.', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t, { resumeUnfinished: false });
    await begin();
    bridge.resumed = 'app_1';
    const open = (number: number) => postSession({ reason: 'open', returnState: stateOf(number) });
    for (let number = 2; number <= 20; number += 1) assert.equal((await open(number)).status, 200, String(number));
    const refused = await open(21);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal(await errorOf(refused), '429 too_many_sessions');
    clock.leap(3_599_999);
    assert.equal((await open(23)).status, 429);
    clock.leap(1);
    assert.equal((await open(24)).status, 200);
  });

  test('A link that an operator revoked is followed by another one, long before its time is over.', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    await begin();
    bridge.resumed = 'app_1';
    bridge.change('app_1', { sessionId: 'ses_of_nobody' });
    const wanted = { reason: 'expired', applicationId: 'app_1', returnState: nextState };
    const { applicationId, applicationUrl } = await sessionOf(await postSession(wanted));
    assert.equal(applicationId, 'app_1');
    assert.equal(applicationUrl, 'https://apply.example/s/capability-of-ses_2');
  });

  test('Webhooks to the URL of the earlier session and to that of the new one are handled.', async (t) => {
    const { webhookUrl, renew, bridge, postWebhook, events, request } = await setup(t);
    await renew();
    const urls = [webhookUrl, bridge.requests[1]?.webhookUrl ?? ''];
    assert.notEqual(urls[0], urls[1]);
    for (const [index, step] of ['payment', 'review'].entries()) {
      const sessionId = `ses_${index + 1}`;
      bridge.change('app_1', { progress: { step, index: 5 + index, count: 6 } });
      const body = webhook(`evt_${index}`, 'application.progress_updated', { sessionId });
      assert.equal((await postWebhook(urls[index] ?? '', body)).status, 204);
      assert.equal(events.length, index + 1);
    }
    assert.equal(events[1]?.sessionId, 'ses_2');
    for (const url of urls) assert.equal((await postWebhook(url, {})).status, 204, 'without an id in its body');
    const application = (await (await request('/applications/app_1')).json()) as { sessionId: string };
    assert.equal(application.sessionId, 'ses_2');
  });

  test('An application that the bridge no longer has does not keep its user from applying.', async (t) => {
    for (const wasRead of [false, true]) {
      const { begin, bridge, postSession, request } = partner(t);
      await begin();
      if (wasRead) assert.equal((await request('/applications/app_1')).status, 200);
      const { get } = bridge.applications;
      bridge.applications.get = (id) => get(id === 'app_1' ? 'gone' : id);
      for (const [number, body] of [{ reason: 'resume', applicationId: 'app_1' }, { reason: 'open' }].entries()) {
        const answer = await postSession({ ...body, returnState: String(number).padStart(24, 'x') });
        assert.equal(answer.status, 200);
        assert.notEqual(((await answer.json()) as PartnerSession).applicationId, 'app_1');
      }
    }
  });
});
