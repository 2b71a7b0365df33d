import { type Insertable, type Selectable, sql } from 'kysely';
import type { Owner } from '../owner.js';
import type { IdentityCheckTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, StoredProfile } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `applicant` as it is read. */
export type ApplicantRow = Selectable<ApplicantTable>;

/** The columns that identify a user, and by which an application references one. */
export type ApplicantKey = Pick<ApplicationRow, 'agency_id' | 'mode' | 'user_id'>;

/** A change of a profile: `set` replaces fields, `remove` deletes them. */
export interface ProfileChange {
  set: StoredProfile;
  remove: string[];
}

/**
 * Merges a change into a user's profile, and creates the user when there is none. One statement, so
 * that two concurrent merges are both kept.
 */
export function mergeProfile(
  db: Database | DatabaseTransaction,
  owner: Owner,
  userId: string,
  change: ProfileChange,
  now: Date,
): Promise<Pick<ApplicantRow, 'profile' | 'updated_at'>> {
  const set = JSON.stringify(change.set);
  return db
    .insertInto('applicant')
    .values({
      agency_id: owner.agencyId,
      mode: owner.mode,
      user_id: userId,
      profile: set,
      ssn_encrypted: null,
      answers_submitted_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['agency_id', 'mode', 'user_id']).doUpdateSet({
        profile: sql<string>`(applicant.profile || ${set}::jsonb) - ${change.remove}::text[]`,
        updated_at: now,
      }),
    )
    .returning(['profile', 'updated_at'])
    .executeTakeFirstOrThrow();
}

/** Finds a partner's user, such as the user of an application. */
export function findApplicant(db: Database, key: ApplicantKey): Promise<ApplicantRow> {
  return db
    .selectFrom('applicant')
    .selectAll()
    .where('agency_id', '=', key.agency_id)
    .where('mode', '=', key.mode)
    .where('user_id', '=', key.user_id)
    .executeTakeFirstOrThrow();
}

/** Stores what the user's next application can reuse of this one. */
export async function rememberApplicant(
  trx: DatabaseTransaction,
  key: ApplicantKey,
  change: { ssn_encrypted: string; answers_submitted_at: Date },
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set(change)
    .where('agency_id', '=', key.agency_id)
    .where('mode', '=', key.mode)
    .where('user_id', '=', key.user_id)
    .execute();
}

/**
 * Whether the identity of the user was checked in a session, and the count of wrong digits of this
 * user.
 */
export interface IdentityCheckRow {
  passed_at: Date | null;
  wrong_count: number;
}

/** Finds the identity check of a user's session. Wrong digits are counted since a time. */
export function findIdentityCheck(
  db: Database,
  sessionId: string,
  user: ApplicantKey,
  since: Date,
): Promise<IdentityCheckRow> {
  return db
    .selectFrom('applicant')
    .leftJoin('identity_check', (join) => join.on('session_id', '=', sessionId))
    .select(['passed_at', wrongSince(since).as('wrong_count')])
    .where('agency_id', '=', user.agency_id)
    .where('mode', '=', user.mode)
    .where('user_id', '=', user.user_id)
    .executeTakeFirstOrThrow();
}

/** Records that the identity check of a session succeeded. */
export async function savePassedCheck(
  trx: DatabaseTransaction,
  check: Pick<Insertable<IdentityCheckTable>, 'session_id' | 'application_id' | 'expires_at'> & { passed_at: Date },
): Promise<void> {
  const { passed_at } = check;
  await trx
    .insertInto('identity_check')
    .values(check)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ passed_at }))
    .execute();
}

/**
 * Reads the count of wrong digits of a user since a time. Locks the user's row: sessions of other
 * applications count too, and concurrent tries must not exceed the limit.
 */
export async function lockWrongDigits(trx: DatabaseTransaction, user: ApplicantKey, since: Date): Promise<number> {
  const { wrong_count: count } = await trx
    .selectFrom('applicant')
    .select(wrongSince(since).as('wrong_count'))
    .where('agency_id', '=', user.agency_id)
    .where('mode', '=', user.mode)
    .where('user_id', '=', user.user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts wrong digits of a user. The first ones start a new period of 24 hours. */
export async function saveWrongDigits(
  trx: DatabaseTransaction,
  user: ApplicantKey,
  count: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set({ wrong_digits_count: count, ...(count === 1 ? { wrong_digits_since: now } : {}) })
    .where('agency_id', '=', user.agency_id)
    .where('mode', '=', user.mode)
    .where('user_id', '=', user.user_id)
    .execute();
}

/**
 * Resets the identity checks of an application's other sessions after another SSN was typed: they
 * were about the previous SSN.
 */
export async function deleteOtherChecks(
  trx: DatabaseTransaction,
  applicationId: string,
  sessionId: string,
): Promise<void> {
  await trx
    .updateTable('identity_check')
    .set({ passed_at: null })
    .where('application_id', '=', applicationId)
    .where('session_id', '<>', sessionId)
    .execute();
}

function wrongSince(since: Date) {
  return sql<number>`case when wrong_digits_since > ${since} then wrong_digits_count else 0 end`;
}
