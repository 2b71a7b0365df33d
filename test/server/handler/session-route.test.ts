import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import {
  BridgeClientError,
  memoryStore,
  type LicensingHandlerOptions,
  type PartnerSession,
  type RefusalBody,
} from '../../../src/server/index.js';
import { partner, returnState } from '../support/partner.js';

const outage = { code: 'unavailable', message: 'Scripted.', retryable: true } as const;

async function refusal(answer: Response): Promise<string> {
  const body = (await answer.json()) as RefusalBody;
  assert.deepEqual(Object.keys(body), ['code', 'message']);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return `${String(answer.status)} ${body.code}`;
}

suite('POST /sessions', () => {
  test('hands out no address that is not in the store: its webhooks would be strangers', async (t) => {
    const store = memoryStore();
    let fail = () => {};
    const saving = new Promise<void>((_, reject) => {
      fail = () => {
        reject(new Error('No room on the disk.'));
      };
    });
    const { postSession, clock } = partner(t, { store: { ...store, saveLink: () => saving } });
    let answer: Response | undefined;
    const answering = postSession().then((given) => (answer = given));
    await clock.advance(1_000);
    assert.equal(answer, undefined, 'not before it is there');
    fail();
    assert.equal((await answering).status, 500);
  });

  test('syncs the profile, creates a session and answers what the element needs', async (t) => {
    const { bridge, postSession } = partner(t);
    const answer = await postSession();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.deepEqual(await answer.json(), {
      applicationUrl: 'https://apply.example/s/capability-of-app_1',
      applicationId: 'app_1',
      expiresAt: '2026-11-21T12:00:00.000Z',
      estimatedFees: { total: 100 },
      states: ['TX', 'CA'],
      statusUrl: '/licensing/applications/app_1',
      eventsUrl: '/licensing/applications/app_1/events',
      returnState,
    });
    assert.deepEqual(bridge.profiles, [{ userId: 'usr_1', profile: { firstName: 'Ada' } }]);
    const [session] = bridge.sessions;
    assert.equal(session?.userId, 'usr_1');
    assert.equal(session.returnUrl, `https://agency.example/done?from=apply&state=${returnState}`);
    assert.match(
      session.webhookUrl ?? '',
      /^https:\/\/agency\.example\/licensing\/webhooks\/v1\.[\w-]{22}\.\d+\.[\w-]{43}$/,
    );
  });

  test('a profile that the bridge refuses keeps nobody out', async (t) => {
    const { bridge, postSession, entries } = partner(t);
    const sync = bridge.syncProfile.bind(bridge);
    bridge.syncProfile = (...input) => {
      bridge.fail('refused');
      const failed = sync(...input);
      return failed.finally(() => {
        bridge.fail(undefined);
      });
    };
    assert.equal((await postSession()).status, 200);
    assert.ok(entries.some(({ event }) => event === 'profile.refused'));
  });

  test('an outage while the profile is synced is said at once: nothing is begun without it', async (t) => {
    const { bridge, postSession } = partner(t);
    bridge.syncProfile = () => Promise.reject(new BridgeClientError({ ...outage, operation: 'syncProfile' }));
    assert.equal(await refusal(await postSession()), '503 bridge_unavailable');
    assert.deepEqual(bridge.sessions, []);
  });

  test('begins no second application because the first one cannot be read', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    await begin();
    bridge.getApplication = () => Promise.reject(new BridgeClientError({ ...outage, operation: 'getApplication' }));
    assert.equal(await refusal(await postSession({ reason: 'resume', returnState })), '503 bridge_unavailable');
    assert.equal(bridge.sessions.length, 1);
  });

  test('hands out no address that is about to end', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t);
    await begin();
    clock.leap((bridge.sessionLifetimeMs ?? 0) - 59_000);
    const answer = (await (await postSession({ reason: 'resume', returnState })).json()) as PartnerSession;
    assert.equal(answer.applicationId, 'app_2');
  });

  test('goes on with an application begun earlier while its address is good', async (t) => {
    const { bridge, postSession, begin } = partner(t);
    const { session } = await begin();
    bridge.move('app_1', { progress: { step: 'background', index: 3, count: 6 } });
    for (const reason of ['resume', 'expired']) {
      const other = { reason, returnState: 'z'.repeat(22), applicationId: 'app_1' };
      const resumed = (await (await postSession(other)).json()) as PartnerSession;
      assert.equal(resumed.applicationUrl, session.applicationUrl);
      assert.deepEqual(resumed.progress, { step: 'background', index: 3, count: 6 });
      assert.equal(resumed.returnState, returnState, 'the value that the returnUrl of this session carries');
    }
    assert.equal(bridge.sessions.length, 1);
  });

  test('begins anew where there is nothing to go on with', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t);
    await begin();
    const count = async (body: object, user = 'usr_1') => {
      assert.equal((await postSession({ returnState, ...body }, { user })).status, 200);
      return bridge.sessions.length;
    };
    assert.equal(await count({ reason: 'open', applicationId: 'app_1' }), 2);
    assert.equal(await count({ reason: 'expired' }), 3);
    assert.equal(await count({ reason: 'resume', applicationId: 'nobodys' }), 4);
    assert.equal(await count({ reason: 'resume', applicationId: 'app_1' }, 'usr_2'), 5);
    bridge.move('app_2', { submittedAt: '2026-11-20T12:00:00.000Z' });
    await clock.advance(2_000);
    assert.equal(await count({ reason: 'resume', applicationId: 'app_2' }), 6);
    await clock.advance(24 * 60 * 60_000);
    assert.equal(await count({ reason: 'expired', applicationId: 'app_1' }), 7);
    bridge.sessionLifetimeMs = undefined;
    await begin();
    assert.equal(await count({ reason: 'resume', applicationId: 'app_8' }), 8);
    assert.equal(await count({ reason: 'expired', applicationId: 'app_8' }), 9);
  });

  test('finds the application of a user again who comes from another device', async (t) => {
    const { bridge, postSession, begin, clock } = partner(t);
    for (const user of ['usr_1', 'usr_1', 'usr_2']) await begin(user);
    const resume = async (user = 'usr_1') => {
      const other = { reason: 'resume', returnState: 'z'.repeat(22) };
      return (await (await postSession(other, { user })).json()) as PartnerSession;
    };
    assert.equal((await resume()).applicationId, 'app_2', 'the newest');
    bridge.move('app_2', { submittedAt: '2026-11-20T12:00:00.000Z' });
    await clock.advance(2_000);
    assert.equal((await resume()).applicationId, 'app_1', 'the newest that is not submitted');
    assert.equal((await resume('usr_2')).applicationId, 'app_3');
    assert.equal(bridge.sessions.length, 3);
    clock.leap(24 * 60 * 60_000);
    assert.equal((await resume()).applicationId, 'app_4', 'a new one when the addresses have ended');
    assert.equal((await resume('usr_3')).applicationId, 'app_5', 'or when there is none');
  });

  const bodies: [what: string, body: unknown, expected: string][] = [
    ['no body', '', '400 empty_body'],
    ['not JSON', '{', '400 malformed_json'],
    ['a list', [], '400 invalid_request'],
    ['nothing in it', {}, '400 invalid_request'],
    ['another reason', { reason: 'again', returnState }, '400 invalid_request'],
    ['a short returnState', { reason: 'open', returnState: 'short' }, '400 invalid_request'],
    ['a returnState with a slash', { reason: 'open', returnState: `${returnState}/` }, '400 invalid_request'],
    ['a number as id', { reason: 'open', returnState, applicationId: 1 }, '400 invalid_request'],
    ['a long id', { reason: 'open', returnState, applicationId: 'x'.repeat(201) }, '400 invalid_request'],
    ['too much', { reason: 'open', returnState, more: 'x'.repeat(5_000) }, '413 body_too_large'],
  ];
  for (const [what, body, expected] of bodies) {
    test(`refuses ${what}: ${expected}`, async (t) => {
      const { postSession, bridge } = partner(t);
      assert.equal(await refusal(await postSession(body)), expected);
      assert.equal(bridge.sessions.length, 0);
    });
  }

  const outages = ['unreachable', 'unavailable', 'timeout', 'rate_limited'] as const;
  for (const code of outages) {
    test(`says that the bridge cannot be reached: ${code}`, async (t) => {
      const { postSession, bridge } = partner(t);
      bridge.fail(code);
      const answer = await postSession();
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.equal(await refusal(answer), '503 bridge_unavailable');
    });
  }

  for (const code of ['credentials_refused', 'unreadable', 'not_found'] as const) {
    test(`says that the bridge refused: ${code}`, async (t) => {
      const { postSession, bridge, entries } = partner(t);
      bridge.fail(code);
      assert.equal(await refusal(await postSession()), '502 bridge_refused');
      assert.ok(entries.some((entry) => entry.event === 'bridge.failed' && entry.code === code));
    });
  }

  test("tells the log, not the browser, what is wrong in the partner's own functions", async (t) => {
    for (const broken of [
      { identify: () => Promise.reject(new Error('the database password is hunter2; SSN 900-11-0001')) },
      { identify: () => ({ userId: '' }) },
      { session: () => ({ applicationType: 'new', licenseType: 'life', states: [], returnUrl: '/done' }) },
    ] satisfies Partial<LicensingHandlerOptions>[]) {
      const { postSession, entries } = partner(t, broken);
      const answer = await postSession();
      const text = await answer.clone().text();
      assert.equal(await refusal(answer), '500 internal');
      assert.doesNotMatch(text, /hunter2|900-11/);
      const failed = entries.filter(({ event }) => event === 'handler.failed');
      assert.equal(failed.length, 1);
      assert.doesNotMatch(inspect(failed), /900-11/);
    }
  });
});
