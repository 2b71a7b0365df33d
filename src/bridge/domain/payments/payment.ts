import type { Language } from '../../../contract/index.js';
import type { DeclineReason, PayingMethod, PaymentOutcome, PaymentSource } from '../../ports/payment-processor.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import {
  countDeclined,
  findPayment,
  findPaymentById,
  insertPendingPayment,
  type PaymentRow,
} from '../../store/applications/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type ApplySession, changeStep, findSession } from '../applications/session.js';
import { firstIncompleteStep, submitIfComplete } from '../applications/submission.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { triesPerSession } from '../limits/limits.js';
import { feesOfSession } from './session-fees.js';
import { lookUpPayment, noteOutcome } from './settle.js';

/**
 * How a try to pay stands.
 *
 * - `submitted`: the fees are authorized, now or before, and the application is sent.
 * - `redirect`: the user continues at the processor's page.
 * - `pending`: an authorization is under way, in another tab or with a lost answer; never ask again before it is settled.
 * - `unsigned`: something was changed after the signature. The user signs again.
 * - `unavailable`: nothing takes payments in this mode.
 */
export type PaymentResult =
  | { status: 'submitted' | 'unsigned' | 'unavailable' }
  | { status: 'pending'; method: PayingMethod }
  | { status: 'redirect'; url: string }
  | { status: 'declined'; reason: DeclineReason | 'too_many_declines' };

/** What the user pays with, and how the processor learns its number. */
export interface Paying {
  method: PayingMethod;
  source: PaymentSource;
}

/** After how long a payment is looked up by a job, in case no answer came and the user does not come back. */
const settleAfterSeconds = 60;

/**
 * Pays the fees of a signed application, in three moves, because the processor must not be waited for in a transaction and its answer may
 * be lost: (1) note a pending payment, and a job that looks it up, (2) ask the processor, with the note's id, (3) note the
 * outcome and submit. Resolves with `undefined` when the application is not open any more.
 */
export async function payFees(
  context: BridgeContext,
  token: string,
  paying: Paying,
  language: Language,
): Promise<PaymentResult | undefined> {
  const paymentId = randomId('pay');
  const begun = await changeStep(context, token, 'payment', (trx, session) =>
    begin(context, trx, session, paymentId, paying),
  );
  if (begun?.status !== 'begun') return begun;
  const { amountCents, processor, mode } = begun;
  const description = 'License application fees';
  const returnUrl = `${context.links.paymentReturnUrl(paymentId)}?lang=${language}`;
  let outcome: PaymentOutcome;
  try {
    outcome = await processor.authorize({ ...paying, paymentId, amountCents, mode, description, returnUrl, language });
  } catch (error) {
    context.log.warn(
      { err: error, paymentId },
      'The payment processor did not answer: the payment is looked up later.',
    );
    return { status: 'pending', method: paying.method };
  }
  await noteOutcome(context, paymentId, outcome);
  return resultOf(context, token, outcome, paying.method);
}

async function begin(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
  { method, source }: Paying,
) {
  const { application } = session;
  const processor = context.processorFor(application.mode);
  if (!processor) return { status: 'unavailable' } as const;
  if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' } as const;
  const existing = await findPayment(trx, application.id);
  if (existing?.status === 'accepted' && (await submitIfComplete(context, trx, session, existing.id))) {
    return { status: 'submitted' } as const;
  }
  if (existing) return { status: 'pending', method: existing.method } as const;
  const sessionBegan = application.renewed_at ?? application.created_at;
  if ((await countDeclined(trx, application.id, sessionBegan)) >= triesPerSession.declinedPayments.max) {
    return { status: 'declined', reason: 'too_many_declines' } as const;
  }
  const amountCents = feesOfSession(session).totalCents;
  await insertPendingPayment(trx, {
    id: paymentId,
    applicationId: application.id,
    amountCents,
    method,
    cardLast4: 'card' in source ? source.card.number.slice(-4) : '',
    now: context.clock(),
  });
  await context.schedulePayment(trx, { kind: 'settle', paymentId }, settleAfterSeconds);
  return { status: 'begun', amountCents, processor, mode: application.mode } as const;
}

/** The result that decides the user's next page. */
async function resultOf(
  context: BridgeContext,
  token: string,
  outcome: PaymentOutcome,
  method: PayingMethod,
): Promise<PaymentResult> {
  if (outcome.status === 'pending') return { status: 'pending', method };
  if (outcome.status !== 'authorized') return outcome;
  const session = await findSession(context, token);
  return { status: session?.phase === 'open' ? 'unsigned' : 'submitted' };
}

/**
 * The payment of an open application, looked up where it is under way; `undefined` where none is. One that was authorized while the
 * application lacked something is used now, if it is complete.
 */
export async function readPayment(
  context: BridgeContext,
  token: string,
  { application }: ApplySession,
): Promise<PaymentResult | undefined> {
  const payment = await findPayment(context.db, application.id);
  if (payment?.status === 'pending') {
    return resultOf(context, token, await lookUpPayment(context, payment), payment.method);
  }
  if (payment?.status !== 'accepted') return undefined;
  const result = await changeStep(context, token, 'payment', async (trx, session): Promise<PaymentResult> => {
    if (await submitIfComplete(context, trx, session, payment.id)) return { status: 'submitted' };
    if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' };
    // It is being released: in a moment there is room for another payment.
    return { status: 'pending', method: payment.method };
  });
  return result ?? { status: 'submitted' };
}

/** The payment of a submitted application, for its receipt. */
export function findReceiptPayment(
  context: BridgeContext,
  { application }: ApplySession,
): Promise<PaymentRow | undefined> {
  return findPayment(context.db, application.id);
}

/** How long the way back from the processor's page works. It opens the application, and the processor has it. */
const returnTtlMs = 3_600_000;

/**
 * Finds where the way back from the processor's page leads: the newest link of the payment's application. `undefined` for a way back that
 * is not one of ours, or that is used too late.
 */
export async function findPaymentReturn(
  context: BridgeContext,
  paymentId: string,
  token: string,
): Promise<{ applicationUrl: string } | undefined> {
  if (!context.links.isPaymentReturn(paymentId, token)) return undefined;
  const payment = await findPaymentById(context.db, paymentId);
  if (!payment || context.clock().getTime() - payment.created_at.getTime() > returnTtlMs) return undefined;
  const { session_id: sessionId, link_hash: linkHash } = await findApplicationById(context.db, payment.application_id);
  return { applicationUrl: context.links.applicationUrl(sessionId, linkHash) };
}

/** The user is back from the processor's page: what became of the payment is looked up. Resolves with what is noted then. */
export async function returnFromProcessor(
  context: BridgeContext,
  paymentId: string,
): Promise<PaymentRow['status'] | undefined> {
  const payment = await findPaymentById(context.db, paymentId);
  if (payment?.status === 'pending') await lookUpPayment(context, payment);
  return (await findPaymentById(context.db, paymentId))?.status;
}
