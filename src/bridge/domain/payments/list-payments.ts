import type { Mode, StateCode } from '../../../contract/index.js';
import { findListedPayments, type ListedPaymentRow } from '../../store/payments/payment-list-store.js';
import type { Scope } from '../../store/scope.js';
import type { PaymentStatus } from '../../store/tables/payment-tables.js';
import type { BridgeContext } from '../context.js';

/** A payment as shown to operators. Contains no private data. */
export interface ListedPayment {
  id: string;
  applicationId: string;
  agencyName: string;
  mode: Mode;
  createdAt: Date;
  /** The state of a further fee; `undefined` for the fees of the application. */
  state: StateCode | undefined;
  amountCents: number;
  status: PaymentStatus;
  refundedCents: number;
  /** The amount that can be refunded; 0 unless the payment is captured. */
  refundableCents: number;
  /** The reference of the processor; "" while it is unknown. */
  reference: string;
  /** The code of a problem that needs attention; "" without one. */
  problem: string;
}

/** The number of entries per page. */
const pageSize = 50;

/**
 * Lists payments, newest first.
 *
 * @param after The start of the page: `next` of the previous one.
 */
export async function listPayments(
  { db }: Pick<BridgeContext, 'db'>,
  filter: { scope: Scope; applicationId?: string | undefined },
  after?: string,
): Promise<{ payments: ListedPayment[]; next: string | undefined }> {
  const rows = await findListedPayments(db, { ...filter, before: readPlace(after), limit: pageSize + 1 });
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    payments: shown.map(describePayment),
    next: rows.length > pageSize && last !== undefined ? `${last.createdAt.toISOString()}~${last.id}` : undefined,
  };
}

function readPlace(after: string | undefined): { createdAt: Date; id: string } | undefined {
  const [text = '', id = ''] = after?.split('~') ?? [];
  const createdAt = new Date(text);
  return id === '' || Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id };
}

function describePayment(row: ListedPaymentRow): ListedPayment {
  return {
    id: row.id,
    applicationId: row.applicationId,
    agencyName: row.agencyName,
    mode: row.mode,
    createdAt: row.createdAt,
    state: row.state ?? undefined,
    amountCents: row.amountCents,
    status: row.status,
    refundedCents: row.refundedCents,
    refundableCents: row.status === 'captured' ? row.amountCents - row.refundedCents : 0,
    reference: row.reference ?? '',
    problem: row.problem ?? '',
  };
}
