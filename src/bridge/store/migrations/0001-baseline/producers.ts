/**
 * The embedded registry, onboarded producers, subscriptions, bulk onboarding and territories.
 *
 * Every query of the onboarded producers is for one owner and some NPNs, or reads one owner's NPNs
 * in order: the primary key serves all of them. `onboarded_producer` and `subscription` do not
 * reference `agency`: agencies are never deleted, rows are only written for a caller whose token
 * references one, and checking the reference for each row takes half the time of the insert
 * (PostgreSQL 18, 10,000 rows).
 */
export const producers = [
  // The documents are json, not jsonb: no query reads inside them, json keeps the order of the keys,
  // and it is not reformatted when it is read.
  `create table registry_producer (
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    first_name text not null,
    last_name text not null,
    look_up_hash bytea,
    ssn_encrypted text,
    active_licenses jsonb not null,
    detail json not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (mode, npn)
  )`,
  `create index registry_producer_look_up on registry_producer (mode, look_up_hash) where look_up_hash is not null`,
  `create table registry_update (
    id bigint generated always as identity primary key,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    updated_at timestamptz not null,
    changes text[] not null,
    detail json not null,
    foreign key (mode, npn) references registry_producer
  )`,
  `create index registry_update_latest on registry_update (mode, npn, updated_at desc, id desc)`,
  `create index registry_update_age on registry_update (updated_at, id)`,
  `create table registry_import (
    mode text not null check (mode in ('live', 'test')),
    file_hash bytea not null,
    progress jsonb not null,
    updated_at timestamptz not null,
    primary key (mode, file_hash)
  )`,
  // Several times faster than the default, which matters for a million documents. Not every server
  // is built with it.
  `do $$ begin
    alter table registry_producer alter column detail set compression lz4;
    alter table registry_update alter column detail set compression lz4;
  exception when feature_not_supported then null;
  end $$`,
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
    updated_at timestamptz not null,
    primary key (agency_id, mode, npn),
    foreign key (agency_id, mode, npn) references onboarded_producer
  )`,
  // The agency comes last: an update of a producer finds its subscribers, and every other query
  // knows the whole key.
  `create table subscription (
    agency_id text not null,
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    added_at timestamptz not null,
    primary key (mode, npn, agency_id)
  )`,
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
  `create index bulk_onboarding_completed on bulk_onboarding (completed_at) where completed_at is not null`,
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
