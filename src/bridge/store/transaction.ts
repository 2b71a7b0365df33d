import { findOutage, type DatabaseOutage } from './outages.js';
import type { Database, DatabaseTransaction } from './tables/typed-database.js';

/**
 * Runs `work` in a transaction, or in the given one. All transactions of the bridge run here. One
 * that the server undid in favor of another (a deadlock, or a conflict of serializable
 * transactions) runs once more, so `work` must only change the database and its own variables. One
 * whose commit got no answer does not: it may have been done.
 */
export async function inTransaction<Result>(
  db: Database | DatabaseTransaction,
  work: (trx: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db as DatabaseTransaction);
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    const outage: DatabaseOutage | undefined = findOutage(error);
    if (outage?.isTransactionUndone !== true) throw error;
    return db.transaction().execute(work);
  }
}
