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
    success_count integer not null,
    open_batches integer not null check (open_batches >= 0),
    created_at timestamptz not null,
    completed_at timestamptz
  )`,
  `create index bulk_onboarding_open on bulk_onboarding (agency_id, mode, created_at, id) where completed_at is null`,
  `create table bulk_batch (
    bulk_id uuid not null references bulk_onboarding,
    number integer not null,
    npns bigint[] not null,
    outcomes integer[],
    success_count integer not null,
    attempts integer not null,
    due_at timestamptz not null,
    primary key (bulk_id, number)
  )`,
  `create index bulk_batch_open on bulk_batch (bulk_id, number) where outcomes is null`,
  `create table bulk_turn (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    served bigint not null default 0,
    primary key (agency_id, mode)
  )`,
  `create sequence bulk_turn_number`,
];
