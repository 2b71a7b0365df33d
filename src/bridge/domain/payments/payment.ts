import {
  countDeclined,
  findPayment,
  insertPendingPayment,
  isNotedAsAccepted,
  type PaymentRow,
  settlePayment,
} from '../../store/applications/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type ApplySession, changeStep } from '../applications/session.js';
import { completeStep } from '../applications/step.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { triesPerSession } from '../limits/limits.js';
import { estimateFees } from '../sessions/fees.js';
import type { Card, ChargeOutcome, DeclineReason, PaymentProcessor } from './card-processor.js';

/**
 * How a try to pay ended.
 *
 * - `accepted`: paid, now or before.
 * - `pending`: a charge is under way, in another tab or with a lost answer; never charge again before it is settled.
 * - `unavailable`: nobody takes payments in this mode.
 */
export type PaymentResult =
  | { status: 'accepted' | 'pending' | 'unavailable' }
  | { status: 'declined'; reason: DeclineReason | 'too_many_declines' };

/** How long a charge may run before its outcome is looked up. */
const chargeDeadlineMs = 60_000;

/**
 * Pays the fees of an application, in three moves, because a charge must not hold a database transaction open and its
 * answer may be lost: (1) note a pending payment, (2) charge, with the note's id, (3) note the outcome and complete the step.
 */
export async function payFees(
  context: BridgeContext,
  processor: PaymentProcessor,
  token: string,
  card: Card,
): Promise<PaymentResult | undefined> {
  const paymentId = randomId('pay');
  const begun = await changeStep(context, token, 'payment', async (trx, session) => {
    const { application } = session;
    if (!processor.serves(application.mode)) return { status: 'unavailable' } as const;
    const existing = await findPayment(trx, application.id);
    if (existing?.status === 'accepted') await completePaid(context, trx, session, existing.id);
    if (existing) return { status: existing.status === 'accepted' ? 'accepted' : 'pending' } as const;
    const sessionBegan = application.renewed_at ?? application.created_at;
    if ((await countDeclined(trx, application.id, sessionBegan)) >= triesPerSession.declinedPayments.max) {
      return { status: 'declined', reason: 'too_many_declines' } as const;
    }
    const amountCents = feesOf(application).totalCents;
    const cardLast4 = card.number.slice(-4);
    await insertPendingPayment(trx, {
      id: paymentId,
      applicationId: application.id,
      amountCents,
      cardLast4,
      now: context.clock(),
    });
    return { status: 'begun', amountCents } as const;
  });
  if (begun?.status !== 'begun') return begun;
  const description = 'License application fees';
  const outcome = await processor.charge({ paymentId, amountCents: begun.amountCents, description, card });
  await settle(context, token, paymentId, outcome);
  return outcome;
}

/**
 * The payment that is accepted or under way. One whose answer is overdue is looked up and settled first; one that was accepted when
 * the session had just ended completes its step now.
 */
export async function readPayment(
  context: BridgeContext,
  processor: PaymentProcessor,
  token: string,
  session: ApplySession,
): Promise<PaymentRow | undefined> {
  const { application } = session;
  const payment = await findPayment(context.db, application.id);
  if (payment?.status === 'accepted' && !session.saved.payment?.completed_at) {
    await changeStep(context, token, 'payment', (trx, current) => completePaid(context, trx, current, payment.id));
  }
  if (payment?.status !== 'pending') return payment;
  const isOverdue = context.clock().getTime() - payment.created_at.getTime() > chargeDeadlineMs;
  const outcome = await processor.lookUp(payment.id);
  if (outcome.status === 'pending') return payment;
  if (outcome.status === 'unknown') {
    // Another instance may be about to send the charge, so "unknown" only counts when it is too late for that.
    if (!isOverdue) return payment;
    await settle(context, token, payment.id, { status: 'declined', reference: null, reason: 'card_declined' });
  } else {
    await settle(context, token, payment.id, outcome);
  }
  return findPayment(context.db, application.id);
}

/** What the application costs, a line a state. */
export function feesOf(application: ApplySession['application']): ReturnType<typeof estimateFees> {
  return estimateFees(application.states, application.application_type, application.license_type);
}

async function settle(context: BridgeContext, token: string, paymentId: string, outcome: ChargeOutcome): Promise<void> {
  const { status, reference } = outcome;
  const ended = { id: paymentId, status, reference, now: context.clock() };
  const settled = await changeStep(context, token, 'payment', async (trx, session) => {
    const isNews = await settlePayment(trx, ended);
    if (isNews && status === 'accepted') await completePaid(context, trx, session, paymentId);
    return { isNews };
  });
  // The session ran out while the card was being charged: the step stays open, but what happened to the money is noted.
  const { isNews } = settled ?? {
    isNews: await context.db.transaction().execute((trx) => settlePayment(trx, ended)),
  };
  if (isNews || status !== 'accepted' || (await isNotedAsAccepted(context.db, paymentId))) return;
  // Nothing here can give money back: a person has to.
  context.log.error({ paymentId, reference }, 'A charge came through after the user had begun another one. Refund it.');
}

/** Completes the step of a payment that was accepted, once. */
async function completePaid(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
): Promise<void> {
  if (session.saved.payment?.completed_at) return;
  await completeStep(context, trx, session, 'payment', { data: { paymentId } });
}
