import { sql, type Kysely } from 'kysely';

/** The secrets that sign the webhooks of an agency, one per mode. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table webhook_secret (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    secret_sealed text not null,
    created_at timestamptz not null,
    primary key (agency_id, mode)
  )`.execute(db);
}
