import {
  findOpenPayment,
  findRefunds,
  insertRefund,
  type PaymentRefundRow,
} from '../../store/payments/payment-store.js';
import { lockOwnApplication } from '../../store/applications/application-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit, type AuditActor } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { randomId } from '../keys/keys.js';
import { refundForm } from './committing-forms.js';
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
 * @throws ApiError `unknown_application`, or `invalid_request` when the amount exceeds the rest.
 * @throws ChangedSinceShownError when the payment or its refunds are not those of the page.
 */
export async function refundPayment(context: BridgeContext, request: RefundRequest): Promise<string> {
  const { applicationId, amountCents, actor, note } = request;
  const refundId = request.refundId ?? randomId('ref');
  await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    if (!application) throw new ApiError('unknown_application', 'applicationId: expected the id of an application');
    const payment = await findOpenPayment(trx, applicationId);
    const refunds = payment ? await findRefunds(trx, payment.id) : [];
    if (refunds.some(({ id }) => id === refundId)) return;
    const given = refunds.filter(({ problem }) => problem === null).reduce((sum, row) => sum + row.amountCents, 0);
    if (request.shown !== undefined && payment) {
      assertAsShown(context, refundForm, { payment, refunds }, request.shown);
    }
    const left = payment?.status === 'captured' ? payment.amountCents - given : 0;
    if (!payment || !Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > left) {
      throw new ApiError('invalid_request', `amountCents: expected 1 to ${String(left)}, what is left to refund`);
    }
    const now = context.clock();
    const refund = { id: refundId, paymentId: payment.id, amountCents, actor, requestedAt: now };
    await insertRefund(trx, refund);
    await context.schedule(trx, 'payment', { kind: 'refund', paymentId: payment.id, refundId }, 0);
    await recordAudit(trx, context, {
      agencyId: application.agencyId,
      mode: application.mode,
      actor,
      action: 'payment.refund_requested',
      subject: `${applicationId}/${refundId}`,
      result: String(amountCents),
      note,
    });
  });
  return refundId;
}

/** The refunds of a payment that were requested, oldest first. */
export function listRefunds({ db }: Pick<BridgeContext, 'db'>, paymentId: string): Promise<PaymentRefundRow[]> {
  return findRefunds(db, paymentId);
}
