import type { Selectable } from 'kysely';
import type { SimulatedPaymentTable } from '../tables/payment-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `simulated_payment` as it is read. */
export type SimulatedPaymentRow = Selectable<SimulatedPaymentTable>;

/** Writes a payment unless it exists. Resolves with the stored row. */
export async function beginSimulatedPayment(
  db: Database,
  payment: Pick<SimulatedPaymentRow, 'payment_id' | 'status' | 'reference' | 'card_last4' | 'answers_at'>,
): Promise<SimulatedPaymentRow> {
  await db
    .insertInto('simulated_payment')
    .values({ ...payment, refunds: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('simulated_payment')
    .selectAll()
    .where('payment_id', '=', payment.payment_id)
    .executeTakeFirstOrThrow();
}

/** A simulated payment by the id of the payment. */
export function findSimulatedPayment(db: Database, paymentId: string): Promise<SimulatedPaymentRow | undefined> {
  return db.selectFrom('simulated_payment').selectAll().where('payment_id', '=', paymentId).executeTakeFirst();
}

/** As {@link findSimulatedPayment}, and locks the row until the transaction ends. */
export function lockSimulatedPayment(
  trx: DatabaseTransaction,
  paymentId: string,
): Promise<SimulatedPaymentRow | undefined> {
  return trx
    .selectFrom('simulated_payment')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();
}

/** Changes a simulated payment. */
export async function updateSimulatedPayment(
  db: Database,
  paymentId: string,
  change: Partial<Pick<SimulatedPaymentRow, 'status' | 'captured_cents' | 'is_voided'>> & { refunds?: string },
): Promise<void> {
  await db.updateTable('simulated_payment').set(change).where('payment_id', '=', paymentId).execute();
}
