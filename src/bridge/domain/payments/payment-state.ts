import { findApplicationById } from '../../store/applications/application-store.js';
import { movePaymentRow, type PaymentFacts, type PaymentRow } from '../../store/payments/payment-store.js';
import type { PaymentStatus } from '../../store/tables/payment-tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { type AuditAction, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';

/** A change of a payment, and the work that follows it in the same transaction. */
export interface PaymentTransition {
  from: readonly PaymentStatus[];
  to: PaymentStatus;
  /** The job that asks the processor. */
  job?: 'capture' | 'void';
  /** The audit entry. */
  audit?: AuditAction;
}

/**
 * Every change of a payment. A change that is not in this table does not happen, so repeated
 * answers of the processor and repeated jobs change nothing.
 */
export const paymentTransitions = {
  // A payment that was settled as declined can still be authorized: the answer came late.
  authorized: { from: ['pending', 'declined'], to: 'authorized', audit: 'payment.authorized' },
  /** Authorized after another payment replaced it, or after the submission. */
  authorizedTooLate: { from: ['pending', 'declined'], to: 'voiding', job: 'void' },
  declined: { from: ['pending'], to: 'declined' },

  captureRequested: { from: ['authorized'], to: 'capturing', job: 'capture' },
  captured: { from: ['capturing'], to: 'captured', audit: 'payment.captured' },
  /** A refusal needs a person: the payment stays where it is, with its `problem`. */
  captureRefused: { from: ['capturing'], to: 'capturing', audit: 'payment.captured' },

  // Never after a request to capture: money that may have been captured is refunded.
  voidRequested: { from: ['authorized'], to: 'voiding', job: 'void' },
  voided: { from: ['voiding'], to: 'voided', audit: 'payment.voided' },
  voidRefused: { from: ['voiding'], to: 'voiding', audit: 'payment.voided' },
} as const satisfies Record<string, PaymentTransition>;

/** The name of a change in {@link paymentTransitions}. */
export type PaymentEvent = keyof typeof paymentTransitions;

/**
 * Moves a payment as {@link paymentTransitions} says, with its job and audit entry, in the caller's
 * transaction. Resolves with whether it moved: of two callers at once, only one continues.
 */
export async function movePayment(
  context: Pick<BridgeContext, 'clock' | 'schedule'>,
  trx: DatabaseTransaction,
  paymentId: string,
  event: PaymentEvent,
  facts: PaymentFacts = {},
): Promise<boolean> {
  const { from, to, job, audit }: PaymentTransition = paymentTransitions[event];
  const payment = await movePaymentRow(trx, { id: paymentId, from, to, facts, now: context.clock() });
  if (!payment) return false;
  if (job) await context.schedule(trx, 'payment', { kind: job, paymentId }, 0);
  if (audit) await auditPayment(context, trx, payment, audit, facts.problem ?? 'done');
  return true;
}

/**
 * Whether a payment covers the fees of an application: its money is held or captured, and it has
 * this amount, which depends on later answers.
 */
export function coversFees({ status, amountCents }: PaymentRow, totalCents: number): boolean {
  const hasMoney = status === 'authorized' || status === 'capturing' || status === 'captured';
  return hasMoney && amountCents === totalCents;
}

/** Writes an audit entry about a payment, in the caller's transaction. */
export async function auditPayment(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  payment: PaymentRow,
  action: AuditAction,
  result: string,
): Promise<void> {
  const { agencyId, mode, id } = await findApplicationById(trx, payment.applicationId);
  await recordAudit(trx, context, { agencyId, mode, actor: 'bridge', action, subject: `${id}/${payment.id}`, result });
}
