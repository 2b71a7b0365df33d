import { sql, type Kysely } from 'kysely';

/**
 * Onboarded producers, members of teams, subscriptions (operations 5 and 9 to 13). Every query is
 * for one owner and some NPNs, or reads one owner's NPNs in order: the primary keys serve all of
 * them.
 *
 * The two long tables do not reference `agency`: agencies are never deleted, rows are only written
 * for a caller whose token references one, and checking the reference for each row takes half the
 * time of the insert (PostgreSQL 18, 10,000 rows).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table onboarded_producer (
    agency_id text not null,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    onboard_type text not null check (onboard_type in ('subscribe', 'team')),
    onboarded_at timestamptz not null,
    primary key (agency_id, mode, npn)
  )`,
  `create table team_member (
    agency_id text not null,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    payment_responsibility text not null check (payment_responsibility in ('agency', 'producer')),
    email text not null,
    first_name text not null,
    last_name text not null,
    phone text,
    gender text,
    ssn_sealed text,
    updated_at timestamptz not null,
    primary key (agency_id, mode, npn),
    foreign key (agency_id, mode, npn) references onboarded_producer
  )`,
  `create table subscription (
    agency_id text not null,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    added_at timestamptz not null,
    primary key (agency_id, mode, npn)
  )`,
];
