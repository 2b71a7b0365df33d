import { sql, type Kysely } from 'kysely';

/**
 * The kind of a document that the user chose, which an answer may require. Encrypted, because it
 * reveals the answer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column kind_sealed text`.execute(db);
}
