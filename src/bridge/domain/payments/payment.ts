import { type Language, type Mode, modes } from '../../../contract/index.js';
import type { PayingMethod, PaymentOutcome } from '../../ports/payment-processor.js';
import { findActionLink, findApplicationById } from '../../store/applications/application-store.js';
import {
  type AuthorizedPaymentRow,
  findAuthorizedPayment,
  findFurtherFees,
  type FurtherFeeRow,
  findNewestPayment,
  findOpenPayment,
  findPaymentById,
} from '../../store/payments/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type ApplySession, changeStep, findSession } from '../applications/session.js';
import { firstIncompleteStep, submitIfComplete } from '../applications/submission.js';
import type { BridgeContext } from '../context.js';
import {
  authorizeBegun,
  beginPayment,
  type BegunPayment,
  countingDeclines,
  type Paying,
  unsettled,
  type UnsettledPayment,
} from './authorize.js';
import { paymentForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { feesOfSession } from './session-fees.js';
import { lookUpPayment, paymentKey } from './settle.js';

/**
 * The result of an attempt to pay.
 *
 * - `submitted`: the fees are authorized, now or before, and the application is submitted.
 * - `unsigned`: the application was changed after the signature. The user signs again.
 * - `unavailable`: there is no payment processor in this mode.
 */
export type PaymentResult = { status: 'submitted' | 'unsigned' | 'unavailable' } | UnsettledPayment;

/**
 * Pays the fees of a signed application, and submits it. Resolves with `undefined` when the
 * application is not open any more.
 *
 * @throws ChangedSinceShownError when the fees or the signature are not those of the page.
 */
export function payFees(
  context: BridgeContext,
  token: string,
  paying: Paying,
  language: Language,
): Promise<PaymentResult | undefined> {
  return countingDeclines(context.limiter, paying, async () => {
    const begun = await changeStep(context, token, 'payment', (trx, session) => begin(context, trx, session, paying));
    if (begun?.status !== 'begun') return begun;
    const outcome = await authorizeBegun(context, begun, paying, { language, description: 'License application fees' });
    return resultOf(context, token, outcome, paying.method);
  });
}

async function begin(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paying: Paying,
): Promise<BegunPayment | PaymentResult> {
  const { application } = session;
  const processor = context.processorFor(application.mode);
  if (!processor) return { status: 'unavailable' };
  if (firstIncompleteStep(session, 'payment')) return { status: 'unsigned' };
  assertAsShown(context, paymentForm, session, paying.shown);
  const existing = await findOpenPayment(trx, application.id);
  if (existing && (await submitIfComplete(context, trx, session, existing.id))) return { status: 'submitted' };
  if (existing) return { status: 'pending', method: existing.method };
  const amountCents = feesOfSession(session).totalCents;
  return beginPayment(context, trx, paying, { application, amountCents, processor });
}

/** The result that decides the user's next page. */
async function resultOf(
  context: BridgeContext,
  token: string,
  outcome: PaymentOutcome,
  method: PayingMethod,
): Promise<PaymentResult> {
  const open = unsettled(outcome, method);
  if (open) return open;
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

/** The payments on a receipt. */
export interface ReceiptPayments {
  /** The payment of the fees; `undefined` when the partner pays. */
  payment: AuthorizedPaymentRow | undefined;
  /** The further fees that were paid, oldest first. */
  furtherFees: readonly FurtherFeeRow[];
}

/** Finds the payments of a submitted application, for its receipt. */
export async function findReceiptPayments(
  context: BridgeContext,
  { application }: ApplySession,
): Promise<ReceiptPayments> {
  // An earlier session of it may have been paid by the user, and released.
  if (application.paymentMethod === 'partner_billing') return { payment: undefined, furtherFees: [] };
  const [payment, furtherFees] = await Promise.all([
    findAuthorizedPayment(context.db, application.id),
    findFurtherFees(context.db, application.id),
  ]);
  return { payment, furtherFees };
}

/**
 * The lifetime of the return URL for the processor's page. It opens the application, and the
 * processor knows it.
 */
const returnTtlMs = 3_600_000;

/**
 * Resolves a return URL of the processor's page to the page that the user paid on: with the newest
 * link of the payment's application, or with the link of the request that the further fee is for.
 * `undefined` when it is invalid or expired.
 */
export async function findPaymentReturn(
  context: BridgeContext,
  paymentId: string,
  token: string,
): Promise<{ pageUrl: string } | undefined> {
  const isTokenOf = (mode: Mode) => context.links.isPaymentReturn(mode, paymentId, token);
  // Before anything is read: strangers can try as many tokens as they like.
  if (!modes.some(isTokenOf)) return undefined;
  const payment = await findPaymentById(context.db, paymentId);
  if (!payment?.leadsBack || context.clock().getTime() - payment.createdAt.getTime() > returnTtlMs) return undefined;
  const application = await findApplicationById(context.db, payment.applicationId);
  if (!isTokenOf(application.mode)) return undefined;
  const { id: applicationId, mode } = application;
  const { state, serial } = payment;
  if (state === null || serial === null) {
    return { pageUrl: `${context.links.applicationUrl(application, application.linkHash)}/payment` };
  }
  const { hash, linkNumber } = await findActionLink(context.db, { applicationId, state, serial });
  return { pageUrl: context.links.actionUrl({ mode, applicationId, state, serial, linkNumber }, hash) };
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
