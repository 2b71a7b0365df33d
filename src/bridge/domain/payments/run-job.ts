import { findApplicationById, lockOwnApplication } from '../../store/applications/application-store.js';
import {
  findPaymentById,
  findRefunds,
  lockPayment,
  settleRefund,
  updatePayment,
  type PaymentRow,
} from '../../store/payments/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { OperationOutcome, PaymentProcessor } from '../../ports/payment-processor.js';
import type { BridgeContext } from '../context.js';
import type { PaymentJob } from '../jobs.js';
import { auditPayment, isCaptured, voidAuthorized } from './operations.js';
import { lookUpPayment } from './settle.js';

/**
 * Runs a job. The request to the processor comes before the write to the database: a process that
 * is killed in between sends the request again, and the processor returns the same result.
 *
 * @throws when the result is unknown, so that the job is repeated.
 */
export async function runPaymentJob(context: BridgeContext, job: PaymentJob): Promise<void> {
  const payment = await findPaymentById(context.db, job.paymentId);
  if (!payment) return;
  if (job.kind === 'settle') return settle(context, payment);
  if (job.kind === 'release') return release(context, payment);
  const { mode } = await findApplicationById(context.db, payment.applicationId);
  const processor = context.processorFor(mode);
  if (!processor) throw new Error('No payment processor serves this mode any more: a payment waits for one.');
  const asked = { paymentId: payment.id, mode };
  if (job.kind === 'capture') {
    if (isCaptured(payment)) return;
    const outcome = await processor.capture({ ...asked, amountCents: payment.amountCents });
    await note(context, payment, outcome, 'payment.captured', { capturedAt: context.clock() });
  } else if (job.kind === 'void') {
    if (payment.voidedAt !== null) return;
    await note(context, payment, await processor.void(asked), 'payment.voided', { voidedAt: context.clock() });
  } else {
    await refund(context, processor, payment, { ...asked, refundId: job.refundId ?? '' });
  }
}

/** Looks up a pending payment. When it stays pending, the repeated job looks it up again. */
async function settle(context: BridgeContext, payment: PaymentRow): Promise<void> {
  if (payment.status !== 'pending') return;
  await lookUpPayment(context, payment);
  const { status } = (await findPaymentById(context.db, payment.id)) ?? payment;
  if (status === 'pending') throw new Error('The processor does not have the result of a payment yet.');
}

/** Releases the payment of an application that was not submitted in time. */
async function release(context: BridgeContext, { id, applicationId }: PaymentRow): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    const payment = await lockPayment(trx, id);
    if (payment?.status === 'accepted' && application?.submittedAt === null) {
      await voidAuthorized(context, trx, payment);
    }
  });
}

async function refund(
  context: BridgeContext,
  processor: PaymentProcessor,
  payment: PaymentRow,
  asked: { paymentId: string; refundId: string; mode: 'live' | 'test' },
): Promise<void> {
  const refunds = await findRefunds(context.db, payment.id);
  const row = refunds.find(({ id }) => id === asked.refundId);
  if (!row || row.refundedAt !== null || row.problem !== null) return;
  const outcome = await processor.refund({ ...asked, amountCents: row.amountCents });
  const isDone = outcome.status === 'done';
  await context.db.transaction().execute(async (trx) => {
    const current = await lockPayment(trx, payment.id);
    const ended = { refundedAt: isDone ? context.clock() : null, problem: isDone ? null : outcome.reason };
    if (!current || !(await settleRefund(trx, row.id, ended))) return;
    const refundedCents = current.refundedCents + (isDone ? row.amountCents : 0);
    await updatePayment(trx, payment.id, { refundedCents, updatedAt: context.clock() });
    await auditPayment(context, trx, current, 'payment.refunded', isDone ? 'done' : outcome.reason);
  });
  if (!isDone) logRefusal(context, payment, 'refund', outcome.reason);
}

async function note(
  context: BridgeContext,
  payment: PaymentRow,
  outcome: OperationOutcome,
  action: 'payment.captured' | 'payment.voided',
  done: Partial<Pick<PaymentRow, 'capturedAt' | 'voidedAt'>>,
): Promise<void> {
  const isDone = outcome.status === 'done';
  await context.db.transaction().execute(async (trx: DatabaseTransaction) => {
    const current = await lockPayment(trx, payment.id);
    if (!current || (action === 'payment.captured' ? isCaptured(current) : current.voidedAt !== null)) return;
    const application = await findApplicationById(trx, current.applicationId);
    // A payment that was voided before the submission can be replaced by another one.
    const makesRoom = isDone && action === 'payment.voided' && application.submittedAt === null;
    await updatePayment(trx, payment.id, {
      ...(isDone ? { ...done, problem: null } : { problem: outcome.reason }),
      ...(makesRoom ? { status: 'declined' as const } : {}),
      updatedAt: context.clock(),
    });
    await auditPayment(context, trx, current, action, isDone ? 'done' : outcome.reason);
  });
  if (!isDone) logRefusal(context, payment, action, outcome.reason);
}

/** Needs a person's attention: a retry would not help. */
function logRefusal({ log }: BridgeContext, payment: PaymentRow, what: string, reason: string): void {
  const { id: paymentId, applicationId } = payment;
  log.error(
    { paymentId, applicationId, what, reason },
    'The payment processor refused. See the payment in the dashboard of the processor.',
  );
}
