import { sql, type Kysely } from 'kysely';

/**
 * The reason of a declined payment: a bank may decline days later, and the user is told on the next
 * visit. Null for payments that an earlier version settled.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment add column decline_reason text`.execute(db);
}
