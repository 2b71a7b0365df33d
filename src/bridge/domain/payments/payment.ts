import { type Language, type Mode, modes } from '../../../contract/index.js';
import type { DeclineReason, PayingMethod, PaymentOutcome, PaymentSource } from '../../ports/payment-processor.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import {
  type AuthorizedPaymentRow,
  countFailed,
  findAuthorizedPayment,
  findNewestPayment,
  findOpenPayment,
  findPaymentById,
  insertPendingPayment,
} from '../../store/payments/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type ApplySession, changeStep, findSession } from '../applications/session.js';
import { firstIncompleteStep, submitIfComplete } from '../applications/submission.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { ApiError } from '../errors/api-error.js';
import type { Limiter } from '../limits/limiter.js';
import { triesPerApplication, triesPerDay } from '../limits/limits.js';
import { paymentForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { feesOfSession } from './session-fees.js';
import { lookUpPayment, paymentKey, recordOutcome } from './settle.js';

/**
 * The result of an attempt to pay.
 *
 * - `submitted`: the fees are authorized, now or before, and the application is submitted.
 * - `redirect`: the user continues at the processor's page.
 * - `pending`: an authorization is in progress, in another tab or with a lost answer; do not start
 *   another one before it is settled.
 * - `unsigned`: the application was changed after the signature. The user signs again.
 * - `unavailable`: there is no payment processor in this mode.
 */
export type PaymentResult =
  | { status: 'submitted' | 'unsigned' | 'unavailable' }
  | { status: 'pending'; method: PayingMethod }
  | { status: 'redirect'; url: string }
  | { status: 'declined'; reason: DeclineReason | 'too_many_declines'; method: PayingMethod };

/** The user's method of payment, and how its number reaches the processor. */
export interface Paying {
  method: PayingMethod;
  source: PaymentSource;
  /** The token of the page on which the user paid. */
  shown: string;
  /** The IP address of the user. */
  address: string;
}

/**
 * The delay after which a job looks up a payment, in case no answer came and the user does not
 * return.
 */
const settleAfterSeconds = 60;

/**
 * Pays the fees of a signed application in three steps, because a transaction must not wait for the
 * processor, and its answer may be lost: (1) write a pending payment and a job that looks it up,
 * (2) authorize it at the processor with the id of the payment, (3) write the result and submit.
 * Resolves with `undefined` when the application is not open any more.
 *
 * @throws ChangedSinceShownError when the fees or the signature are not those of the page.
 */
export async function payFees(
  context: BridgeContext,
  token: string,
  paying: Paying,
  language: Language,
): Promise<PaymentResult | undefined> {
  const { limiter } = context;
  // Before the payment is written, so that concurrent ones cannot exceed the limit.
  if (!(await tryTake(limiter, paying.address))) {
    return { status: 'declined', reason: 'too_many_declines', method: paying.method };
  }
  let result: PaymentResult | undefined;
  try {
    result = await tryToPay(context, token, paying, language);
    return result;
  } finally {
    const isDeclined = result?.status === 'declined' && result.reason !== 'too_many_declines';
    if (!isDeclined) await limiter.giveBack('declinedPayments', paying.address);
  }
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

async function tryToPay(
  context: BridgeContext,
  token: string,
  { shown, address: _address, ...paying }: Paying,
  language: Language,
): Promise<PaymentResult | undefined> {
  const paymentId = randomId('pay');
  const begun = await changeStep(context, token, 'payment', (trx, session) =>
    begin(context, trx, session, paymentId, { shown, ...paying }),
  );
  if (begun?.status !== 'begun') return begun;
  const { amountCents, processor, mode } = begun;
  const description = 'License application fees';
  const returnPage = context.links.paymentReturnUrl(mode, paymentId);
  const returnUrl = `${returnPage}?lang=${language}`;
  const cancelUrl = `${returnPage}/cancel?lang=${language}`;
  const request = { ...paying, paymentId, amountCents, mode, description, returnUrl, cancelUrl, language };
  let outcome: PaymentOutcome;
  try {
    outcome = await processor.authorize(request);
  } catch (error) {
    context.log.warn(
      { err: error, paymentId },
      'The payment processor did not answer: the payment is looked up later.',
    );
    return { status: 'pending', method: paying.method };
  }
  await recordOutcome(context, paymentId, outcome);
  return resultOf(context, token, outcome, paying.method);
}

async function begin(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
  { method, source, shown }: Omit<Paying, 'address'>,
) {
  const { application } = session;
  const processor = context.processorFor(application.mode);
  if (!processor) return { status: 'unavailable' } as const;
  if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' } as const;
  assertAsShown(context, paymentForm, session, shown);
  const existing = await findOpenPayment(trx, application.id);
  if (existing && (await submitIfComplete(context, trx, session, existing.id))) {
    return { status: 'submitted' } as const;
  }
  if (existing) return { status: 'pending', method: existing.method } as const;
  if (await isStopped(context, trx, application)) {
    return { status: 'declined', reason: 'too_many_declines', method } as const;
  }
  const amountCents = feesOfSession(session).totalCents;
  const cardLast4 = 'card' in source ? source.card.number.slice(-4) : '';
  const payment = { id: paymentId, applicationId: application.id, amountCents, method, cardLast4 };
  await insertPendingPayment(trx, payment, context.clock());
  await context.schedule(trx, 'payment', { kind: 'settle', paymentId }, settleAfterSeconds);
  return { status: 'begun', amountCents, processor, mode: application.mode } as const;
}

/**
 * Whether too many payments were declined. Someone who tests stolen cards creates new sessions, new
 * applications and new accounts, so all three are counted.
 */
async function isStopped(
  { clock }: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplySession['application'],
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

/** The result that decides the user's next page. */
async function resultOf(
  context: BridgeContext,
  token: string,
  outcome: PaymentOutcome,
  method: PayingMethod,
): Promise<PaymentResult> {
  if (outcome.status === 'pending') return { status: 'pending', method };
  if (outcome.status === 'declined') return { status: 'declined', reason: outcome.reason, method };
  if (outcome.status === 'redirect') return outcome;
  const session = await findSession(context, token);
  return { status: session?.phase === 'open' ? 'unsigned' : 'submitted' };
}

/**
 * Finds the payment of an open application, and looks a pending one up at the processor;
 * `undefined` when there is none. A payment that was authorized while the application was
 * incomplete is used when it is complete. A declined one is the result until the user pays again,
 * because a notification or a job may have settled it while the user was away.
 */
export async function readPayment(
  context: BridgeContext,
  token: string,
  { application }: ApplySession,
): Promise<PaymentResult | undefined> {
  const payment = await findOpenPayment(context.db, application.id);
  if (payment?.status === 'pending') {
    return resultOf(context, token, await lookUpPayment(context, payment), payment.method);
  }
  if (!payment) {
    const newest = await findNewestPayment(context.db, application.id);
    if (newest?.status !== 'declined' || newest.declineReason === null) return undefined;
    return { status: 'declined', reason: newest.declineReason, method: newest.method };
  }
  const result = await changeStep(context, token, 'payment', async (trx, session): Promise<PaymentResult> => {
    if (await submitIfComplete(context, trx, session, payment.id)) return { status: 'submitted' };
    if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' };
    // It is being released: another payment is possible soon.
    return { status: 'pending', method: payment.method };
  });
  return result ?? { status: 'submitted' };
}

/**
 * Finds the payment of a submitted application, for its receipt; `undefined` when the partner pays.
 */
export async function findReceiptPayment(
  context: BridgeContext,
  { application }: ApplySession,
): Promise<AuthorizedPaymentRow | undefined> {
  // An earlier session of it may have been paid by the user, and released.
  if (application.paymentMethod === 'partner_billing') return undefined;
  return findAuthorizedPayment(context.db, application.id);
}

/**
 * The lifetime of the return URL for the processor's page. It opens the application, and the
 * processor knows it.
 */
const returnTtlMs = 3_600_000;

/**
 * Resolves a return URL of the processor's page to the newest link of the payment's application;
 * `undefined` when it is invalid or expired.
 */
export async function findPaymentReturn(
  context: BridgeContext,
  paymentId: string,
  token: string,
): Promise<{ applicationUrl: string } | undefined> {
  const isTokenOf = (mode: Mode) => context.links.isPaymentReturn(mode, paymentId, token);
  // Before anything is read: strangers can try as many tokens as they like.
  if (!modes.some(isTokenOf)) return undefined;
  const payment = await findPaymentById(context.db, paymentId);
  if (!payment || context.clock().getTime() - payment.createdAt.getTime() > returnTtlMs) return undefined;
  const application = await findApplicationById(context.db, payment.applicationId);
  if (!isTokenOf(application.mode)) return undefined;
  return { applicationUrl: context.links.applicationUrl(application, application.linkHash) };
}

/** Looks up a pending payment after the user returned from the processor's page. */
export async function returnFromProcessor(context: BridgeContext, paymentId: string): Promise<void> {
  const payment = await findPaymentById(context.db, paymentId);
  if (payment?.status === 'pending') await lookUpPayment(context, payment);
}

/**
 * Ends a pending payment whose user left the processor's page without paying, so that the user can
 * choose how to pay again. The processor decides: a payment that was made in another window counts.
 */
export async function cancelAtProcessor(context: BridgeContext, paymentId: string): Promise<void> {
  const payment = await findPaymentById(context.db, paymentId);
  if (payment?.status !== 'pending') return;
  const { mode } = await findApplicationById(context.db, payment.applicationId);
  await context.processorFor(mode)?.closePage?.(paymentKey(payment, mode));
  await lookUpPayment(context, payment);
}
