import { sql, type Kysely } from 'kysely';

/** Territories and their producers (operations 14 to 16). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table territory (
    id text primary key,
    agency_id text not null references agency,
    name text not null,
    position bigint generated always as identity,
    states jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (agency_id, name)
  )`,
  `create index territory_order on territory (agency_id, position)`,
  `create table territory_assignment (
    agency_id text not null,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    territory_id text not null references territory,
    assigned_at timestamptz not null,
    primary key (territory_id, mode, npn),
    foreign key (agency_id, mode, npn) references onboarded_producer
  )`,
];
