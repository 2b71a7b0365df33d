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
    secret_sealed text not null,
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
    key_id bytea primary key,
    first_used_at timestamptz not null
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
];
