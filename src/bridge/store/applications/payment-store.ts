import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { PaymentTable } from '../tables/tables.js';

/** A row of `payment` as it is read. */
export type PaymentRow = Selectable<PaymentTable>;

/** The one payment of an application that is under way or accepted. */
export function findPayment(db: Database, applicationId: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('status', '<>', 'declined')
    .executeTakeFirst();
}

/** Counts the payments of an application that were declined from a time on. */
export async function countDeclined(db: Database, applicationId: string, from: Date): Promise<number> {
  const { count } = await db
    .selectFrom('payment')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('application_id', '=', applicationId)
    .where('status', '=', 'declined')
    .where('created_at', '>=', from)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Notes a payment before its charge is sent. A second one beside it fails by a unique index. */
export async function insertPendingPayment(
  trx: DatabaseTransaction,
  payment: { id: string; applicationId: string; amountCents: number; cardLast4: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('payment')
    .values({
      id: payment.id,
      application_id: payment.applicationId,
      amount_cents: payment.amountCents,
      status: 'pending',
      card_last4: payment.cardLast4,
      reference: null,
      created_at: payment.now,
      updated_at: payment.now,
    })
    .execute();
}

/**
 * Notes how a payment ended. Answers whether that was news, so that only one of two settlers goes on. A charge that was given up as
 * lost may arrive after all, unless another payment has taken its place.
 */
export async function settlePayment(
  trx: DatabaseTransaction,
  payment: { id: string; status: 'accepted' | 'declined'; reference: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payment')
    .set({ status: payment.status, reference: payment.reference, updated_at: payment.now })
    .where('id', '=', payment.id)
    .where('status', 'in', payment.status === 'accepted' ? ['pending', 'declined'] : ['pending'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payment as other')
            .select('other.id')
            .whereRef('other.application_id', '=', 'payment.application_id')
            .whereRef('other.id', '<>', 'payment.id')
            .where('other.status', '<>', 'declined'),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Whether the money of a payment was taken, as far as it is noted. */
export async function isNotedAsAccepted(db: Database, id: string): Promise<boolean> {
  const payment = await db.selectFrom('payment').select('status').where('id', '=', id).executeTakeFirst();
  return payment?.status === 'accepted';
}
