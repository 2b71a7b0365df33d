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

/** Deactivates an agency; the first time counts. Resolves with the row, or `undefined` when there is none. */
export function deactivateAgencyRow(db: Database, id: string, now: Date): Promise<AgencyRow | undefined> {
  return db
    .updateTable('agency')
    .set((eb) => ({ deactivated_at: eb.fn.coalesce('deactivated_at', eb.val(now)) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** The name of an agency, as the user may see it. */
export async function findAgencyName(db: Database, agencyId: string): Promise<string> {
  const { name } = await db.selectFrom('agency').select('name').where('id', '=', agencyId).executeTakeFirstOrThrow();
  return name;
}
