import { sql, type Kysely } from 'kysely';

/** The embedded producer registry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// The documents are json, not jsonb: no query reads inside them, json keeps the order of the keys,
// and it is not reformatted when it is read.
const statements = [
  `create table registry_producer (
    mode text not null check (mode in ('live', 'test')),
    npn bigint not null,
    first_name text not null,
    last_name text not null,
    look_up_hash bytea,
    ssn_sealed text,
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
];
