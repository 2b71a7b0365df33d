import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { reuseSsn, saveTypedSsn } from '../../../src/bridge/domain/applications/identity.js';
import { type ApplySession, findSession, type SavedStep } from '../../../src/bridge/domain/applications/session.js';
import { openStep, signApplication, submitIfComplete } from '../../../src/bridge/domain/applications/submission.js';
import {
  cancelAtProcessor,
  findPaymentReturn,
  payFees,
  returnFromProcessor,
} from '../../../src/bridge/domain/payments/payment.js';
import { feesOfSession } from '../../../src/bridge/domain/payments/session-fees.js';
import { lookUpPayment, recordOutcome } from '../../../src/bridge/domain/payments/settle.js';
import type { PaymentRow } from '../../../src/bridge/store/payments/payment-store.js';
import { readReviewed, reviewForm } from '../../../src/bridge/domain/applications/committing-forms.js';
import { paymentForm } from '../../../src/bridge/domain/payments/committing-forms.js';
import { shownToken } from '../../../src/bridge/domain/shown/shown.js';
import { typed } from '../apply/support/visitor.js';
import { authorized, declined, type PaymentDesk, redirected, startPaymentDesk } from './payment-desk.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const signature = { signedName: 'Ana Rivera', language: 'en', address: '', userAgent: '' } as const;

describe('the payment of an application', () => {
  let desk: PaymentDesk;
  before(async () => {
    desk = await startPaymentDesk();
  });
  beforeEach(() => {
    desk.reset();
  });
  after(() => desk.stop());

  /** An application whose user is on the page of the processor. */
  async function redirect(...options: Parameters<PaymentDesk['arrive']>) {
    const session = await desk.arrive(...options);
    desk.answers.authorize = redirected;
    equal((await session.pay())?.status, 'redirect');
    const [payment] = await desk.rowsOf(session.applicationId);
    ok(payment);
    return { ...session, payment, paymentId: payment.id };
  }
  const sign = async (token: string) => {
    const session = await findSession(desk.context, token);
    const shown = session
      ? shownToken(desk.context, reviewForm, await readReviewed(desk.context.db, session, 'en'))
      : '';
    return signApplication(desk.context, token, { ...signature, attested: typed.review.attest, shown });
  };
  const openPhase = async (token: string) => (await findSession(desk.context, token))?.phase;

  it('The fees are those of the home state and the lines in the profile, and after the submission those that were stored.', async () => {
    const { token } = await desk.arrive();
    const session = await findSession(desk.context, token);
    ok(session);
    const application = { ...session.application, states: ['AR' as const] };
    const livingIn = (homeState: StateCode) => {
      const pages = { ...session.profile.pages, residency: { homeState, homeLicense: 'active' } };
      return { ...session, application, profile: { ...session.profile, pages } };
    };
    const [resident, other] = [feesOfSession(livingIn('AR')), feesOfSession(livingIn('TX'))];
    deepEqual([resident.lines[0]?.stateFeeCents, other.lines[0]?.stateFeeCents], [1_500, 7_000]);
    const feeLines = other.lines;
    deepEqual(feesOfSession({ ...livingIn('AR'), application: { ...application, feeLines } }), {
      lines: feeLines,
      totalCents: other.totalCents,
    });
  });

  it('A payment is written before the processor is asked, with a job that looks it up after a minute.', async () => {
    const { applicationId, pay } = await desk.arrive();
    desk.answers.authorize = new Error('the line went dead');
    const before = desk.calls.length;
    deepEqual(await pay(), { status: 'pending', method: 'card' });
    const [row, ...others] = await desk.rowsOf(applicationId);
    ok(row && others.length === 0);
    deepEqual(
      [row.status, row.amountCents, row.method, row.cardLast4, row.reference, row.authorizedAt],
      ['pending', 5_560, 'card', '4242', null, null],
    );
    deepEqual(desk.jobsOf(row.id), [['settle', 60]]);
    const { context } = desk;
    const returnPage = context.links.paymentReturnUrl('test', row.id);
    const [returnUrl, cancelUrl] = [`${returnPage}?lang=es`, `${returnPage}/cancel?lang=es`];
    const { request } = desk.calls[before] ?? {};
    ok(request !== null && typeof request === 'object' && 'description' in request && 'source' in request);
    const { description: _, source: __, ...rest } = request;
    const paying = { amountCents: 5_560, mode: 'test', method: 'card', language: 'es' };
    deepEqual(rest, { ...paying, paymentId: row.id, returnUrl, cancelUrl });
    // The second attempt waits for the first.
    deepEqual(await pay(), { status: 'pending', method: 'card' });
    equal(desk.calls.length, before + 1);
  });

  it('Nothing is charged without a processor, without a signature, or for an application that was submitted.', async () => {
    const { token, applicationId, pay } = await desk.arrive();
    const paying = { method: 'card', source: { kind: 'page' }, shown: '', address: '192.0.2.1' } as const;
    const none = { ...desk.context, processorFor: () => undefined };
    deepEqual(await payFees(none, token, paying, 'en'), { status: 'unavailable' });
    await saveTypedSsn(desk.context, token, '234567892');
    deepEqual(await pay(), { status: 'unsigned' });
    deepEqual(await desk.rowsOf(applicationId), []);
    await sign(token);
    desk.answers.authorize = authorized;
    deepEqual(await pay(), { status: 'submitted' });
    equal(await pay(), undefined);
    equal((await desk.rowsOf(applicationId)).length, 1);
  });

  it('An answer that was changed while the user was on the page of the processor requires another signature.', async () => {
    const { token, applicationId, read, paymentId } = await redirect();
    await saveTypedSsn(desk.context, token, '234567892');
    deepEqual(await read(), { status: 'unsigned' });
    deepEqual(await read(), { status: 'unsigned' });
    await recordOutcome(desk.context, paymentId, authorized);
    equal((await desk.rowOf(paymentId)).status, 'authorized');
    equal((await desk.applicationOf(applicationId)).submittedAt, null);
    // The money is reserved: it is released after six days, unless the user signs again.
    deepEqual(desk.jobsOf(paymentId), [
      ['settle', 60],
      ['release', 518_400],
    ]);
    deepEqual(await sign(token), { status: 'submitted' });
    ok((await desk.applicationOf(applicationId)).submittedAt);
    equal((await desk.rowsOf(applicationId)).length, 1);
  });

  it('A payment that was authorized before the application was complete is used for it, and not repeated.', async () => {
    for (const how of ['pay', 'read'] as const) {
      const session = await desk.arrive();
      const id = await desk.insert(session.applicationId);
      const before = desk.calls.length;
      equal((await session[how]())?.status, 'submitted', how);
      equal(desk.calls.length, before);
      deepEqual(desk.jobsOf(id), [['capture', 0]]);
      const application = await desk.applicationOf(session.applicationId);
      ok(application.receiptNumber && application.feeLines);
      equal(application.step, 'submitted');
      // The page of a second tab.
      deepEqual((await session[how]())?.status, how === 'pay' ? undefined : 'submitted');
    }
  });

  it('A submission sends its event to the partner and to each state, and remembers the user for the next application.', async () => {
    const { applicationId, token, pay } = await desk.arrive('payment', {
      states: ['TX', 'CA'],
      webhookUrl: 'http://127.0.0.1:9/hooks',
    });
    const before = desk.calls.length;
    const results = await Promise.all([pay(), pay(), pay()]);
    ok(results.some((result) => result?.status === 'submitted'));
    equal(desk.calls.length, before + 1);
    const { db } = desk.context;
    const events = await db.selectFrom('webhookEvent').select('type').where('streamId', '=', applicationId).execute();
    deepEqual(
      events.filter(({ type }) => type === 'application.submitted'),
      [{ type: 'application.submitted' }],
    );
    const states = db.selectFrom('applicationState').selectAll().where('applicationId', '=', applicationId);
    deepEqual((await states.execute()).map(({ state, status }) => `${state} ${status}`).sort(), [
      'CA pending_review',
      'TX pending_review',
    ]);
    const { userId, submittedAt } = await desk.applicationOf(applicationId);
    const applicant = await db
      .selectFrom('applicant')
      .selectAll()
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    ok(applicant.ssnEncrypted);
    deepEqual(applicant.answersSubmittedAt, submittedAt);
    const session = await findSession(desk.context, token);
    const [row] = await desk.rowsOf(applicationId);
    deepEqual(session?.saved.payment?.data, { paymentId: row?.id });
  });

  it('A user continues at the first step that is incomplete, and types the SSN first with a new link.', async () => {
    const session = await findSession(desk.context, (await desk.arrive()).token);
    ok(session);
    const { application, check } = session;
    const at = (change: Partial<ApplySession>) => openStep({ ...session, ...change });
    equal(at({}), 'payment');
    for (const step of ['not_started', 'submitted'] as const)
      equal(at({ application: { ...application, step } }), 'profile');
    equal(at({ check: { ...check, passedAt: null } }), 'identity');
    for (const [step, data] of [
      ['profile', { openPages: 1 }],
      ['background', { documentsMissing: 1 }],
      ['background', { wordings: {} }],
      ['disclosures', { wordings: {} }],
    ] as const) {
      const saved: SavedStep | undefined = session.saved[step];
      ok(saved);
      const changed: SavedStep = { ...saved, data: { ...saved.data, ...data } };
      equal(at({ saved: { ...session.saved, [step]: changed } }), step, JSON.stringify(data));
      equal(at({ saved: { ...session.saved, [step]: { ...saved, completedAt: null } } }), step);
    }
  });

  it('A payment of another amount is released, and the user pays again after that.', async () => {
    const { applicationId, read, pay } = await desk.arrive();
    const id = await desk.insert(applicationId, { amountCents: 5_559 });
    deepEqual(await pay(), { status: 'pending', method: 'card' });
    deepEqual(await read(), { status: 'pending', method: 'card' });
    deepEqual(desk.jobsOf(id), [['void', 0]]);
    equal((await desk.rowOf(id)).status, 'voiding');
    equal((await desk.applicationOf(applicationId)).submittedAt, null);
  });

  it('The signature submits a paid application, and releases a payment of another amount.', async () => {
    for (const [amountCents, status, job] of [
      [5_560, 'submitted', 'capture'],
      [5_561, 'signed', 'void'],
    ] as const) {
      const { applicationId, token } = await desk.arrive('review');
      const id = await desk.insert(applicationId, { amountCents });
      deepEqual(await sign(token), { status });
      deepEqual(desk.jobsOf(id), [[job, 0]]);
    }
    const { applicationId, token } = await desk.arrive('review');
    const id = await desk.insert(applicationId, { status: 'pending' });
    deepEqual(await sign(token), { status: 'signed' });
    deepEqual([(await desk.rowOf(id)).status, desk.jobsOf(id)], ['pending', []]);
    // Of several clicks, one submits.
    const billed = await desk.arrive('review', { paymentMethod: 'partner_billing' });
    const results = await Promise.all([sign(billed.token), sign(billed.token), sign(billed.token)]);
    deepEqual(
      results.filter((result) => result !== undefined),
      [{ status: 'submitted' }],
    );
  });

  it('A signature of an incomplete application leads to the first incomplete step.', async () => {
    const { applicationId, token } = await desk.arrive('review');
    await desk.context.db
      .updateTable('applicationStep')
      .set({ completedAt: null })
      .where('applicationId', '=', applicationId)
      .where('step', 'in', ['identity', 'disclosures'])
      .execute();
    deepEqual(await sign(token), { status: 'incomplete', step: 'identity' });
    equal((await desk.applicationOf(applicationId)).step, 'review');
  });

  it('The payment of a live application is not captured with its submission.', async () => {
    const { applicationId, pay } = await desk.arrive('payment', { returnUrl: 'https://a.example/' }, { mode: 'live' });
    deepEqual(await pay(), { status: 'submitted' });
    const [row] = await desk.rowsOf(applicationId);
    deepEqual(desk.jobsOf(row?.id ?? ''), [['settle', 60]]);
  });

  it('A late result does not submit an application that was erased.', async () => {
    const { applicationId, paymentId } = await redirect();
    const { db } = desk.context;
    await db.updateTable('application').set({ erasedAt: desk.now() }).where('id', '=', applicationId).execute();
    await recordOutcome(desk.context, paymentId, authorized);
    equal((await desk.applicationOf(applicationId)).submittedAt, null);
    deepEqual(desk.jobsOf(paymentId).at(-1), ['release', 518_400]);
  });

  it('A late result submits an application whose link has expired, and releases the money when its agency was deactivated.', async () => {
    const late = await redirect();
    desk.wait(2 * day);
    equal(await openPhase(late.token), 'expired');
    await recordOutcome(desk.context, late.paymentId, authorized);
    equal(await openPhase(late.token), 'submitted');
    desk.reset();

    const stopped = await redirect();
    const agency = (deactivatedAt: Date | null) =>
      desk.context.db.updateTable('agency').set({ deactivatedAt }).execute();
    await agency(desk.now());
    await recordOutcome(desk.context, stopped.paymentId, authorized);
    await agency(null);
    deepEqual(desk.jobsOf(stopped.paymentId), [
      ['settle', 60],
      ['void', 0],
    ]);
    equal((await desk.applicationOf(stopped.applicationId)).submittedAt, null);
  });

  it('A result counts once: its audit entry, its release and its capture are not repeated.', async () => {
    const { paymentId } = await redirect();
    await recordOutcome(desk.context, paymentId, { status: 'authorized', reference: 'ch_1', cardLast4: '1881' });
    const [row, jobs] = [await desk.rowOf(paymentId), desk.jobsOf(paymentId)];
    deepEqual([row.status, row.reference, row.cardLast4, row.declineReason], ['capturing', 'ch_1', '1881', null]);
    deepEqual(jobs, [
      ['settle', 60],
      ['capture', 0],
    ]);
    for (const outcome of [authorized, declined, redirected, { status: 'pending' } as const]) {
      desk.wait(1);
      await recordOutcome(desk.context, paymentId, outcome);
    }
    deepEqual(await desk.rowOf(paymentId), row);
    deepEqual(desk.jobsOf(paymentId), jobs);
    deepEqual(await desk.auditOf(paymentId), ['payment.authorized done']);
    await recordOutcome(desk.context, 'pay_unknown', authorized);
  });

  it('A payment stays pending while its user is on the page of the processor.', async () => {
    const { paymentId, payment } = await redirect();
    equal(payment.status, 'pending');
    desk.wait(minute);
    await recordOutcome(desk.context, paymentId, redirected);
    deepEqual(await desk.rowOf(paymentId), payment);
    desk.answers.lookUp = { status: 'pending' };
    await lookUpPayment(desk.context, payment);
    deepEqual(await desk.rowOf(paymentId), payment);
  });

  it('A declined payment keeps its reason, and schedules nothing.', async () => {
    const { applicationId, pay } = await desk.arrive();
    desk.answers.authorize = declined;
    deepEqual(await pay(), { status: 'declined', reason: 'card_declined', method: 'card' });
    const [row] = await desk.rowsOf(applicationId);
    ok(row);
    deepEqual(
      [row.status, row.reference, row.declineReason, row.cardLast4, row.authorizedAt],
      ['declined', 'ch_0', 'card_declined', '4242', null],
    );
    deepEqual(desk.jobsOf(row.id), [['settle', 60]]);
    deepEqual(await desk.auditOf(row.id), []);
  });

  it('A user reads why the newest payment was declined, and nothing when it was released.', async () => {
    const { applicationId, read } = await desk.arrive();
    const insert = (ageMs: number, change: Partial<PaymentRow>) =>
      desk.insert(applicationId, { status: 'declined', createdAt: new Date(desk.now().getTime() - ageMs), ...change });
    equal(await read(), undefined);
    await insert(2, { declineReason: 'account_declined', method: 'bankAccount' });
    await insert(3, { declineReason: 'card_declined' });
    deepEqual(await read(), { status: 'declined', reason: 'account_declined', method: 'bankAccount' });
    await insert(1, { status: 'voided' });
    equal(await read(), undefined);
  });

  it('An authorization without a card number keeps the number that the user typed.', async () => {
    const { paymentId } = await redirect();
    await recordOutcome(desk.context, paymentId, { status: 'authorized', reference: 'ch_1', cardLast4: '' });
    equal((await desk.rowOf(paymentId)).cardLast4, '4242');
  });

  it('A payment that is authorized after its application was submitted with the partner as payer is released.', async () => {
    const { applicationId, paymentId } = await redirect();
    await recordOutcome(desk.context, paymentId, declined);
    const submitted = { paymentMethod: 'partner_billing', step: 'submitted', submittedAt: desk.now() } as const;
    await desk.context.db.updateTable('application').set(submitted).where('id', '=', applicationId).execute();
    await recordOutcome(desk.context, paymentId, authorized);
    equal((await desk.rowOf(paymentId)).status, 'voiding');
    deepEqual(desk.jobsOf(paymentId), [
      ['settle', 60],
      ['void', 0],
    ]);
  });

  it('A declined payment is released when it is authorized after another one, and used when there is none.', async () => {
    const first = await redirect();
    await recordOutcome(desk.context, first.paymentId, declined);
    desk.answers.authorize = redirected;
    equal((await first.pay())?.status, 'redirect');
    await recordOutcome(desk.context, first.paymentId, authorized);
    equal((await desk.rowOf(first.paymentId)).status, 'voiding');
    deepEqual(desk.jobsOf(first.paymentId), [
      ['settle', 60],
      ['void', 0],
    ]);

    const only = await redirect();
    await recordOutcome(desk.context, only.paymentId, declined);
    await recordOutcome(desk.context, only.paymentId, authorized);
    const { status, declineReason } = await desk.rowOf(only.paymentId);
    deepEqual([status, declineReason], ['capturing', null]);
    equal(await openPhase(only.token), 'submitted');
  });

  it('A payment that is being released is not settled any more.', async () => {
    const { paymentId, applicationId } = await redirect();
    const { db } = desk.context;
    await db.updateTable('payment').set({ status: 'voiding' }).where('id', '=', paymentId).execute();
    for (const outcome of [declined, authorized]) await recordOutcome(desk.context, paymentId, outcome);
    equal((await desk.rowOf(paymentId)).status, 'voiding');
    equal((await desk.applicationOf(applicationId)).submittedAt, null);
  });

  for (const [found, limitMs] of [
    [{ status: 'unknown' }, minute],
    [redirected, 60 * minute],
  ] as const) {
    it(`A payment that is "${found.status}" at the processor is declined after ${limitMs / minute} minutes, and not before.`, async () => {
      const { payment, paymentId } = await redirect();
      desk.answers.lookUp = found;
      desk.wait(limitMs);
      const kept = await lookUpPayment(desk.context, payment);
      equal(kept.status, found.status === 'unknown' ? 'pending' : 'redirect');
      equal((await desk.rowOf(paymentId)).status, 'pending');
      desk.wait(1);
      equal((await lookUpPayment(desk.context, payment)).status, 'declined');
      const { status, declineReason } = await desk.rowOf(paymentId);
      deepEqual([status, declineReason], ['declined', 'authentication_failed']);
    });
  }

  it('A payment stays pending while no processor serves its mode.', async () => {
    const { payment } = await redirect();
    desk.wait(day);
    const none = { ...desk.context, processorFor: () => undefined };
    deepEqual(await lookUpPayment(none, payment), { status: 'pending' });
  });

  it('The return from the processor works for an hour, with its own token only, and looks up a pending payment only.', async () => {
    const { context } = desk;
    const [one, other] = [await redirect(), await redirect()];
    const tokenOf = (id: string) => context.links.paymentReturnUrl('test', id).split('/').at(-1) ?? '';
    const pageUrl = `${context.settings.applyUrl}/s/${one.token}/payment`;
    desk.wait(60 * minute);
    deepEqual(await findPaymentReturn(context, one.paymentId, tokenOf(one.paymentId)), { pageUrl });
    equal(await findPaymentReturn(context, one.paymentId, tokenOf(other.paymentId)), undefined);
    equal(await findPaymentReturn(context, 'pay_unknown', tokenOf('pay_unknown')), undefined);
    desk.wait(1);
    equal(await findPaymentReturn(context, one.paymentId, tokenOf(one.paymentId)), undefined);

    desk.answers.lookUp = declined;
    const before = desk.calls.length;
    for (const id of [one.paymentId, one.paymentId, 'pay_unknown']) await returnFromProcessor(context, id);
    const request = { paymentId: one.paymentId, mode: 'test', reference: null };
    deepEqual(desk.calls.slice(before), [{ name: 'lookUp', request }]);
  });

  it('The reference of the processor is kept while the user is on its page, and is passed to every later call.', async () => {
    const { pay, applicationId } = await desk.arrive();
    desk.answers.authorize = { ...redirected, reference: 'page_1' };
    await pay();
    const [payment] = await desk.rowsOf(applicationId);
    ok(payment);
    equal(payment.reference, 'page_1');
    desk.answers.lookUp = { status: 'pending', reference: 'page_2' };
    await lookUpPayment(desk.context, payment);
    const { id } = payment;
    equal((await desk.rowOf(id)).reference, 'page_2');
    const given = { status: 'declined', reference: null, reason: 'card_declined' } as const;
    await recordOutcome(desk.context, id, given);
    const late = await desk.rowOf(id);
    deepEqual([late.status, late.reference], ['declined', 'page_2']);
    await recordOutcome(desk.context, id, { status: 'pending', reference: 'page_3' });
    equal((await desk.rowOf(id)).reference, 'page_2');
  });

  it('A user who leaves the page of the processor can pay again, unless the processor has a result by then.', async () => {
    const { paymentId, pay, read } = await redirect();
    desk.answers.lookUp = { status: 'declined', reference: null, reason: 'canceled' };
    const before = desk.calls.length;
    await cancelAtProcessor(desk.context, paymentId);
    const request = { paymentId, mode: 'test', reference: null };
    deepEqual(desk.calls.slice(before), [
      { name: 'closePage', request },
      { name: 'lookUp', request },
    ]);
    deepEqual(await read(), { status: 'declined', reason: 'canceled', method: 'card' });
    for (const id of [paymentId, 'pay_unknown']) await cancelAtProcessor(desk.context, id);
    equal(desk.calls.length, before + 2);
    equal((await pay())?.status, 'redirect');

    const quicker = await redirect();
    desk.answers.lookUp = authorized;
    await cancelAtProcessor(desk.context, quicker.paymentId);
    equal(await openPhase(quicker.token), 'submitted');
  });

  const stopped = { status: 'declined', reason: 'too_many_declines', method: 'card' };
  async function decline(applicationId: string, count: number, change: Partial<PaymentRow> = {}) {
    for (let index = 0; index < count; index += 1) {
      await desk.insert(applicationId, { status: 'declined', createdAt: desk.now(), ...change });
    }
  }

  it('Five declined payments stop a user for 24 hours, also with new sessions and other applications.', async () => {
    const userId = 'usr_tester';
    const first = await desk.arrive('payment', { userId });
    const other = await desk.arrive('payment', { userId, states: ['CA'] });
    await decline(first.applicationId, 9, { status: 'voided' });
    desk.answers.authorize = declined;
    const before = desk.calls.length;
    for (let round = 0; round < 12; round += 1) {
      const { applicationId, applicationUrl } = await desk.service.createSession({ userId, states: ['TX'] });
      equal(applicationId, first.applicationId);
      const token = applicationUrl.split('/').at(-1) ?? '';
      equal(await reuseSsn(desk.context, token, '7891', 'en'), 'passed');
      const session = await findSession(desk.context, token);
      ok(session);
      const shown = shownToken(desk.context, paymentForm, session);
      const paying = { method: 'card', source: { kind: 'page' }, shown, address: randomUUID() } as const;
      const result = await payFees(desk.context, token, paying, 'en');
      deepEqual(result, round < 5 ? { ...stopped, reason: 'card_declined' } : stopped);
    }
    deepEqual(await other.pay(), stopped);
    equal(desk.calls.length, before + 5);
    // Another user of the agency is not concerned.
    deepEqual(await (await desk.arrive()).pay(), { ...stopped, reason: 'card_declined' });

    const { db } = desk.context;
    await db
      .updateTable('application')
      .set({ expiresAt: new Date(desk.now().getTime() + 3 * day) })
      .execute();
    desk.wait(day - 1);
    deepEqual(await other.pay(), stopped);
    desk.wait(1);
    deepEqual(await other.pay(), { ...stopped, reason: 'card_declined' });
  });

  it('Ten declined payments stop an application for its whole life, and no other one.', async () => {
    const long = { createdAt: new Date(desk.now().getTime() - 30 * day) };
    const [nine, ten] = [await desk.arrive(), await desk.arrive()];
    await decline(nine.applicationId, 9, long);
    await decline(ten.applicationId, 10, long);
    deepEqual(await ten.pay(), stopped);
    equal((await nine.pay())?.status, 'submitted');
  });

  it('Ten payments that were authorized and released stop a user for 24 hours, in any application.', async () => {
    const userId = 'usr_releasing';
    const [first, other] = [
      await desk.arrive('payment', { userId }),
      await desk.arrive('payment', { userId, states: ['CA'] }),
    ];
    await decline(first.applicationId, 9, { status: 'voided' });
    await decline(other.applicationId, 1, { status: 'voiding' });
    deepEqual(await first.pay(), stopped);
    const { db } = desk.context;
    const expiresAt = new Date(desk.now().getTime() + 3 * day);
    await db.updateTable('application').set({ expiresAt }).execute();
    desk.wait(day - 1);
    deepEqual(await first.pay(), stopped);
    desk.wait(1);
    equal((await first.pay())?.status, 'submitted');
  });

  it('Payments of a user in several applications at once do not exceed the limit.', async () => {
    const userId = 'usr_parallel';
    const states = ['TX', 'CA', 'NY', 'FL', 'WA', 'OR', 'NV'] as const;
    const sessions = [];
    for (const state of states) sessions.push(await desk.arrive('payment', { userId, states: [state] }));
    desk.answers.authorize = redirected;
    const results = await Promise.all(sessions.map(({ pay }) => pay()));
    deepEqual(results.map((result) => result?.status).sort(), [
      ...['declined', 'declined'],
      ...['redirect', 'redirect', 'redirect', 'redirect', 'redirect'],
    ]);
  });

  it('Thirty declined payments stop an address for 24 hours, whoever its users are, and no other one.', async () => {
    const address = '192.0.2.77';
    desk.answers.authorize = declined;
    for (let count = 0; count < 28; count += 1) await desk.context.limiter.take('declinedPayments', address);
    for (let count = 0; count < 2; count += 1) {
      equal((await (await desk.arrive()).pay(address))?.status, 'declined');
    }
    const { pay, token } = await desk.arrive();
    desk.answers.authorize = authorized;
    const before = desk.calls.length;
    deepEqual(await pay(address), stopped);
    equal(desk.calls.length, before);
    equal((await findSession(desk.context, token))?.phase, 'open');
    equal((await pay('192.0.2.78'))?.status, 'submitted');
  });

  it('Payments that are accepted, still open or refused by the bridge do not count for the address.', async () => {
    const address = '192.0.2.79';
    // One more that counted, and the address would be stopped.
    for (let count = 0; count < 29; count += 1) await desk.context.limiter.take('declinedPayments', address);
    for (const answer of [authorized, redirected, new Error('no answer')]) {
      desk.answers.authorize = answer;
      await (await desk.arrive()).pay(address);
    }
    await (await desk.arrive('review')).pay(address);
    desk.answers.authorize = authorized;
    equal((await (await desk.arrive()).pay(address))?.status, 'submitted');
  });

  it('Two hundred declined payments stop an agency for 24 hours, whoever its users are.', async () => {
    const { applicationId } = await desk.arrive('review');
    const next = await desk.arrive();
    // Later than every payment of the other tests.
    desk.wait(10 * day);
    const { db } = desk.context;
    await db
      .updateTable('application')
      .set({ expiresAt: new Date(desk.now().getTime() + 3 * day) })
      .execute();
    await decline(applicationId, 199);
    desk.answers.authorize = declined;
    deepEqual(await next.pay(), { ...stopped, reason: 'card_declined' });
    deepEqual(await next.pay(), stopped);
    desk.wait(day - 1);
    deepEqual(await next.pay(), stopped);
    desk.wait(1);
    deepEqual(await next.pay(), { ...stopped, reason: 'card_declined' });
  });

  it('A submission without its payment is refused, and one after another changes nothing.', async () => {
    const { token, applicationId } = await desk.arrive();
    const submit = async (paymentId: string) => {
      const session = await findSession(desk.context, token);
      ok(session);
      return desk.context.db.transaction().execute((trx) => submitIfComplete(desk.context, trx, session, paymentId));
    };
    equal(await submit('pay_unknown'), false);
    const id = await desk.insert(applicationId);
    equal(await submit(id), true);
    const before = await desk.applicationOf(applicationId);
    desk.wait(1);
    equal(await submit(id), true);
    deepEqual(await desk.applicationOf(applicationId), before);
  });
});
