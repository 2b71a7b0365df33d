import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CreateSessionRequest, Session } from '../../../src/contract/index.js';
import { login } from '../../../src/bridge/domain/account/login.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { day, minute, returnUrl, useRenewals } from './support/renewals.js';

const renewals = useRenewals();
const { begin, pass, read } = renewals;

suite('a session that ends', () => {
  for (const [when, ms] of [
    ['in its last minutes', day - 5 * minute],
    ['once it has ended', day],
    ['weeks later', 80 * day],
  ] as const) {
    test(`is followed by another one of the same application, ${when}`, async () => {
      const { first, again } = await begin();
      await pass(ms);
      const second = await again();
      assert.equal(second.applicationId, first.applicationId);
      assert.notEqual(second.sessionId, first.sessionId);
      assert.notEqual(second.applicationUrl, first.applicationUrl);
      assert.equal(second.expiresAt, new Date(renewals.now() + day).toISOString());
      assert.deepEqual(second.estimatedFees, first.estimatedFees);
      const { sessionId, progress } = await read(first);
      assert.deepEqual({ sessionId, step: progress.step }, { sessionId: second.sessionId, step: 'identity' });
      const page = await createVisitor().get(`${second.applicationUrl}/identity`);
      assert.equal(page.heading, 'Your Social Security number', 'the user goes on at the saved step');
    });
  }

  test('may be asked for with the states in another order', async () => {
    const { first, again } = await begin();
    await pass(day);
    assert.equal((await again({ states: ['CA', 'TX'] })).applicationId, first.applicationId);
  });

  const others: [what: string, request: Partial<CreateSessionRequest>, ms: number][] = [
    ['long before the end', {}, day - 7 * minute],
    ['after more than 90 days', {}, 92 * day],
    ['of other states', { states: ['TX'] }, day],
    ['of more states', { states: ['TX', 'CA', 'NY'] }, day],
    ['of another type', { applicationType: 'renewal' }, day],
    ['of another license', { licenseType: 'property' }, day],
    ['that somebody else pays', { paymentMethod: 'partner_billing' }, day],
    ['of another user', { userId: 'usr_somebody_else' }, day],
  ];
  for (const [what, request, ms] of others) {
    test(`is followed by another application: ${what}`, async () => {
      const { first, again } = await begin();
      await pass(ms);
      assert.notEqual((await again(request)).applicationId, first.applicationId);
    });
  }

  test('is followed by another application when the user never opened it, or has submitted it', async () => {
    const unopened = await renewals.service.createSession({ userId: 'usr_unopened' });
    const submitted = await renewals.service.createSession({ userId: 'usr_submitted' });
    await walkTo(createVisitor(), submitted, 'receipt');
    await pass(day);
    for (const [userId, first] of [
      ['usr_unopened', unopened],
      ['usr_submitted', submitted],
    ] as const) {
      const second = await renewals.service.createSession({ userId });
      assert.notEqual(second.applicationId, first.applicationId);
    }
  });

  test('is followed by another application when one of the same kind was submitted since', async () => {
    const { first, again } = await begin();
    await pass(minute);
    const second = await again();
    assert.notEqual(second.applicationId, first.applicationId);
    await walkTo(createVisitor(), second, 'receipt');
    await pass(day);
    const third = await again();
    assert.ok(![first.applicationId, second.applicationId].includes(third.applicationId));
  });

  test('is followed by another application in the other mode, and for another agency', async () => {
    const userId = 'usr_mode';
    const live = { userId, returnUrl: 'https://partner.example/done' };
    const first = await renewals.service.createSession(live);
    await walkTo(createVisitor(), first, 'identity');
    await pass(day);
    const other = await renewals.service.addAgency();
    const { clientId, liveClientSecret: clientSecret } = renewals.service.credential;
    const { accessToken } = await login(renewals.service.context, { clientId, clientSecret }, 'test');
    for (const token of [accessToken, other.tokens.test]) {
      const body = { applicationType: 'new', licenseType: 'life_health', states: ['TX', 'CA'], ...live };
      const answer = await renewals.service.call('POST', '/v1/applications/sessions', { body, token });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.notEqual(answer.body.applicationId, first.applicationId);
    }
    assert.equal((await renewals.service.createSession(live)).applicationId, first.applicationId);
  });

  test('goes on with what the user has started, not with what was only asked for since', async () => {
    const { first, again } = await begin();
    await pass(minute);
    const unopened = await again();
    assert.notEqual(unopened.applicationId, first.applicationId);
    await pass(day);
    assert.equal((await again()).applicationId, first.applicationId);
  });
});

suite('several renewals', () => {
  test('twenty at once all get a working link of the same application', async () => {
    const { first, again } = await begin();
    await pass(day);
    const sessions = await Promise.all(Array.from({ length: 20 }, () => again()));
    assert.deepEqual(new Set(sessions.map(({ applicationId }) => applicationId)), new Set([first.applicationId]));
    assert.equal(new Set(sessions.map(({ applicationUrl }) => applicationUrl)).size, 20);
    for (const { applicationUrl } of sessions) {
      assert.equal((await createVisitor().get(`${applicationUrl}/identity`)).status, 200);
    }
    const { sessionId } = await read(first);
    assert.ok(sessions.some((session) => session.sessionId === sessionId));
  });

  test('a second tab that asks a minute later is given the same application', async () => {
    const { first, again } = await begin();
    await pass(day - 3 * minute);
    await again();
    await pass(minute);
    assert.equal((await again()).applicationId, first.applicationId);
    await pass(7 * minute);
    assert.notEqual((await again()).applicationId, first.applicationId, 'but not one that asks much later');
  });

  test('follow each other', async () => {
    const { first, again } = await begin();
    for (let days = 0; days < 3; days += 1) {
      await pass(day);
      assert.equal((await again()).applicationId, first.applicationId);
    }
  });

  test('one and a submission at the same time: either is whole', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      const { first, again } = await begin();
      await walkTo(createVisitor(), first, 'review');
      await pass(day - minute);
      const [second, sent] = await Promise.all([
        again(),
        createVisitor().post(`${first.applicationUrl}/review`, typed.review),
      ]);
      assert.equal(sent.heading, 'Application submitted', sent.title);
      const { progress, sessionId } = await read(first);
      assert.equal(progress.step, 'submitted');
      const isRenewed = second.applicationId === first.applicationId;
      assert.equal(sessionId, isRenewed ? second.sessionId : first.sessionId);
      assert.equal((await createVisitor().get(second.applicationUrl)).status, 200);
    }
  });
});

suite('an Idempotency-Key', () => {
  const create = async (userId: string, key: string) => {
    const body = { userId, applicationType: 'new', licenseType: 'life_health', states: ['TX', 'CA'], returnUrl };
    const headers = { 'idempotency-key': key };
    const answer = await renewals.service.call('POST', '/v1/applications/sessions', { body, headers });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as Session;
  };

  test('stands for its own session, before and after a renewal', async () => {
    const first = await create('usr_key', 'key-first');
    await walkTo(createVisitor(), first, 'identity');
    await pass(day - minute);
    const seconds = await Promise.all(Array.from({ length: 10 }, () => create('usr_key', 'key-second')));
    const [second] = seconds as [Session];
    for (const each of seconds) assert.deepEqual(each, second);
    assert.equal(second.applicationId, first.applicationId);
    assert.notEqual(second.sessionId, first.sessionId);
    assert.deepEqual(await create('usr_key', 'key-first'), first);
    assert.deepEqual(await create('usr_key', 'key-second'), second);
  });

  test('of the version before stands for the newest session', async () => {
    const first = await create('usr_key_old', 'key-old');
    await renewals.service.context.db
      .updateTable('idempotency_key')
      .set({ session_id: null })
      .where('key', '=', 'key-old')
      .execute();
    assert.deepEqual(await create('usr_key_old', 'key-old'), first);
  });
});

test('two quick calls with a short life of links are two applications', async () => {
  let now = Date.now();
  const short = await startApplyService({ clock: () => new Date(now), environment: { BRIDGE_SESSION_TTL: '8' } });
  try {
    const first = await short.createSession({ userId: 'usr_short' });
    await walkTo(createVisitor(), first, 'identity');
    now += 5_999;
    assert.notEqual((await short.createSession({ userId: 'usr_short' })).applicationId, first.applicationId);
    now += 1;
    assert.equal((await short.createSession({ userId: 'usr_short' })).applicationId, first.applicationId);
  } finally {
    await short.stop();
  }
});
