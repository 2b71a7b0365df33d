import { findPaymentById, settlePayment, updatePayment, type PaymentRow } from '../../store/payments/payment-store.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { PaymentOutcome } from '../../ports/payment-processor.js';
import { changeOwnApplication } from '../applications/session.js';
import { submitIfComplete } from '../applications/submission.js';
import type { BridgeContext } from '../context.js';
import { auditPayment, voidAuthorized } from './operations.js';

/** The time after which "unknown" means that the request never reached the processor. */
const arrivalDeadlineMs = 60_000;

/** The time limit of the user on the processor's page. */
const pageDeadlineMs = 3_600_000;

/** The time after which the payment of an unfinished application is released. */
const releaseAfterSeconds = 6 * 86_400;

/**
 * Looks a payment up at the processor and stores the result. Resolves with the result; also
 * `pending` when the processor does not know the payment yet, because the request may not have
 * arrived.
 */
export async function lookUpPayment(context: BridgeContext, payment: PaymentRow): Promise<PaymentOutcome> {
  const { mode } = await findApplicationById(context.db, payment.applicationId);
  const processor = context.processorFor(mode);
  if (!processor) return { status: 'pending' };
  const found = await processor.lookUp(payment.id, mode);
  const ageMs = context.clock().getTime() - payment.createdAt.getTime();
  // Another instance may be about to send the request, so "unknown" only counts after a time limit.
  const isGivenUp = found.status === 'unknown' ? ageMs > arrivalDeadlineMs : ageMs > pageDeadlineMs;
  if (found.status === 'unknown' || found.status === 'redirect') {
    if (!isGivenUp) return found.status === 'unknown' ? { status: 'pending' } : found;
    const outcome = { status: 'declined', reference: null, reason: 'authentication_failed' } as const;
    await recordOutcome(context, payment.id, outcome);
    return outcome;
  }
  await recordOutcome(context, payment.id, found);
  return found;
}

/**
 * Stores the result of a payment. An authorization submits the signed application in the same
 * transaction, also when the link has expired meanwhile, because the user has done everything.
 * Idempotent.
 */
export async function recordOutcome(context: BridgeContext, paymentId: string, outcome: PaymentOutcome): Promise<void> {
  if (outcome.status === 'pending') return;
  const payment = await findPaymentById(context.db, paymentId);
  if (!payment) return;
  const now = context.clock();
  if (outcome.status === 'redirect') {
    if (payment.redirectedAt !== null) return;
    return updatePayment(context.db, paymentId, { redirectedAt: now, updatedAt: now });
  }
  const isAuthorized = outcome.status === 'authorized';
  await changeOwnApplication(context, payment.applicationId, async (trx, session) => {
    const isNews = await settlePayment(trx, {
      id: paymentId,
      status: isAuthorized ? 'accepted' : 'declined',
      reference: outcome.reference,
      declineReason: isAuthorized ? null : outcome.reason,
      cardLast4: isAuthorized ? outcome.cardLast4 : '',
      now,
    });
    if (!isAuthorized) return;
    // Another payment replaced it, or it was released.
    if (!isNews) return voidIf('declined', context, trx, paymentId);
    await auditPayment(context, trx, payment, 'payment.authorized', 'done');
    if (await submitIfComplete(context, trx, session, paymentId)) return;
    // The agency was deactivated meanwhile: its users cannot continue, so their payments are
    // released.
    if (session.phase === 'stopped') return voidIf('accepted', context, trx, paymentId);
    await context.schedule(trx, 'payment', { kind: 'release', paymentId }, releaseAfterSeconds);
  });
}

/** Voids the authorization of a payment that has this status. */
async function voidIf(
  status: PaymentRow['status'],
  context: BridgeContext,
  trx: DatabaseTransaction,
  paymentId: string,
): Promise<void> {
  const payment = await findPaymentById(trx, paymentId);
  if (payment?.status === status) await voidAuthorized(context, trx, payment);
}
