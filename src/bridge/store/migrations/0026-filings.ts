import { sql, type Kysely } from 'kysely';

/** The filings of an application, one per state. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table filing (
    application_id text not null references application,
    state text not null,
    serial integer not null default 0,
    status text not null check (status in ('waiting', 'claimed', 'filed', 'answered')),
    claimed_by text,
    reference text,
    filed_by text,
    filed_at timestamptz,
    attempts integer not null default 0,
    last_error text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (application_id, state)
  )`,
  `create index filing_open on filing (created_at, application_id, state) where status in ('waiting', 'claimed')`,
];
