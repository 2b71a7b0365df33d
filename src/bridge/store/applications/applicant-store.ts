import { type Insertable, type Selectable, sql } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import type { IdentityCheckTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, StoredProfile } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `applicant` as it is read. */
export type ApplicantRow = Selectable<ApplicantTable>;

/** The columns that identify a user, and by which an application references one. */
export type ApplicantKey = Pick<ApplicationRow, 'agencyId' | 'mode' | 'userId'>;

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
): Promise<Pick<ApplicantRow, 'profile' | 'updatedAt'>> {
  const set = JSON.stringify(change.set);
  return db
    .insertInto('applicant')
    .values({
      agencyId: owner.agencyId,
      mode: owner.mode,
      userId,
      profile: set,
      ssnEncrypted: null,
      answersSubmittedAt: null,
      heldAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['agencyId', 'mode', 'userId']).doUpdateSet({
        profile: sql<string>`(applicant.profile || ${set}::jsonb) - ${change.remove}::text[]`,
        updatedAt: now,
      }),
    )
    .returning(['profile', 'updatedAt'])
    .executeTakeFirstOrThrow();
}

/** Finds a user and locks the row, so that no legal hold begins meanwhile. */
export function lockApplicant(trx: DatabaseTransaction, user: ApplicantKey): Promise<ApplicantRow | undefined> {
  return trx
    .selectFrom('applicant')
    .selectAll()
    .where(ownedBy(user, 'applicant'))
    .where('userId', '=', user.userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Changes the row of a user. */
export async function updateApplicant(
  trx: DatabaseTransaction,
  user: ApplicantKey,
  change: Partial<
    Pick<
      Insertable<ApplicantTable>,
      'heldAt' | 'profile' | 'ssnEncrypted' | 'answersSubmittedAt' | 'proofEmailEncrypted'
    >
  >,
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set(change)
    .where(ownedBy(user, 'applicant'))
    .where('userId', '=', user.userId)
    .execute();
}

/** Finds a partner's user, such as the user of an application. */
export function findApplicant(db: Database, key: ApplicantKey): Promise<ApplicantRow> {
  return db
    .selectFrom('applicant')
    .selectAll()
    .where('agencyId', '=', key.agencyId)
    .where('mode', '=', key.mode)
    .where('userId', '=', key.userId)
    .executeTakeFirstOrThrow();
}

/** Stores what the user's next application can reuse of this one. */
export async function rememberApplicant(
  trx: DatabaseTransaction,
  key: ApplicantKey,
  change: { ssnEncrypted: string; answersSubmittedAt: Date; proofEmailEncrypted: string | null },
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set(change)
    .where('agencyId', '=', key.agencyId)
    .where('mode', '=', key.mode)
    .where('userId', '=', key.userId)
    .execute();
}

/**
 * Whether the identity of the user was checked in a session, and the count of wrong digits of this
 * user.
 */
export interface IdentityCheckRow {
  passedAt: Date | null;
  codeSerial: number;
  codeSentAt: Date | null;
  codePassedAt: Date | null;
  wrongCount: number;
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
    .leftJoin('identityCheck', (join) => join.on('sessionId', '=', sessionId))
    .select(['passedAt', 'codeSentAt', 'codePassedAt', wrongSince(since).as('wrongCount')])
    .select((eb) => eb.fn.coalesce('codeSerial', eb.lit(0)).as('codeSerial'))
    .where('agencyId', '=', user.agencyId)
    .where('mode', '=', user.mode)
    .where('userId', '=', user.userId)
    .executeTakeFirstOrThrow();
}

/** Finds the identity check of a session by its id; `undefined` before anything was typed in it. */
export function findSessionCheck(
  db: Database,
  sessionId: string,
): Promise<Pick<Selectable<IdentityCheckTable>, 'passedAt' | 'codeSerial' | 'codeSentAt'> | undefined> {
  return db
    .selectFrom('identityCheck')
    .select(['passedAt', 'codeSerial', 'codeSentAt'])
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
}

type SessionOfCheck = Pick<Insertable<IdentityCheckTable>, 'sessionId' | 'applicationId' | 'expiresAt'>;

/**
 * Records that the identity check of a session succeeded. `codePassedAt`: when a code was typed, null
 * where none was.
 */
export async function savePassedCheck(
  trx: DatabaseTransaction,
  check: SessionOfCheck & { passedAt: Date; codePassedAt: Date | null },
): Promise<void> {
  const { passedAt, codePassedAt } = check;
  await trx
    .insertInto('identityCheck')
    .values(check)
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ passedAt, codePassedAt }))
    .execute();
}

/** Records a code that is sent to a session, after the right digits. */
export async function saveCode(
  trx: DatabaseTransaction,
  check: SessionOfCheck & { codeSerial: number; codeSentAt: Date },
): Promise<void> {
  const { codeSerial, codeSentAt } = check;
  await trx
    .insertInto('identityCheck')
    .values(check)
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ codeSerial, codeSentAt }))
    .execute();
}

/**
 * Counts one more code of a user since a time, unless there are `max` already. Resolves with whether
 * it was counted. The first one starts a new period.
 */
export async function takeCode(
  trx: DatabaseTransaction,
  user: ApplicantKey,
  { since, max, now }: { since: Date; max: number; now: Date },
): Promise<boolean> {
  const isCurrent = sql<boolean>`(codes_since is not null and codes_since > ${since})`;
  const counted = await trx
    .updateTable('applicant')
    .set({
      codesCount: sql<number>`case when ${isCurrent} then codes_count else 0 end + 1`,
      codesSince: sql<Date>`case when ${isCurrent} then codes_since else ${now} end`,
    })
    .where(ownedBy(user, 'applicant'))
    .where('userId', '=', user.userId)
    .where(sql<boolean>`(not ${isCurrent} or codes_count < ${max})`)
    .returning('userId')
    .executeTakeFirst();
  return counted !== undefined;
}

/**
 * Reads the count of wrong digits of a user since a time. Locks the user's row: sessions of other
 * applications count too, and concurrent tries must not exceed the limit.
 */
export async function lockWrongDigits(trx: DatabaseTransaction, user: ApplicantKey, since: Date): Promise<number> {
  const { wrongCount: count } = await trx
    .selectFrom('applicant')
    .select(wrongSince(since).as('wrongCount'))
    .where('agencyId', '=', user.agencyId)
    .where('mode', '=', user.mode)
    .where('userId', '=', user.userId)
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
    .set({ wrongDigitsCount: count, ...(count === 1 ? { wrongDigitsSince: now } : {}) })
    .where('agencyId', '=', user.agencyId)
    .where('mode', '=', user.mode)
    .where('userId', '=', user.userId)
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
    .updateTable('identityCheck')
    .set({ passedAt: null, codeSentAt: null, codePassedAt: null })
    .where('applicationId', '=', applicationId)
    .where('sessionId', '<>', sessionId)
    .execute();
}

function wrongSince(since: Date) {
  return sql<number>`case when wrong_digits_since > ${since} then wrong_digits_count else 0 end`;
}
