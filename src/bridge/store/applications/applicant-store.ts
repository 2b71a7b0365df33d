import { type Insertable, type Selectable, sql } from 'kysely';
import type { Owner } from '../owner.js';
import type { IdentityCheckTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, StoredProfile } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `applicant` as it is read. */
export type ApplicantRow = Selectable<ApplicantTable>;

/** What names a user: as an application refers to one. */
export type ApplicantKey = Pick<ApplicationRow, 'agency_id' | 'mode' | 'user_id'>;

/** A change of a profile: `set` replaces fields, `remove` takes them away. */
export interface ProfileChange {
  set: StoredProfile;
  remove: string[];
}

/** Merges a change into a user's profile, and makes the user when new. One statement: two merges at once both count. */
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
      ssn_sealed: null,
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

/** A partner's user, such as that of an application. */
export function findApplicant(db: Database, key: ApplicantKey): Promise<ApplicantRow> {
  return db
    .selectFrom('applicant')
    .selectAll()
    .where('agency_id', '=', key.agency_id)
    .where('mode', '=', key.mode)
    .where('user_id', '=', key.user_id)
    .executeTakeFirstOrThrow();
}

/** Keeps for the user's next application what this one brought. */
export async function rememberApplicant(
  trx: DatabaseTransaction,
  key: ApplicantKey,
  change: { ssn_sealed: string; answers_submitted_at: Date },
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set(change)
    .where('agency_id', '=', key.agency_id)
    .where('mode', '=', key.mode)
    .where('user_id', '=', key.user_id)
    .execute();
}

/** Whether a session has proved its user, and how often the digits of its user were wrong. */
export interface IdentityCheckRow {
  passed_at: Date | null;
  wrong_count: number;
}

/** Finds the identity check of a user's session. Wrong digits count since a time. */
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

/** Notes that a session has proved who uses it. */
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
 * How often the digits of a user were wrong since a time. Locks the user's row: the sessions of other applications count too, and
 * of many tries at once none may slip past the count.
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

/** Counts wrong digits of a user. The first ones begin a new day. */
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

/** Another SSN was typed: what the application's other sessions proved was about the one before. */
export async function forgetOtherChecks(
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
