import { sql, type Kysely } from 'kysely';

/** An agency that wants its webhooks signed has a secret for each mode. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table webhook_secret (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    secret_sealed text not null,
    created_at timestamptz not null,
    primary key (agency_id, mode)
  )`.execute(db);
}
