import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import { ownedBy } from '../owner.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { ApplicantKey } from '../applications/applicant-store.js';
import { removeDocuments } from '../documents/document-store.js';
import { deleteNotesOf } from '../applications/note-store.js';
import { deleteMailsOf } from '../mail/mail-store.js';
import type { ApplicationRow } from '../tables/tables.js';

/** The position of an ended application, from which the next batch starts. */
export interface EndedApplication {
  id: string;
  agencyId: string;
  mode: Mode;
  expiresAt: Date;
}

/**
 * Locks the next applications that had ended by a time and are not erased yet, oldest first. Skips
 * rows that another transaction holds; the next run finds them.
 */
export async function lockEnded(
  trx: DatabaseTransaction,
  { by, after, limit }: { by: Date; after: EndedApplication | undefined; limit: number },
): Promise<EndedApplication[]> {
  const locked = await trx
    .selectFrom('application')
    .select(['id', 'agencyId', 'mode', 'expiresAt'])
    .where(hasEnded(by))
    // The rows before it wait for a department; they are not read again for each batch.
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(expires_at, id) > (${after?.expiresAt}, ${after?.id})`),
    )
    .orderBy('expiresAt')
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate('application')
    .skipLocked()
    .execute();
  if (locked.length === 0) return locked;
  // A decision that was corrected between the snapshot of the statement and the lock has reopened its
  // application.
  const ids = locked.map(({ id }) => id);
  const ended = await trx.selectFrom('application').select('id').where('id', 'in', ids).where(hasEnded(by)).execute();
  return locked.filter(({ id }) => ended.some((row) => row.id === id));
}

/** Counts the applications that had ended by a time and are not erased yet. */
export async function countEnded(db: Database, by: Date): Promise<number> {
  const { count } = await db
    .selectFrom('application')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(hasEnded(by))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * An application has ended when all its links have expired and, if it was submitted, every state is
 * approved or denied, and was so by then. A corrected decision starts that time again. An
 * application that waits for a department has not ended, however long it waits. One of a user under
 * a legal hold is kept.
 */
function hasEnded(by: Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`(application.erased_at is null and application.expires_at <= ${by}
    and not exists (select from application_state as state where state.application_id = application.id
      and (state.status in ('pending_review', 'requires_action') or state.updated_at > ${by}))
    and not exists (select from earlier_session as session where session.application_id = application.id
      and session.expires_at > ${by})
    and not exists (select from applicant where applicant.held_at is not null
      and (applicant.agency_id, applicant.mode, applicant.user_id)
        = (application.agency_id, application.mode, application.user_id)))`;
}

/**
 * Erases what users typed in applications that the caller has locked. Statuses of departments and
 * data from partners stay.
 */
export async function eraseApplications(trx: DatabaseTransaction, ids: string[], now: Date): Promise<void> {
  await trx.deleteFrom('applicationStep').where('applicationId', 'in', ids).execute();
  await trx.updateTable('applicationAction').set({ answerEncrypted: null }).where('applicationId', 'in', ids).execute();
  await removeDocuments(trx, { applicationIds: ids }, now);
  await deleteMailsOf(trx, ids);
  await deleteNotesOf(trx, ids);
  const erased = { erasedAt: now, proofEmailEncrypted: null };
  await trx.updateTable('application').set(erased).where('id', 'in', ids).execute();
}

/**
 * Erases the data kept for the next application of users whose applications were erased, unless
 * they have an application that is not erased. Resolves with the number of users.
 */
export async function eraseApplicants(trx: DatabaseTransaction, ids: string[]): Promise<number> {
  const users = sql`(select distinct agency_id, mode, user_id from application where id = any(${ids}::text[])) as ended`;
  // A separate statement with a fixed order: when two transactions erase applications of one user,
  // the second waits here and then sees what the first one erased. Otherwise each would treat the
  // other's application as not erased.
  await sql`select from applicant join ${users} using (agency_id, mode, user_id)
    order by agency_id, mode, user_id for no key update of applicant`.execute(trx);
  const { numAffectedRows } =
    await sql`update applicant set ssn_encrypted = null, answers_submitted_at = null, proof_email_encrypted = null from ${users}
    where (applicant.agency_id, applicant.mode, applicant.user_id) = (ended.agency_id, ended.mode, ended.user_id)
      and applicant.ssn_encrypted is not null
      and not exists (select from application as other
        where (other.agency_id, other.mode, other.user_id) = (ended.agency_id, ended.mode, ended.user_id)
          and other.erased_at is null)`.execute(trx);
  return Number(numAffectedRows);
}

/** The applications of one user, oldest first, locked until the transaction ends. */
export function lockApplicationsOf(trx: DatabaseTransaction, user: ApplicantKey): Promise<ApplicationRow[]> {
  return trx
    .selectFrom('application')
    .selectAll()
    .where(ownedBy(user, 'application'))
    .where('userId', '=', user.userId)
    .orderBy('createdAt')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Which of these applications wait for a department. */
export async function findWaiting(trx: DatabaseTransaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom('applicationState')
    .select('applicationId')
    .distinct()
    .where('applicationId', 'in', ids)
    .where('status', 'in', ['pending_review', 'requires_action'])
    .orderBy('applicationId')
    .execute();
  return rows.map(({ applicationId }) => applicationId);
}
