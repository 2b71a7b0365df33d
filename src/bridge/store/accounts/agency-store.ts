import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { AgencyTable } from '../tables/tables.js';

/** A row of `agency` as it is read. */
export type AgencyRow = Selectable<AgencyTable>;

/** Writes a new agency. */
export async function insertAgency(db: Database, agency: Omit<AgencyRow, 'deactivated_at'>): Promise<void> {
  await db
    .insertInto('agency')
    .values({ ...agency, deactivated_at: null })
    .execute();
}

/** All agencies, the oldest first. */
export function findAgencies(db: Database): Promise<AgencyRow[]> {
  return db.selectFrom('agency').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** An agency by its id. */
export function findAgency(db: Database, id: string): Promise<AgencyRow | undefined> {
  return db.selectFrom('agency').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Locks an agency until the transaction ends, so that its credential changes one at a time. Not `for update`: a login under way
 * holds the credential and refers to the agency, and would wait for us while we wait for it.
 */
export function lockAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Reads an agency and keeps it from being changed until the transaction ends. A deactivation waits for the transaction, so that
 * nothing is collected or done for an agency any more once its deactivation is committed.
 */
export function shareAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Deactivates an agency; the first time counts. Resolves with the row, or `undefined` when there is none. */
export function deactivateAgencyRow(db: Database, id: string, now: Date): Promise<AgencyRow | undefined> {
  return db
    .updateTable('agency')
    .set((eb) => ({ deactivated_at: eb.fn.coalesce('deactivated_at', eb.val(now)) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Changes columns of an agency. Resolves with the row, or `undefined` when there is none. */
export function updateAgencyRow(
  db: Database,
  id: string,
  change: Partial<Pick<AgencyRow, 'name' | 'onboard_types' | 'deactivated_at'>>,
): Promise<AgencyRow | undefined> {
  return db.updateTable('agency').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}
