import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CreateSessionRequest, Session } from '../../../src/contract/index.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { findPaymentReturn } from '../../../src/bridge/domain/payments/payment.js';
import { revokeLinks } from '../../../src/bridge/domain/sessions/revoke-links.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor, signAndPay, typed } from '../apply/support/visitor.js';
import { untilBlocked } from '../blocked.js';
import { day, minute, returnUrl, useRenewals } from './support/renewals.js';

const renewals = useRenewals();
const { begin, pass, read } = renewals;

suite('a user whose application is unfinished', () => {
  for (const [when, ms] of [
    ['in the last minutes of the link before', day - 5 * minute],
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
      amountCents: 100,
      status: 'authorized',
      cardLast4: '4242',
      reference: null,
    } as const;
    await renewals.service.context.db
      .insertInto('payment')
      .values({ ...paid, applicationId: first.applicationId, createdAt: now, updatedAt: now })
      .execute();
    await again({ paymentMethod: 'partner_billing' });
    assert.equal((await read(first)).progress.count, 6);
  });
});

test('Concurrent sessions of a user without an application have the same application.', async () => {
  for (const headers of [{}, { own: 'key' }]) {
    const userId = `usr_at_once_${Object.keys(headers).length}`;
    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(userId, 'own' in headers ? `key-at-once-${index}` : undefined)),
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
  ['submitted', { step: 'submitted', submittedAt: new Date() }],
  ['erased', { erasedAt: new Date() }],
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
    const { sessionId } = await db
      .selectFrom('application')
      .select('sessionId')
      .where('id', '=', applicationId)
      .executeTakeFirstOrThrow();
    assert.equal(sessionId, first.sessionId);
  });
}

suite('the previous link of a renewed session', () => {
  test('The previous link works until its own expiry, and leads back to its own return URL.', async () => {
    const { first, again } = await begin();
    await pass(day - minute);
    const second = await again();
    const saved = await createVisitor().post(`${first.applicationUrl}/identity`, typed.identity);
    assert.equal(saved.status, 200);
    assert.match(saved.url, /\/background/);
    assert.equal((await read(first)).progress.step, 'background');
    const leaving = await createVisitor().post(`${first.applicationUrl}/profile/names`, { leave: '1' });
    assert.match(leaving.url, /state=once-only.*status=cancelled$/);
    await pass(minute);
    const late = await createVisitor().post(`${first.applicationUrl}/background/criminal`, {});
    assert.match(late.url, /^http:\/\/localhost:5999\/return\?state=once-only.*status=expired$/);
    const next = { use: 'keep', ssnLastFour: '0004' };
    assert.match((await createVisitor().post(`${second.applicationUrl}/identity`, next)).url, /background/);
  });
});

suite('the check of a page that continues with another link', () => {
  const ask = async (to: Session, from: Session, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ from: from.applicationUrl.split('/').at(-1) ?? '' });
    const answer = await fetch(`${to.applicationUrl}/renewal`, { method: 'POST', body, headers });
    return { status: answer.status, body: await answer.text() };
  };

  test('The check of another link returns its expiry, even after the previous link has expired.', async () => {
    const { first, again } = await begin();
    await pass(day - minute);
    const second = await again();
    for (const ms of [0, 2 * minute]) {
      await pass(ms);
      const { status, body } = await ask(second, first);
      assert.equal(status, 200);
      const expected = {
        now: new Date(renewals.now()).toISOString(),
        expiresAt: second.expiresAt,
        warningMs: 5 * minute,
      };
      assert.deepEqual(JSON.parse(body), expected);
    }
  });

  test('The check refuses a link of another application, an expired one and another return URL.', async () => {
    const { first, again } = await begin();
    const { first: other } = await begin();
    assert.equal((await ask(other, first)).body, 'null');
    const unknown = { ...other, applicationUrl: `${renewals.service.applyUrl}/s/${'x'.repeat(43)}` };
    assert.equal((await ask(unknown, first)).body, 'null');
    await pass(day);
    const second = await again();
    assert.equal((await ask(first, second)).body, 'null');
    await pass(day);
    const elsewhere = await again({ returnUrl: 'https://elsewhere.example/done' });
    assert.equal((await ask(elsewhere, second)).body, 'null');
    assert.notEqual((await ask(elsewhere, elsewhere)).body, 'null');
  });

  test('The check refuses other sites.', async () => {
    const { first } = await begin();
    assert.equal((await ask(first, first, { origin: 'https://attacker.example' })).status, 403);
  });
});

suite('an application whose links an operator revokes', () => {
  const revoke = ({ applicationId }: Session) =>
    revokeLinks(renewals.service.context, { applicationId, actor: 'cli:tester', reason: 'The link was stolen.' });
  /** The heading of the page of a link, or the status with which it leads back to the partner. */
  const see = async ({ applicationUrl }: Session) => {
    const { heading, url } = await createVisitor().get(applicationUrl);
    return heading === '' ? /status=\w+$/.exec(url)?.[0] : heading;
  };
  const saved = 'Your Social Security number';
  const ended = 'status=expired';

  test('Its newest and its earlier links end at once, and a new session continues where the user was.', async () => {
    const { first, again } = await begin();
    const second = await again();
    assert.deepEqual([await see(first), await see(second)], [saved, saved]);
    await revoke(second);
    assert.deepEqual([await see(first), await see(second)], [ended, ended]);
    assert.notEqual((await read(second)).sessionId, second.sessionId, 'the partner sees that another session followed');
    const third = await again();
    assert.equal(third.applicationId, first.applicationId);
    assert.deepEqual([await see(third), await see(second)], [saved, ended]);
  });

  test('Its receipt ends, too; the receipt of an expired link stays.', async () => {
    const { first } = await begin();
    await placeAt(renewals.service, first, 'receipt');
    await pass(2 * day);
    assert.equal(await see(first), 'Application submitted');
    await revoke(first);
    assert.equal(await see(first), ended);
  });

  test('An open request of a state has another link, and the link of an answered one leads nowhere.', async () => {
    const { context } = renewals.service;
    const { first } = await begin();
    await placeAt(renewals.service, first, 'receipt');
    const { applicationId } = first;
    const ask = async (state: 'TX' | 'CA') => {
      await decideState(context, { applicationId, state, status: 'requires_action', reason: 'Send it' });
      return actionUrlOf(state);
    };
    const actionUrlOf = async (state: string) =>
      (await read(first)).states.find((each) => each.state === state)?.actionUrl ?? '';
    const [answered, open] = [await ask('TX'), await ask('CA')];
    await createVisitor().get(answered);
    await createVisitor().post(answered, { answer: 'Here it is', confirm: 'yes' });
    const statusOf = async (url: string) => (await createVisitor().get(url)).status;
    assert.deepEqual([await statusOf(answered), await statusOf(open)], [200, 200]);
    await revoke(first);
    assert.deepEqual([await statusOf(answered), await statusOf(open)], [404, 404]);
    const renewed = await actionUrlOf('CA');
    assert.notEqual(renewed, open);
    assert.equal(await statusOf(renewed), 200);
    await revoke(first);
    assert.equal(await statusOf(renewed), 404);
    const again = await ask('TX');
    assert.equal(await statusOf(again), 200);
  });

  test('The return from a payment page does not lead to a link that follows.', async () => {
    const { context } = renewals.service;
    const { first } = await begin();
    await placeAt(renewals.service, first, 'receipt');
    const { id } = await context.db
      .selectFrom('payment')
      .select('id')
      .where('applicationId', '=', first.applicationId)
      .executeTakeFirstOrThrow();
    const token = context.links.paymentReturnUrl('test', id).split('/').at(-1) ?? '';
    assert.notEqual(await findPaymentReturn(context, id, token), undefined);
    // It began at an instance whose clock is ahead.
    const createdAt = new Date(context.clock().getTime() + 5_000);
    await context.db.updateTable('payment').set({ createdAt }).where('id', '=', id).execute();
    await revoke(first);
    assert.equal(await findPaymentReturn(context, id, token), undefined);
  });

  test('Links of other applications stay.', async () => {
    const [{ first }, { first: other }] = [await begin(), await begin()];
    await revoke(first);
    assert.equal(await see(other), saved);
  });

  test('An unknown id is reported, and changes nothing.', async () => {
    const unknown = { applicationId: 'app_unknown', actor: 'cli:tester', reason: '' } as const;
    assert.equal(await revokeLinks(renewals.service.context, unknown), undefined);
  });
});

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

async function create(userId: string, key: string | undefined): Promise<Session> {
  const body = { userId, applicationType: 'new', licenseType: 'life_health', states: ['TX', 'CA'], returnUrl };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await renewals.service.call('POST', '/v1/applications/sessions', { body, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
