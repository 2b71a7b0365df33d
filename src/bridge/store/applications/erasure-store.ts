import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { removeDocuments } from './document-store.js';

/** An application that has ended: where the next batch starts. */
export interface EndedApplication {
  id: string;
  expires_at: Date;
}

/**
 * Locks the next applications, the longest ended first, that had ended by a moment and are not erased yet. What somebody else holds
 * is left out: it is found the next time.
 */
export function lockEnded(
  trx: DatabaseTransaction,
  { by, after, limit }: { by: Date; after: EndedApplication | undefined; limit: number },
): Promise<EndedApplication[]> {
  return (
    trx
      .selectFrom('application')
      .select(['id', 'expires_at'])
      .where(hasEnded(by))
      // Before it there are only those that wait for a department: they are not read again for each batch.
      .$if(after !== undefined, (query) =>
        query.where(sql<SqlBool>`(expires_at, id) > (${after?.expires_at}, ${after?.id})`),
      )
      .orderBy('expires_at')
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate('application')
      .skipLocked()
      .execute()
  );
}

/** How many applications had ended by a moment and are not erased yet. */
export async function countEnded(db: Database, by: Date): Promise<number> {
  const { count } = await db
    .selectFrom('application')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(hasEnded(by))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Every link has run out, and where it was submitted, every state is decided: approved and denied are final. One that waits for a
 * department has not ended, however long it waits.
 */
function hasEnded(by: Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`(application.erased_at is null and application.expires_at <= ${by}
    and not exists (select from application_state as state where state.application_id = application.id
      and (state.status in ('pending_review', 'requires_action') or state.updated_at > ${by}))
    and not exists (select from earlier_session as session where session.application_id = application.id
      and session.expires_at > ${by}))`;
}

/** Erases what users typed in applications that the caller holds. What departments and partners said stays. */
export async function eraseApplications(trx: DatabaseTransaction, ids: string[], now: Date): Promise<void> {
  await trx.deleteFrom('application_step').where('application_id', 'in', ids).execute();
  await trx.updateTable('application_action').set({ answer_sealed: null }).where('application_id', 'in', ids).execute();
  await removeDocuments(trx, { applicationIds: ids }, now);
  await trx.updateTable('application').set({ erased_at: now }).where('id', 'in', ids).execute();
}

/**
 * Erases what is kept for the next application of the users of some erased ones, unless they have another one that is not erased.
 * Resolves with how many users that were.
 */
export async function eraseApplicants(trx: DatabaseTransaction, ids: string[]): Promise<number> {
  const users = sql`(select distinct agency_id, mode, user_id from application where id = any(${ids}::text[])) as ended`;
  // A statement of its own, and in one order: of two that erase applications of one user at once, the second waits here, and then
  // sees what the first one erased. Otherwise each would take the other's for one that is not erased.
  await sql`select from applicant join ${users} using (agency_id, mode, user_id)
    order by agency_id, mode, user_id for no key update of applicant`.execute(trx);
  const { numAffectedRows } =
    await sql`update applicant set ssn_sealed = null, answers_submitted_at = null from ${users}
    where (applicant.agency_id, applicant.mode, applicant.user_id) = (ended.agency_id, ended.mode, ended.user_id)
      and applicant.ssn_sealed is not null
      and not exists (select from application as other
        where (other.agency_id, other.mode, other.user_id) = (ended.agency_id, ended.mode, ended.user_id)
          and other.erased_at is null)`.execute(trx);
  return Number(numAffectedRows);
}
