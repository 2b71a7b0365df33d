import type { Language } from '../../../contract/index.js';
import { feesOf } from '../../catalogue/fees.js';
import type { DeclineReason, PaymentOutcome, PaymentSource } from '../../ports/payment-processor.js';
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
import { lookUpPayment, noteOutcome } from './settle.js';

/**
 * How a try to pay stands.
 *
 * - `submitted`: the fees are authorized, now or before, and the application is sent.
 * - `redirect`: the user goes on at the processor's page.
 * - `pending`: an authorization is under way, in another tab or with a lost answer; never ask again before it is settled.
 * - `unsigned`: something was changed after the signature. The user signs again.
 * - `unavailable`: nothing takes payments in this mode.
 */
export type PaymentResult =
  | { status: 'submitted' | 'pending' | 'unsigned' | 'unavailable' }
  | { status: 'redirect'; url: string }
  | { status: 'declined'; reason: DeclineReason | 'too_many_declines' };

/** After how long a payment is looked up by a job, in case that no answer came and nobody comes back to ask. */
const settleAfterSeconds = 60;

/**
 * Pays the fees of a signed application, in three moves, because the processor must not be waited for in a transaction and its answer may
 * be lost: (1) note a pending payment, and a job that looks it up, (2) ask the processor, with the note's id, (3) note the
 * outcome and submit. Resolves with `undefined` when the application is not open any more.
 */
export async function payFees(
  context: BridgeContext,
  token: string,
  source: PaymentSource,
  language: Language,
): Promise<PaymentResult | undefined> {
  const paymentId = randomId('pay');
  const begun = await changeStep(context, token, 'payment', (trx, session) =>
    begin(context, trx, session, paymentId, source),
  );
  if (begun?.status !== 'begun') return begun;
  const { amountCents, processor, mode } = begun;
  const description = 'License application fees';
  const returnUrl = `${context.links.paymentReturnUrl(paymentId)}?lang=${language}`;
  let outcome: PaymentOutcome;
  try {
    outcome = await processor.authorize({ paymentId, amountCents, mode, description, source, returnUrl, language });
  } catch (error) {
    context.log.warn(
      { err: error, paymentId },
      'The payment processor did not answer: the payment is looked up later.',
    );
    return { status: 'pending' };
  }
  await noteOutcome(context, paymentId, outcome);
  return resultOf(context, token, outcome);
}

async function begin(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
  source: PaymentSource,
) {
  const { application } = session;
  const processor = context.processorFor(application.mode);
  if (!processor) return { status: 'unavailable' } as const;
  if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' } as const;
  const existing = await findPayment(trx, application.id);
  if (existing?.status === 'accepted' && (await submitIfComplete(context, trx, session, existing.id))) {
    return { status: 'submitted' } as const;
  }
  if (existing) return { status: 'pending' } as const;
  const sessionBegan = application.renewed_at ?? application.created_at;
  if ((await countDeclined(trx, application.id, sessionBegan)) >= triesPerSession.declinedPayments.max) {
    return { status: 'declined', reason: 'too_many_declines' } as const;
  }
  const amountCents = feesOf(session.pinned, application).totalCents;
  await insertPendingPayment(trx, {
    id: paymentId,
    applicationId: application.id,
    amountCents,
    cardLast4: source.kind === 'typed' ? source.card.number.slice(-4) : '',
    now: context.clock(),
  });
  await context.schedulePayment(trx, { kind: 'settle', paymentId }, settleAfterSeconds);
  return { status: 'begun', amountCents, processor, mode: application.mode } as const;
}

/** What the user is to see next. */
async function resultOf(context: BridgeContext, token: string, outcome: PaymentOutcome): Promise<PaymentResult> {
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
  if (payment?.status === 'pending') return resultOf(context, token, await lookUpPayment(context, payment));
  if (payment?.status !== 'accepted') return undefined;
  const isSubmitted = await changeStep(context, token, 'payment', (trx, session) =>
    submitIfComplete(context, trx, session, payment.id),
  );
  return { status: isSubmitted === false ? 'unsigned' : 'submitted' };
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
