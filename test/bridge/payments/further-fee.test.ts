import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { findAction, sendActionAnswer } from '../../../src/bridge/domain/applications/action.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { furtherFeeForm } from '../../../src/bridge/domain/payments/committing-forms.js';
import { payFurtherFee, readFurtherFee } from '../../../src/bridge/domain/payments/further-fee.js';
import { refundPayment } from '../../../src/bridge/domain/payments/operations.js';
import { findPaymentReturn, findReceiptPayments } from '../../../src/bridge/domain/payments/payment.js';
import { recordOutcome } from '../../../src/bridge/domain/payments/settle.js';
import { readOwnApplication } from '../../../src/bridge/domain/applications/session.js';
import { ChangedSinceShownError, shownToken } from '../../../src/bridge/domain/shown/shown.js';
import { tokenOf } from '../apply/support/shortcuts.js';
import { authorized, declined, type PaymentDesk, redirected, startPaymentDesk } from './payment-desk.js';

const card = { number: '4242424242424242', expiryMonth: 4, expiryYear: 2039, securityCode: '1', nameOnCard: 'A' };
const request = { state: 'TX', status: 'requires_action', reason: 'The fee is now $95.', feeCents: 4_500 } as const;

describe('the further fee of a state', () => {
  let desk: PaymentDesk;
  before(async () => {
    desk = await startPaymentDesk();
  });
  beforeEach(() => {
    desk.reset();
  });
  after(() => desk.stop());

  /** A submitted application whose state asks for a further fee. */
  async function ask() {
    const { context, service } = desk;
    desk.answers.authorize = authorized;
    const { applicationId, pay } = await desk.arrive();
    await pay();
    await decideState(context, { applicationId, ...request });
    const stateNow = async () => {
      const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
      return body.states[0];
    };
    const token = tokenOf((await stateNow())?.actionUrl ?? '');
    const shownNow = async () => {
      const action = await findAction(context, token);
      return action ? shownToken(context, furtherFeeForm, action.state) : '';
    };
    const payNow = async (shown?: string) => {
      const paying = { method: 'card', source: { kind: 'typed', card }, address: randomUUID() } as const;
      return payFurtherFee(context, token, { ...paying, shown: shown ?? (await shownNow()) }, 'en');
    };
    const fees = async () => (await desk.rowsOf(applicationId)).filter(({ state }) => state !== null);
    const statusNow = async () => (await stateNow())?.status;
    return { applicationId, token, shownNow, payNow, fees, statusNow };
  }

  it('Its payment is charged at once and answers the request, besides the payment of the fees.', async () => {
    const { applicationId, token, payNow, fees, statusNow } = await ask();
    deepEqual(await payNow(), { status: 'over' });
    const [fee, ...others] = await fees();
    ok(fee && others.length === 0);
    deepEqual([fee.state, fee.serial, fee.amountCents, fee.status], ['TX', 1, 4_500, 'capturing']);
    deepEqual(
      desk.jobsOf(fee.id).map(([kind]) => kind),
      ['settle', 'capture'],
    );
    deepEqual(await desk.auditOf(fee.id), ['payment.authorized done']);
    equal(await statusNow(), 'pending_review');
    const action = await findAction(desk.context, token);
    deepEqual([action?.phase, action?.wasPaid], ['answered', true]);

    const session = await readOwnApplication(desk.context, applicationId);
    ok(session);
    const { payment, furtherFees } = await findReceiptPayments(desk.context, session);
    ok(payment && payment.state === null);
    deepEqual(
      furtherFees.map(({ id }) => id),
      [fee.id],
    );
    // The user cannot pay twice, by the Back button or in another tab.
    deepEqual(await payNow(), { status: 'over' });
    equal((await fees()).length, 1);
  });

  it('Words do not answer the request, and a page that showed another amount charges nothing.', async () => {
    const { applicationId, token, payNow, fees, shownNow, statusNow } = await ask();
    await sendActionAnswer(desk.context, token, { answer: 'I have paid.', shown: await shownNow() });
    equal(await statusNow(), 'requires_action');
    const earlier = await shownNow();
    await desk.context.db
      .updateTable('applicationState')
      .set({ actionFeeCents: 9_000 })
      .where('applicationId', '=', applicationId)
      .execute();
    await rejects(payNow(earlier), ChangedSinceShownError);
    equal((await fees()).length, 0);
  });

  it('A declined payment can be repeated, and one that is open is looked up and not repeated.', async () => {
    const { applicationId, token, payNow, fees, statusNow } = await ask();
    desk.answers.authorize = declined;
    deepEqual(await payNow(), { status: 'declined', reason: 'card_declined', method: 'card' });
    const action = await findAction(desk.context, token);
    ok(action);
    equal((await readFurtherFee(desk.context, action))?.status, 'declined');
    desk.wait(1);

    desk.answers.authorize = redirected;
    equal((await payNow()).status, 'redirect');
    desk.answers.authorize = authorized;
    deepEqual(await payNow(), { status: 'pending', method: 'card' });
    const [, open] = await fees();
    ok(open?.status === 'pending');
    const returnUrl = new URL(desk.context.links.paymentReturnUrl('test', open.id));
    const found = await findPaymentReturn(desk.context, open.id, returnUrl.pathname.split('/').at(-1) ?? '');
    match(found?.pageUrl ?? '', new RegExp(`/a/${token}$`));

    desk.answers.lookUp = authorized;
    equal((await readFurtherFee(desk.context, action))?.status, 'over');
    equal(await statusNow(), 'pending_review');
    // The late answer to the first one: its money is released.
    const [first] = await fees();
    ok(first);
    await recordOutcome(desk.context, first.id, authorized);
    deepEqual(
      (await fees()).map(({ status }) => status),
      ['voiding', 'capturing'],
    );
    equal((await desk.rowsOf(applicationId)).length, 3);
  });

  it('Money that arrives after the state has decided or asked again is released.', async () => {
    for (const then of [{ status: 'approved' } as const, request]) {
      const { applicationId, payNow, fees, statusNow } = await ask();
      desk.answers.authorize = new Error('the line went dead');
      deepEqual(await payNow(), { status: 'pending', method: 'card' });
      await decideState(desk.context, { applicationId, state: 'TX', status: 'pending_review' });
      await decideState(desk.context, { applicationId, state: 'TX', ...then });
      const before = await statusNow();
      const [fee] = await fees();
      ok(fee);
      await recordOutcome(desk.context, fee.id, authorized);
      deepEqual(
        (await fees()).map(({ status }) => status),
        ['voiding'],
      );
      equal(await statusNow(), before);
    }
  });

  it('It counts for the limits of declined payments, and nothing is charged for a deactivated agency.', async () => {
    const { payNow, fees } = await ask();
    desk.answers.authorize = declined;
    for (let count = 0; count < 5; count += 1) await payNow();
    deepEqual(await payNow(), { status: 'declined', reason: 'too_many_declines', method: 'card' });
    equal((await fees()).length, 5);

    const late = await ask();
    desk.answers.authorize = new Error('the line went dead');
    await late.payNow();
    const [fee] = await late.fees();
    ok(fee);
    await deactivateAgency(desk.context, desk.service.agencyId);
    await recordOutcome(desk.context, fee.id, authorized);
    await activateAgency(desk.context, desk.service.agencyId);
    deepEqual([(await desk.rowOf(fee.id)).status, await late.statusNow()], ['voiding', 'requires_action']);
  });

  it('It is refunded apart from the fees.', async () => {
    const { applicationId, payNow, fees } = await ask();
    await payNow();
    const [fee] = await fees();
    ok(fee);
    await desk.context.db.updateTable('payment').set({ status: 'captured' }).where('id', '=', fee.id).execute();
    const refund = { applicationId, actor: 'operator:dana', paymentId: fee.id } as const;
    await rejects(refundPayment(desk.context, { ...refund, amountCents: 4_501 }), /expected 1 to 4500/);
    const stranger = (await ask()).applicationId;
    await rejects(refundPayment(desk.context, { ...refund, applicationId: stranger, amountCents: 1 }), /1 to 0/);
    const refundId = await refundPayment(desk.context, { ...refund, amountCents: 4_500 });
    const row = await desk.context.db
      .selectFrom('paymentRefund')
      .selectAll()
      .where('id', '=', refundId)
      .executeTakeFirstOrThrow();
    deepEqual([row.paymentId, row.amountCents], [fee.id, 4_500]);
  });

  it('Only a request to a user who pays can ask for one, up to the limit, and on the page of the bridge.', async () => {
    const { applicationId } = await ask();
    const review = { applicationId, state: 'TX', status: 'pending_review' } as const;
    await decideState(desk.context, review);
    const move = (change: object) => decideState(desk.context, { applicationId, ...request, ...change });
    for (const feeCents of [0, -1, 1.5, 500_001]) await rejects(move({ feeCents }), /expected 1 to 500000/);
    await rejects(move({ actionUrl: 'https://department.example' }), /without actionUrl/);
    await rejects(move({ status: 'approved' }), /only with requires_action/);
    const setMethod = (paymentMethod: 'partner_billing' | 'user_pays') =>
      desk.context.db.updateTable('application').set({ paymentMethod }).where('id', '=', applicationId).execute();
    await setMethod('partner_billing');
    await rejects(move({}), /bill the partner/);
    await setMethod('user_pays');
    for (const feeCents of [500_000, 1]) {
      await move({ feeCents });
      await decideState(desk.context, review);
    }
  });
});
