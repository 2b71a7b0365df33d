import {
  findOpenPayment,
  findPaymentById,
  findRefunds,
  insertRefund,
  type PaymentRefundRow,
  type PaymentRow,
} from '../../store/payments/payment-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit, type AuditActor } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { lockApplication } from '../applications/lock-application.js';
import { ApiError } from '../errors/api-error.js';
import { randomId } from '../keys/keys.js';
import { refundConfirmationForm, refundForm } from './committing-forms.js';
import { propose, readProposal, takeProposal } from '../second-person/proposals.js';
import { assertOnePersonSuffices } from '../second-person/tasks.js';
import { assertAsShown } from '../shown/shown.js';
import { movePayment, type PaymentEvent } from './payment-state.js';

type Context = Parameters<typeof movePayment>[0];

/**
 * Requests the capture of a filed application's payment, in the caller's transaction; a job
 * captures it. Without effect when the partner pays, or when it was requested before.
 */
export function capturePayment(context: Context, trx: DatabaseTransaction, applicationId: string): Promise<void> {
  return moveOpenPayment(context, trx, applicationId, 'captureRequested');
}

/**
 * Requests the release of an authorized payment in the caller's transaction, such as of an
 * application that will not be filed; a job voids it. Without effect when a capture was requested:
 * use {@link refundPayment} then.
 */
export function voidPayment(context: Context, trx: DatabaseTransaction, applicationId: string): Promise<void> {
  return moveOpenPayment(context, trx, applicationId, 'voidRequested');
}

async function moveOpenPayment(
  context: Context,
  trx: DatabaseTransaction,
  applicationId: string,
  event: PaymentEvent,
): Promise<void> {
  const payment = await findOpenPayment(trx, applicationId);
  if (payment) await movePayment(context, trx, payment.id, event);
}

/** A refund and its actor. */
export interface RefundRequest {
  applicationId: string;
  /** The payment of a further fee. Default: the payment of the fees. */
  paymentId?: string | undefined;
  /** At least 1, and at most the captured amount that is not refunded yet. */
  amountCents: number;
  actor: AuditActor;
  /** The reason, in the operator's words. */
  note?: string | undefined;
  /** The id, so that a form that is sent twice causes one refund. Default: a new one. */
  refundId?: string | undefined;
  /** The token of the page of the refund. Default: no page was shown. */
  shown?: string | undefined;
}

/**
 * Refunds a part of a captured payment, or all of it: recorded and audited here, sent by a job.
 * Resolves with the id of the refund.
 *
 * @throws ApiError `unknown_application`, `invalid_request` when the amount exceeds the rest, or
 *   `invalid_transition` when a second person is required.
 * @throws ChangedSinceShownError when the payment or its refunds are not those of the page.
 */
export async function refundPayment(context: BridgeContext, request: RefundRequest): Promise<string> {
  assertOnePersonSuffices(context, 'refunds');
  const refundId = request.refundId ?? randomId('ref');
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, request.applicationId);
    const refundable = await findRefundable(trx, application.id, request.paymentId);
    if (refundable.refunds.some(({ id }) => id === refundId)) return;
    assertShown(context, refundable, request);
    await applyRefund(context, trx, application, refundable, { ...request, refundId });
  });
  return refundId;
}

/**
 * Proposes a refund to a second operator. A repeated proposal of the same id changes nothing.
 *
 * @throws ApiError and ChangedSinceShownError as {@link propose}; `invalid_request` when the amount
 *   exceeds the rest.
 */
export async function proposeRefund(
  context: BridgeContext,
  request: RefundRequest & { refundId: string; note: string },
): Promise<void> {
  const { applicationId, paymentId, amountCents, refundId, note, actor } = request;
  const key = { applicationId, kind: 'refund', state: '' } as const;
  const content = { refundId, amountCents, note, ...(paymentId !== undefined && { paymentId }) };
  if ((await readProposal(context, key))?.content.refundId === refundId) return;
  await propose(context, { ...key, content }, actor, async (trx) => {
    const refundable = await findRefundable(trx, applicationId, paymentId);
    assertShown(context, refundable, request);
    assertRefundable(refundable, amountCents);
  });
}

/**
 * Makes the refund that another operator has proposed.
 *
 * @throws ApiError as {@link refundPayment}, and `invalid_transition` for the operator's own proposal.
 * @throws ChangedSinceShownError when the payment, its refunds or the proposal are not those of the
 *   page.
 */
export async function confirmRefund(
  context: BridgeContext,
  { applicationId, actor, shown }: { applicationId: string; actor: AuditActor; shown: string },
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, applicationId);
    const proposal = await takeProposal(trx, { applicationId, kind: 'refund', state: '' }, actor);
    const refundable = await findRefundable(trx, applicationId, proposal.content.paymentId);
    const { payment, refunds } = refundable;
    if (payment) assertAsShown(context, refundConfirmationForm, { payment, refunds, proposal }, shown);
    await applyRefund(context, trx, application, refundable, { applicationId, actor, ...proposal.content });
  });
}

/** The payment of an application that can be refunded, and the refunds that were requested. */
interface Refundable {
  payment: PaymentRow | undefined;
  refunds: PaymentRefundRow[];
}

async function findRefundable(
  trx: DatabaseTransaction,
  applicationId: string,
  paymentId: string | undefined,
): Promise<Refundable> {
  const found = await (paymentId === undefined ? findOpenPayment(trx, applicationId) : findPaymentById(trx, paymentId));
  const payment = found?.applicationId === applicationId ? found : undefined;
  return { payment, refunds: payment ? await findRefunds(trx, payment.id) : [] };
}

function assertShown(context: BridgeContext, { payment, refunds }: Refundable, { shown }: RefundRequest): void {
  if (shown !== undefined && payment) assertAsShown(context, refundForm, { payment, refunds }, shown);
}

function assertRefundable({ payment, refunds }: Refundable, amountCents: number): PaymentRow {
  const given = refunds.filter(({ problem }) => problem === null).reduce((sum, row) => sum + row.amountCents, 0);
  const left = payment?.status === 'captured' ? payment.amountCents - given : 0;
  if (payment && Number.isSafeInteger(amountCents) && amountCents >= 1 && amountCents <= left) return payment;
  throw new ApiError('invalid_request', `amountCents: expected 1 to ${left}, what is left to refund`);
}

async function applyRefund(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { id, agencyId, mode }: ApplicationRow,
  refundable: Refundable,
  { amountCents, actor, note, refundId }: RefundRequest & { refundId: string },
): Promise<void> {
  const { id: paymentId } = assertRefundable(refundable, amountCents);
  await insertRefund(trx, { id: refundId, paymentId, amountCents, actor, requestedAt: context.clock() });
  await context.schedule(trx, 'payment', { kind: 'refund', paymentId, refundId }, 0);
  await recordAudit(trx, context, {
    agencyId,
    mode,
    actor,
    action: 'payment.refund_requested',
    subject: `${id}/${refundId}`,
    result: String(amountCents),
    note,
  });
}

/** The refunds of a payment that were requested, oldest first. */
export function listRefunds({ db }: Pick<BridgeContext, 'db'>, paymentId: string): Promise<PaymentRefundRow[]> {
  return findRefunds(db, paymentId);
}
