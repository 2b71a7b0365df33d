import type { Selectable } from 'kysely';
import type { SimulatedPaymentTable } from '../tables/payment-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `simulated_payment` as it is read. */
export type SimulatedPaymentRow = Selectable<SimulatedPaymentTable>;

/** Writes a payment unless it exists. Resolves with the stored row. */
export async function beginSimulatedPayment(
  db: Database,
  payment: Pick<SimulatedPaymentRow, 'paymentId' | 'status' | 'reference' | 'cardLast4' | 'answersAt'>,
): Promise<SimulatedPaymentRow> {
  await db
    .insertInto('simulatedPayment')
    .values({ ...payment, refunds: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('simulatedPayment')
    .selectAll()
    .where('paymentId', '=', payment.paymentId)
    .executeTakeFirstOrThrow();
}

/** A simulated payment by the id of the payment. */
export function findSimulatedPayment(db: Database, paymentId: string): Promise<SimulatedPaymentRow | undefined> {
  return db.selectFrom('simulatedPayment').selectAll().where('paymentId', '=', paymentId).executeTakeFirst();
}

/** As {@link findSimulatedPayment}, and locks the row until the transaction ends. */
export function lockSimulatedPayment(
  trx: DatabaseTransaction,
  paymentId: string,
): Promise<SimulatedPaymentRow | undefined> {
  return trx
    .selectFrom('simulatedPayment')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();
}

/** Changes a simulated payment. */
export async function updateSimulatedPayment(
  db: Database,
  paymentId: string,
  change: Partial<Pick<SimulatedPaymentRow, 'status' | 'capturedCents' | 'isVoided'>> & { refunds?: string },
): Promise<void> {
  await db.updateTable('simulatedPayment').set(change).where('paymentId', '=', paymentId).execute();
}
