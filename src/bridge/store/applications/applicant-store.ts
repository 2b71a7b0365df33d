import { sql, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { Owner } from '../owner.js';
import type { ApplicantTable, ApplicationRow, StoredProfile } from '../tables/tables.js';

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
