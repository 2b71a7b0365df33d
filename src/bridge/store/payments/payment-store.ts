import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { PaymentRefundTable, PaymentTable } from '../tables/payment-tables.js';

/** A row of `payment` as it is read. */
export type PaymentRow = Selectable<PaymentTable>;

/** A row of `payment_refund` as it is read. */
export type PaymentRefundRow = Selectable<PaymentRefundTable>;

/** Finds the payment of an application that is pending or accepted. There is at most one. */
export function findPayment(db: Database, applicationId: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('status', '<>', 'declined')
    .executeTakeFirst();
}

/** Finds the newest payment of an application, in any status. */
export function findNewestPayment(db: Database, applicationId: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A payment by its id. */
export function findPaymentById(db: Database, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Counts the payments of an application that were declined since a time, without released ones. */
export async function countDeclined(db: Database, applicationId: string, from: Date): Promise<number> {
  const { count } = await db
    .selectFrom('payment')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('applicationId', '=', applicationId)
    .where('status', '=', 'declined')
    .where('voidedAt', 'is', null)
    .where('createdAt', '>=', from)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Records a payment before the request to the processor. A unique index rejects a second open
 * payment.
 */
export async function insertPendingPayment(
  trx: DatabaseTransaction,
  payment: Pick<PaymentRow, 'id' | 'applicationId' | 'amountCents' | 'method' | 'cardLast4'>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('payment')
    .values({ ...payment, status: 'pending', reference: null, createdAt: now, updatedAt: now })
    .execute();
}

/** The result of the authorization of a payment. */
export interface SettledPayment {
  id: string;
  status: 'accepted' | 'declined';
  reference: string | null;
  declineReason: PaymentRow['declineReason'];
  /** "" keeps the stored value. */
  cardLast4: string;
  now: Date;
}

/**
 * Records the result of a payment. Resolves with whether the row changed, so that only one of two
 * concurrent callers continues. A payment recorded as lost can still be authorized, unless another
 * payment replaced it.
 */
export async function settlePayment(trx: DatabaseTransaction, payment: SettledPayment): Promise<boolean> {
  const { id, status, reference, declineReason, cardLast4, now } = payment;
  const { numUpdatedRows } = await trx
    .updateTable('payment')
    .set({
      status,
      reference,
      declineReason,
      updatedAt: now,
      ...(cardLast4 === '' ? {} : { cardLast4 }),
      ...(status === 'accepted' ? { authorizedAt: now } : {}),
    })
    .where('id', '=', id)
    .where('voidRequestedAt', 'is', null)
    .where('status', 'in', status === 'accepted' ? ['pending', 'declined'] : ['pending'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payment as other')
            .select('other.id')
            .whereRef('other.applicationId', '=', 'payment.applicationId')
            .whereRef('other.id', '<>', 'payment.id')
            .where('other.status', '<>', 'declined'),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records a capture, void or problem of a payment. */
export async function updatePayment(
  db: Database,
  id: string,
  change: Partial<
    Pick<
      PaymentRow,
      | 'status'
      | 'redirectedAt'
      | 'captureRequestedAt'
      | 'capturedAt'
      | 'voidRequestedAt'
      | 'voidedAt'
      | 'refundedCents'
      | 'problem'
    >
  > & { updatedAt: Date },
): Promise<void> {
  await db.updateTable('payment').set(change).where('id', '=', id).execute();
}

/** Locks a payment until the transaction ends. */
export function lockPayment(trx: DatabaseTransaction, id: string): Promise<PaymentRow | undefined> {
  return trx.selectFrom('payment').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Records a refund before the request to the processor. */
export async function insertRefund(
  trx: DatabaseTransaction,
  refund: Pick<PaymentRefundRow, 'id' | 'paymentId' | 'amountCents' | 'actor' | 'requestedAt'>,
): Promise<void> {
  await trx.insertInto('paymentRefund').values(refund).execute();
}

/** Reads the refunds of a payment, oldest first. */
export function findRefunds(db: Database, paymentId: string): Promise<PaymentRefundRow[]> {
  return db
    .selectFrom('paymentRefund')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .orderBy('requestedAt')
    .orderBy('id')
    .execute();
}

/** Records the result of a refund. Resolves with whether the row changed. */
export async function settleRefund(
  trx: DatabaseTransaction,
  id: string,
  change: Pick<PaymentRefundRow, 'refundedAt' | 'problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('paymentRefund')
    .set(change)
    .where('id', '=', id)
    .where('refundedAt', 'is', null)
    .where('problem', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
