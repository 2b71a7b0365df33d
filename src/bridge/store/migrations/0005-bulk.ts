import { sql, type Kysely } from 'kysely';

/** Bulk onboarding (operations 6 to 8). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table bulk_onboarding (
    id uuid primary key,
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    onboard_type text not null check (onboard_type in ('lookup', 'subscribe')),
    total_count integer not null,
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  `create table bulk_item (
    bulk_id uuid not null references bulk_onboarding,
    position integer not null,
    npn bigint not null,
    outcome integer,
    primary key (bulk_id, position)
  )`,
];
