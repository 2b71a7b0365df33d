import { sql, type Kysely } from 'kysely';

/** What a document is, as its user says: an answer may require one of a kind. Sealed, because it tells of the answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column kind_sealed text`.execute(db);
}
