import { sql, type Kysely } from 'kysely';

/** The words that users sign are kept as long as their signatures, whatever the catalogue says later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table wording (
    version text primary key,
    language text not null,
    text jsonb not null,
    created_at timestamptz not null
  )`.execute(db);
}
