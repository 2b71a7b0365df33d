import { sql, type Kysely } from 'kysely';

/** The audit trail: actions on SSNs, credentials and decisions, with actor and time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Identity, not a random id: entries with the same time keep their order. No foreign key: an
  // entry outlives its subject.
  await sql`create table audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    agency_id text not null,
    mode text check (mode in ('live', 'test')),
    actor text not null,
    action text not null,
    subject text not null,
    request_id text,
    result text not null
  )`.execute(db);
  await sql`create index audit_entry_agency on audit_entry (agency_id, id)`.execute(db);
}
