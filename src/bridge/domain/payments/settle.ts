import type { Mode } from '../../../contract/index.js';
import {
  findOpenPayment,
  findPaymentById,
  keepReference,
  type PaymentRow,
} from '../../store/payments/payment-store.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { PaymentKey, PaymentOutcome } from '../../ports/payment-processor.js';
import { findFeeRequest, saveAnswer } from '../applications/action.js';
import { type ApplySession, changeOwnApplication } from '../applications/session.js';
import { submitIfComplete } from '../applications/submission.js';
import type { BridgeContext } from '../context.js';
import { movePayment } from './payment-state.js';

/** The time after which "unknown" means that the request never reached the processor. */
const arrivalDeadlineMs = 60_000;

/** The time limit of the user on the processor's page. */
const pageDeadlineMs = 3_600_000;

/** The time after which the payment of an unfinished application is released. */
const releaseAfterSeconds = 6 * 86_400;

/** Identifies a payment for its processor. */
export function paymentKey({ id, reference }: PaymentRow, mode: Mode): PaymentKey {
  return { paymentId: id, mode, reference };
}

/**
 * Looks a payment up at the processor and stores the result. Resolves with the result; also
 * `pending` when the processor does not know the payment yet, because the request may not have
 * arrived.
 */
export async function lookUpPayment(context: BridgeContext, payment: PaymentRow): Promise<PaymentOutcome> {
  const { mode } = await findApplicationById(context.db, payment.applicationId);
  const processor = context.processorFor(mode);
  if (!processor) return { status: 'pending' };
  const found = await processor.lookUp(paymentKey(payment, mode));
  const ageMs = context.clock().getTime() - payment.createdAt.getTime();
  // Another instance may be about to send the request, so "unknown" only counts after a time limit.
  const isGivenUp = found.status === 'unknown' ? ageMs > arrivalDeadlineMs : ageMs > pageDeadlineMs;
  if (found.status === 'unknown' || found.status === 'redirect') {
    if (!isGivenUp) {
      if (found.status === 'unknown') return { status: 'pending' };
      await recordOutcome(context, payment.id, found);
      return found;
    }
    const outcome = { status: 'declined', reference: null, reason: 'authentication_failed' } as const;
    await recordOutcome(context, payment.id, outcome);
    return outcome;
  }
  await recordOutcome(context, payment.id, found);
  return found;
}

/**
 * Stores the result of a payment. In the same transaction an authorization submits the signed
 * application, also when the link has expired meanwhile, because the user has done everything; that
 * of a further fee answers the request of its state. Idempotent.
 */
export async function recordOutcome(context: BridgeContext, paymentId: string, outcome: PaymentOutcome): Promise<void> {
  if (outcome.status === 'pending' || outcome.status === 'redirect') {
    if (outcome.reference !== undefined) await keepReference(context.db, paymentId, outcome.reference, context.clock());
    return;
  }
  const payment = await findPaymentById(context.db, paymentId);
  if (!payment) return;
  await changeOwnApplication(context, payment.applicationId, async (trx, session) => {
    if (outcome.status === 'authorized') {
      const record = payment.state === null ? recordAuthorization : recordFurtherFee;
      return record(context, trx, session, payment, outcome);
    }
    // Without a new reference the last one stays, by which a late result is looked up.
    const facts = {
      ...(outcome.reference !== null && { reference: outcome.reference }),
      declineReason: outcome.reason,
    };
    await movePayment(context, trx, paymentId, 'declined', facts);
  });
}

type Authorized = Extract<PaymentOutcome, { status: 'authorized' }>;

/** The columns of a payment that an authorization sets. */
function factsOf({ reference, cardLast4 }: Authorized) {
  return { reference, declineReason: null, ...(cardLast4 !== '' && { cardLast4 }) };
}

async function recordAuthorization(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  { id: paymentId }: PaymentRow,
  outcome: Authorized,
): Promise<void> {
  const { application } = session;
  const facts = factsOf(outcome);
  const open = await findOpenPayment(trx, application.id);
  if ((open && open.id !== paymentId) || application.submittedAt !== null) {
    await movePayment(context, trx, paymentId, 'authorizedTooLate', facts);
    return;
  }
  const authorized = { ...facts, authorizedAt: context.clock() };
  if (!(await movePayment(context, trx, paymentId, 'authorized', authorized))) return;
  if (await submitIfComplete(context, trx, session, paymentId)) return;
  if (session.phase === 'stopped') {
    // The agency was deactivated meanwhile: its users cannot continue, so their payments are
    // released.
    await movePayment(context, trx, paymentId, 'voidRequested');
    return;
  }
  await context.schedule(trx, 'payment', { kind: 'release', paymentId }, releaseAfterSeconds);
}

/**
 * Answers the request that a further fee is for, and requests its capture: the state waits for the
 * money. When the request is not open any more, the money is released.
 */
async function recordFurtherFee(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { application, phase }: ApplySession,
  payment: PaymentRow,
  outcome: Authorized,
): Promise<void> {
  const { id: paymentId } = payment;
  const facts = factsOf(outcome);
  const request = phase === 'stopped' ? undefined : await findFeeRequest(trx, payment);
  const open = request && (await findOpenPayment(trx, application.id, request));
  if (request === undefined || (open && open.id !== paymentId)) {
    await movePayment(context, trx, paymentId, 'authorizedTooLate', facts);
    return;
  }
  const authorized = { ...facts, authorizedAt: context.clock() };
  if (!(await movePayment(context, trx, paymentId, 'authorized', authorized))) return;
  await movePayment(context, trx, paymentId, 'captureRequested');
  await saveAnswer(context, trx, application, request, null);
}
