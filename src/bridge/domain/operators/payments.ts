import type { Mode } from '../../../contract/index.js';
import { findListedPayments, type ListedPaymentRow } from '../../store/applications/payment-list-store.js';
import type { BridgeContext } from '../context.js';
import { isCaptured } from '../payments/operations.js';

/** How far a payment is. */
export type PaymentState = 'pending' | 'declined' | 'authorized' | 'captured' | 'voided';

/** A payment as an operator sees it. Nothing of it is private. */
export interface ListedPayment {
  id: string;
  applicationId: string;
  agencyName: string;
  mode: Mode;
  createdAt: Date;
  amountCents: number;
  status: PaymentState;
  refundedCents: number;
  /** What is left to give back; 0 unless the payment is captured. */
  refundableCents: number;
  /** What the processor calls it; "" before it has said so. */
  reference: string;
  /** The code of what a person should look at; "" where there is nothing. */
  problem: string;
}

/** Few enough to look through. */
const pageSize = 50;

/**
 * Lists payments, the newest first.
 *
 * @param after Where a page begins, as `next` said it.
 */
export async function listPayments(
  { db }: Pick<BridgeContext, 'db'>,
  filter: { applicationId?: string | undefined },
  after?: string,
): Promise<{ payments: ListedPayment[]; next: string | undefined }> {
  const rows = await findListedPayments(db, { ...filter, before: readPlace(after), limit: pageSize + 1 });
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    payments: shown.map(describePayment),
    next: rows.length > pageSize && last !== undefined ? `${last.created_at.toISOString()}~${last.id}` : undefined,
  };
}

function readPlace(after: string | undefined): { createdAt: Date; id: string } | undefined {
  const [text = '', id = ''] = after?.split('~') ?? [];
  const createdAt = new Date(text);
  return id === '' || Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id };
}

function describePayment(row: ListedPaymentRow): ListedPayment {
  const captured = isCaptured(row) && row.voided_at === null;
  return {
    id: row.id,
    applicationId: row.application_id,
    agencyName: row.agency_name,
    mode: row.mode,
    createdAt: row.created_at,
    amountCents: row.amount_cents,
    status: stateOf(row, captured),
    refundedCents: row.refunded_cents,
    refundableCents: captured ? row.amount_cents - row.refunded_cents : 0,
    reference: row.reference ?? '',
    problem: row.problem ?? '',
  };
}

function stateOf(row: ListedPaymentRow, captured: boolean): PaymentState {
  if (row.status !== 'accepted') return row.status;
  if (row.voided_at !== null) return 'voided';
  return captured ? 'captured' : 'authorized';
}
