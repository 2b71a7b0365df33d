/** Agencies, their credentials, tokens and settings, limits, keys and the audit trail. */
export const accounts = [
  `create table agency (
    id text primary key,
    name text not null,
    onboard_types text[] not null,
    created_at timestamptz not null,
    deactivated_at timestamptz
  )`,
  `create table credential (
    id text primary key,
    agency_id text not null references agency,
    client_id text not null unique,
    live_secret_hash bytea not null,
    test_secret_hash bytea not null,
    secrets_serial integer not null default 1,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deactivated_at timestamptz
  )`,
  // With two concurrent first calls of createAccountCredential (operation 3) the second insert
  // fails, so an agency never has two active credentials.
  `create unique index credential_one_active on credential (agency_id) where is_active`,
  `create table access_token (
    token_hash bytea primary key,
    credential_id text not null references credential,
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index access_token_credential on access_token (credential_id)`,
  `create index access_token_expiry on access_token (expires_at)`,
  `create table account_setting (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    business_email text not null,
    webhook_preference text not null check (webhook_preference in ('PDB-update', 'entity-info')),
    webhook_url text,
    updated_at timestamptz not null,
    primary key (agency_id, mode)
  )`,
  `create table webhook_secret (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    secret_encrypted text not null,
    created_at timestamptz not null,
    primary key (agency_id, mode)
  )`,
  // The columns are those that `rate-limiter-flexible` requires. Unlogged: after a crash of the
  // database the counts start at zero, which costs less than durable ones. Free space in each page
  // keeps the new version of a row beside the old one, because a hot key is updated many times a
  // second.
  `create unlogged table rate_limit (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  ) with (fillfactor = 50)`,
  // The id of a key reveals nothing about it.
  `create table secret_key (
    mode text not null check (mode in ('live', 'test')),
    key_id bytea not null,
    first_used_at timestamptz not null,
    primary key (mode, key_id)
  )`,
  // Identity, not a random id: entries with the same time keep their order. No foreign key: an
  // entry outlives its subject.
  `create table audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    agency_id text not null,
    mode text check (mode in ('live', 'test')),
    actor text not null,
    action text not null,
    subject text not null,
    request_id text,
    result text not null,
    note text
  )`,
  `create index audit_entry_agency on audit_entry (agency_id, id)`,
  `create index audit_entry_at on audit_entry (at)`,
  `create index audit_entry_subject on audit_entry (subject text_pattern_ops, id)`,
  // The entries that are not in the chain yet. A queue, because transactions do not commit in the
  // order of the ids that they drew.
  `create table audit_unlinked (entry_id bigint primary key)`,
  // One link per entry, in the order in which they became visible. No foreign key: the link of the
  // newest deleted entry stays, because the chain begins with it.
  `create table audit_link (
    position bigint primary key,
    entry_id bigint not null unique,
    at timestamptz not null,
    entry_hash bytea not null,
    hash bytea not null
  )`,
  `create function queue_audit_entry() returns trigger language plpgsql as $$
    begin
      insert into audit_unlinked values (new.id);
      return null;
    end $$`,
  `create trigger audit_entry_queued after insert on audit_entry
    for each row execute function queue_audit_entry()`,
  // A trigger and not only grants: the usual grant on all tables would give the right back. The
  // owner still may, as in the function below.
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
        raise insufficient_privilege using message = format('%I is insert-only.', tg_table_name);
      end if;
      return null;
    end $$`,
  `create trigger audit_entry_insert_only before update or delete on audit_entry
    for each statement execute function refuse_audit_change()`,
  `create trigger audit_link_insert_only before update or delete on audit_link
    for each statement execute function refuse_audit_change()`,
  // The only way in which a serving bridge removes entries: the oldest ones, with the rights of the
  // owner. The link of the newest one stays, and shows audit verify whether it was old enough.
  `create function delete_audit_entries(before timestamptz, max_count integer) returns table (at text, id text)
    language plpgsql security definer set search_path from current as $$
    declare
      first_kept bigint;
    begin
      return query with gone as (
        delete from audit_entry where audit_entry.id in (
          select old.id from audit_entry old
          where old.at <= before and not exists (select from audit_unlinked where entry_id = old.id)
          order by old.at limit max_count
        )
        returning audit_entry.at, audit_entry.id
      ) select gone.at::text, gone.id::text from gone;
      select coalesce(
        (select position from audit_link where exists (select from audit_entry where audit_entry.id = entry_id)
          order by position limit 1),
        (select max(position) + 1 from audit_link)
      ) into first_kept;
      delete from audit_link where position < first_kept - 1;
    end $$`,
];
