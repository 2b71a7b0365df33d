import { sql, type Kysely } from 'kysely';

/** Account settings (operation 2) and resets of a credential (operation 4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table account_setting (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    business_email text not null,
    webhook_preference text not null check (webhook_preference in ('PDB-update', 'entity-info')),
    webhook_url text,
    updated_at timestamptz not null,
    primary key (agency_id, mode)
  )`,
  `alter table credential add column secrets_serial integer not null default 1`,
];
