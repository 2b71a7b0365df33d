import { sql, type Kysely } from 'kysely';

/**
 * The texts that users sign are kept as long as their signatures, also when the catalogue changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table wording (
    version text primary key,
    language text not null,
    text jsonb not null,
    created_at timestamptz not null
  )`.execute(db);
}
