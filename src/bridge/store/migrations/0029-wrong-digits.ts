import { sql, type Kysely } from 'kysely';

/**
 * Wrong last four digits are counted by user, in all sessions together.
 * `identity_check.failed_count` stays for the previous version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table applicant
    add column wrong_digits_count integer not null default 0,
    add column wrong_digits_since timestamptz`.execute(db);
}
