import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CreateSessionRequest, Session } from '../../../src/contract/index.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor, signAndPay } from '../apply/support/visitor.js';
import { untilBlocked } from '../blocked.js';
import { day, minute, returnUrl, useRenewals } from './support/renewals.js';

const renewals = useRenewals();
const { begin, pass, read } = renewals;

suite('a user whose application is unfinished', () => {
  for (const [when, ms] of [
    ['a minute later', minute],
    ['in the last minutes of the link before', day - 5 * minute],
    ['once the link before has ended', day],
    ['months later', 200 * day],
  ] as const) {
    test(`A user resumes an unfinished application with a session that is created ${when}.`, async () => {
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
      const page = await createVisitor().get(second.applicationUrl);
      assert.equal(page.heading, 'Your Social Security number', 'the user continues at the saved step');
    });
  }

  test('A user resumes an unfinished application even if its link was never opened.', async () => {
    const userId = 'usr_unopened';
    const first = await renewals.service.createSession({ userId });
    assert.equal((await renewals.service.createSession({ userId })).applicationId, first.applicationId);
  });

  test('A user resumes an unfinished application with the states in another order.', async () => {
    const { first, again } = await begin();
    assert.equal((await again({ states: ['CA', 'TX'] })).applicationId, first.applicationId);
  });

  test('A user can resume an unfinished application any number of times.', async () => {
    const { first, again } = await begin();
    for (let days = 0; days < 3; days += 1) {
      await pass(day);
      assert.equal((await again()).applicationId, first.applicationId);
    }
  });

  const others: [what: string, request: Partial<CreateSessionRequest>][] = [
    ['other states', { states: ['TX'] }],
    ['more states', { states: ['TX', 'CA', 'NY'] }],
    ['another type', { applicationType: 'renewal' }],
    ['another license', { licenseType: 'property' }],
    ['another user', { userId: 'usr_somebody_else' }],
  ];
  for (const [what, request] of others) {
    test(`A user gets another application for ${what}.`, async () => {
      const { first, again } = await begin();
      assert.notEqual((await again(request)).applicationId, first.applicationId);
    });
  }

  test('A user gets another application after the submission.', async () => {
    const userId = 'usr_submitted';
    const first = await renewals.service.createSession({ userId });
    await placeAt(renewals.service, first, 'receipt');
    const second = await renewals.service.createSession({ userId });
    assert.notEqual(second.applicationId, first.applicationId);
    assert.equal((await renewals.service.createSession({ userId })).applicationId, second.applicationId);
  });

  test('A user gets another application in the other mode, and from another agency.', async () => {
    const userId = 'usr_mode';
    const live = { userId, returnUrl: 'https://partner.example/done', paymentMethod: 'partner_billing' } as const;
    const first = await renewals.service.createSession(live);
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
});

suite('the payment method of a resumed application', () => {
  test('The newest session decides who pays, also for a user on the payment page.', async () => {
    const { first, again } = await begin();
    await placeAt(renewals.service, first, 'payment');
    const second = await again({ paymentMethod: 'partner_billing' });
    assert.equal(second.applicationId, first.applicationId);
    assert.deepEqual((await read(first)).progress, { step: 'review', index: 5, count: 5 });
    assert.match((await createVisitor().get(first.applicationUrl)).html, /Billed to Example Agency/);
    await again({ paymentMethod: 'user_pays' });
    const page = await createVisitor().get(first.applicationUrl);
    assert.equal(page.heading, 'Check your answers and sign', 'the signature named another payer');
    assert.equal((await signAndPay(createVisitor(), first.applicationUrl)).heading, 'Application submitted');
  });

  test('A user who has paid stays the payer.', async () => {
    const { first, again } = await begin();
    await placeAt(renewals.service, first, 'payment');
    const now = new Date();
    const paid = {
      id: 'pay_resumed',
      amount_cents: 100,
      status: 'accepted',
      card_last4: '4242',
      reference: null,
    } as const;
    await renewals.service.context.db
      .insertInto('payment')
      .values({ ...paid, application_id: first.applicationId, created_at: now, updated_at: now })
      .execute();
    await again({ paymentMethod: 'partner_billing' });
    assert.equal((await read(first)).progress.count, 6);
  });
});

suite('concurrent sessions', () => {
  test('Concurrent sessions of a user without an application have the same application.', async () => {
    for (const headers of [{}, { own: 'key' }]) {
      const userId = `usr_at_once_${String(Object.keys(headers).length)}`;
      const sessions = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          create(userId, 'own' in headers ? `key-at-once-${String(index)}` : undefined),
        ),
      );
      assert.equal(new Set(sessions.map(({ applicationId }) => applicationId)).size, 1);
      assert.equal(new Set(sessions.map(({ applicationUrl }) => applicationUrl)).size, 20);
      for (const { applicationUrl } of sessions) {
        assert.equal((await createVisitor().get(`${applicationUrl}/profile`)).status, 200);
      }
      const { sessionId } = await read(sessions[0] as Session);
      assert.ok(sessions.some((session) => session.sessionId === sessionId));
    }
  });

  for (const [what, change] of [
    ['submitted', { step: 'submitted', submitted_at: new Date() }],
    ['erased', { erased_at: new Date() }],
  ] as const) {
    test(`A session that is created just before its application is ${what} starts another one.`, async () => {
      const { first, again } = await begin();
      const { db } = renewals.service.context;
      const trx = await db.startTransaction().execute();
      const { applicationId } = first;
      await trx.selectFrom('application').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
      const second = again();
      await untilBlocked(db);
      await trx.updateTable('application').set(change).where('id', '=', applicationId).execute();
      await trx.commit().execute();
      assert.notEqual((await second).applicationId, applicationId);
      const { session_id } = await db
        .selectFrom('application')
        .select('session_id')
        .where('id', '=', applicationId)
        .executeTakeFirstOrThrow();
      assert.equal(session_id, first.sessionId);
    });
  }
});

suite('an Idempotency-Key', () => {
  test('An Idempotency-Key returns its own session, before and after the application is resumed.', async () => {
    const first = await create('usr_key', 'key-first');
    await placeAt(renewals.service, first, 'identity');
    const seconds = await Promise.all(Array.from({ length: 10 }, () => create('usr_key', 'key-second')));
    const [second] = seconds as [Session];
    for (const each of seconds) assert.deepEqual(each, second);
    assert.equal(second.applicationId, first.applicationId);
    assert.notEqual(second.sessionId, first.sessionId);
    assert.deepEqual(await create('usr_key', 'key-first'), first);
    assert.deepEqual(await create('usr_key', 'key-second'), second);
  });

  test('An Idempotency-Key of the previous version returns the newest session.', async () => {
    const first = await create('usr_key_old', 'key-old');
    await renewals.service.context.db
      .updateTable('idempotency_key')
      .set({ session_id: null })
      .where('key', '=', 'key-old')
      .execute();
    assert.deepEqual(await create('usr_key_old', 'key-old'), first);
  });
});

async function create(userId: string, key: string | undefined): Promise<Session> {
  const body = { userId, applicationType: 'new', licenseType: 'life_health', states: ['TX', 'CA'], returnUrl };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await renewals.service.call('POST', '/v1/applications/sessions', { body, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
