import type { Language, Mode } from '../../../contract/index.js';
import type {
  DeclineReason,
  PayingMethod,
  PaymentOutcome,
  PaymentProcessor,
  PaymentSource,
} from '../../ports/payment-processor.js';
import { countFailed, type FeeRequest, insertPendingPayment } from '../../store/payments/payment-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { randomId } from '../keys/keys.js';
import type { Limiter } from '../limits/limiter.js';
import { triesPerApplication, triesPerDay } from '../limits/limits.js';
import { recordOutcome } from './settle.js';

/*
 * A payment in three steps, because a transaction must not wait for the processor, and its answer
 * may be lost: (1) write a pending payment and a job that looks it up, (2) authorize it at the
 * processor with the id of the payment, (3) write the result.
 */

/** The user's method of payment, and how its number reaches the processor. */
export interface Paying {
  method: PayingMethod;
  source: PaymentSource;
  /** The token of the page on which the user paid. */
  shown: string;
  /** The IP address of the user. */
  address: string;
}

/** A payment that was declined, or not tried after too many declined ones. */
export interface Declined {
  status: 'declined';
  reason: DeclineReason | 'too_many_declines';
  method: PayingMethod;
}

/**
 * A payment that is not authorized.
 *
 * - `redirect`: the user continues at the processor's page.
 * - `pending`: an authorization is in progress, in another tab or with a lost answer; do not start
 *   another one before it is settled.
 */
export type UnsettledPayment =
  { status: 'pending'; method: PayingMethod } | { status: 'redirect'; url: string } | Declined;

/** The result for the user of what the processor said; `undefined` when the payment is authorized. */
export function unsettled(outcome: PaymentOutcome, method: PayingMethod): UnsettledPayment | undefined {
  if (outcome.status === 'pending') return { status: 'pending', method };
  if (outcome.status === 'declined') return { status: 'declined', reason: outcome.reason, method };
  return outcome.status === 'redirect' ? outcome : undefined;
}

/** A payment that the first step has written. */
export interface BegunPayment {
  status: 'begun';
  paymentId: string;
  amountCents: number;
  processor: PaymentProcessor;
  mode: Mode;
}

/**
 * The delay after which a job looks up a payment, in case no answer came and the user does not
 * return.
 */
const settleAfterSeconds = 60;

/** Tries to pay, within the limit of declined payments of the user's IP address. */
export async function countingDeclines<Result extends { status: string }>(
  limiter: Limiter,
  { address, method }: Paying,
  tryToPay: () => Promise<Result | Declined | undefined>,
): Promise<Result | Declined | undefined> {
  // Before the payment is written, so that concurrent ones cannot exceed the limit.
  if (!(await tryTake(limiter, address))) return { status: 'declined', reason: 'too_many_declines', method };
  let result: Result | Declined | undefined;
  try {
    result = await tryToPay();
    return result;
  } finally {
    const isDeclined = result !== undefined && isCounted(result);
    if (!isDeclined) await limiter.giveBack('declinedPayments', address);
  }
}

function isCounted(result: { status: string; reason?: string }): boolean {
  return result.status === 'declined' && result.reason !== 'too_many_declines';
}

/** Counts a try, and gives `false` when there were too many. */
async function tryTake(limiter: Limiter, address: string): Promise<boolean> {
  try {
    await limiter.take('declinedPayments', address);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The payment that the first step writes. */
export interface NewPayment {
  application: ApplicationRow;
  amountCents: number;
  processor: PaymentProcessor;
  /** The request of a further fee. Default: the fees of the application. */
  request?: FeeRequest;
}

/** The first step, in the caller's transaction, unless too many payments were declined. */
export async function beginPayment(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { method, source }: Pick<Paying, 'method' | 'source'>,
  { application, amountCents, processor, request }: NewPayment,
): Promise<BegunPayment | Declined> {
  if (await isStopped(context, trx, application)) return { status: 'declined', reason: 'too_many_declines', method };
  const paymentId = randomId('pay');
  const cardLast4 = 'card' in source ? source.card.number.slice(-4) : '';
  const ofRequest = request && { state: request.state, serial: request.actionSerial };
  const payment = { id: paymentId, applicationId: application.id, amountCents, method, cardLast4, ...ofRequest };
  await insertPendingPayment(trx, payment, context.clock());
  await context.schedule(trx, 'payment', { kind: 'settle', paymentId }, settleAfterSeconds);
  return { status: 'begun', paymentId, amountCents, processor, mode: application.mode };
}

/**
 * Whether too many payments were declined. Someone who tests stolen cards creates new sessions, new
 * applications and new accounts, so all three are counted.
 */
async function isStopped(
  { clock }: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
): Promise<boolean> {
  const since = new Date(clock().getTime() - triesPerDay.seconds * 1_000);
  const { ofApplication, ofUser, releasedOfUser, ofAgency } = await countFailed(trx, application, since);
  return (
    ofApplication >= triesPerApplication.declinedPayments.max ||
    ofUser >= triesPerDay.declinedPayments.max ||
    releasedOfUser >= triesPerDay.releasedPayments.max ||
    ofAgency >= triesPerDay.declinedPaymentsOfAgency.max
  );
}

/** The second and the third step. Resolves with `pending` when the processor did not answer. */
export async function authorizeBegun(
  context: BridgeContext,
  { paymentId, amountCents, processor, mode }: BegunPayment,
  { method, source }: Pick<Paying, 'method' | 'source'>,
  { language, description }: { language: Language; description: string },
): Promise<PaymentOutcome> {
  const returnPage = context.links.paymentReturnUrl(mode, paymentId);
  const returnUrl = `${returnPage}?lang=${language}`;
  const cancelUrl = `${returnPage}/cancel?lang=${language}`;
  const request = { method, source, paymentId, amountCents, mode, description, returnUrl, cancelUrl, language };
  let outcome: PaymentOutcome;
  try {
    outcome = await processor.authorize(request);
  } catch (error) {
    context.log.warn(
      { err: error, paymentId },
      'The payment processor did not answer: the payment is looked up later.',
    );
    return { status: 'pending' };
  }
  await recordOutcome(context, paymentId, outcome);
  return outcome;
}
