import { sql, type Kysely } from 'kysely';

/** The kind of a document, as its user chose it: an answer may require one. Sealed, because it reveals the answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column kind_sealed text`.execute(db);
}
