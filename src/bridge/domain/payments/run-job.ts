import { findApplicationById, lockOwnApplication } from '../../store/applications/application-store.js';
import {
  addRefunded,
  findPaymentById,
  findRefunds,
  settleRefund,
  type PaymentRow,
} from '../../store/payments/payment-store.js';
import { inTransaction } from '../../store/transaction.js';
import type { OperationOutcome, PaymentKey, PaymentProcessor } from '../../ports/payment-processor.js';
import type { BridgeContext } from '../context.js';
import type { PaymentJob } from '../jobs.js';
import { auditPayment, movePayment, type PaymentEvent } from './payment-state.js';
import { lookUpPayment, paymentKey } from './settle.js';

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
  const asked = paymentKey(payment, mode);
  if (job.kind === 'capture') {
    if (payment.status !== 'capturing') return;
    const outcome = await processor.capture({ ...asked, amountCents: payment.amountCents });
    await record(context, payment, outcome, { done: 'captured', refused: 'captureRefused' });
  } else if (job.kind === 'void') {
    if (payment.status !== 'voiding') return;
    const outcome = await processor.void(asked);
    await record(context, payment, outcome, { done: 'voided', refused: 'voidRefused' });
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
  await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    if (application?.submittedAt === null) await movePayment(context, trx, id, 'voidRequested');
  });
}

async function refund(
  context: BridgeContext,
  processor: PaymentProcessor,
  payment: PaymentRow,
  asked: PaymentKey & { refundId: string },
): Promise<void> {
  const refunds = await findRefunds(context.db, payment.id);
  const row = refunds.find(({ id }) => id === asked.refundId);
  if (!row || row.refundedAt !== null || row.problem !== null) return;
  const outcome = await processor.refund({ ...asked, amountCents: row.amountCents });
  const isDone = outcome.status === 'done';
  await inTransaction(context.db, async (trx) => {
    const now = context.clock();
    const ended = { refundedAt: isDone ? now : null, problem: isDone ? null : outcome.reason };
    if (!(await settleRefund(trx, row.id, ended))) return;
    if (isDone) await addRefunded(trx, payment.id, row.amountCents, now);
    await auditPayment(context, trx, payment, 'payment.refunded', isDone ? 'done' : outcome.reason);
  });
  if (!isDone) logRefusal(context, payment, 'refund', outcome.reason);
}

/** Records the processor's answer to a capture or a void. */
async function record(
  context: BridgeContext,
  payment: PaymentRow,
  outcome: OperationOutcome,
  events: { done: PaymentEvent; refused: PaymentEvent },
): Promise<void> {
  const isDone = outcome.status === 'done';
  const event = isDone ? events.done : events.refused;
  const problem = isDone ? null : outcome.reason;
  await inTransaction(context.db, (trx) => movePayment(context, trx, payment.id, event, { problem }));
  if (!isDone) logRefusal(context, payment, event, outcome.reason);
}

/** Needs a person's attention: a retry would not help. */
function logRefusal({ log }: BridgeContext, payment: PaymentRow, what: string, reason: string): void {
  const { id: paymentId, applicationId } = payment;
  log.error(
    { paymentId, applicationId, what, reason },
    'The payment processor refused. See the payment in the dashboard of the processor.',
  );
}
