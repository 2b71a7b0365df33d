import { sql, type Kysely } from 'kysely';

/** The tables of login and of the Sessions interface. Runs on PostgreSQL 15 and later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
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
  `create table login_failure (
    id bigint generated always as identity primary key,
    bucket text not null,
    failed_at timestamptz not null
  )`,
  `create index login_failure_bucket on login_failure (bucket, failed_at)`,
  `create table applicant (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    user_id text not null,
    profile jsonb not null,
    ssn_sealed text,
    answers_submitted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (agency_id, mode, user_id)
  )`,
  `create table application (
    id text primary key,
    session_id text not null unique,
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    user_id text not null,
    application_type text not null,
    license_type text not null,
    states text[] not null,
    payment_method text not null check (payment_method in ('user_pays', 'partner_billing')),
    return_url text not null,
    webhook_url text,
    link_hash bytea not null unique,
    step text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    started_at timestamptz,
    submitted_at timestamptz,
    foreign key (agency_id, mode, user_id) references applicant (agency_id, mode, user_id)
  )`,
  // Only for the answers of an earlier application. With an index on all rows, a planner without
  // statistics could prefer it to the primary key and read all applications of an agency to find
  // one by its id.
  `create index application_submitted on application (agency_id, mode, user_id, submitted_at) where submitted_at is not null`,
  `create table application_step (
    application_id text not null references application,
    step text not null,
    data jsonb not null,
    sealed text,
    saved_at timestamptz not null,
    completed_at timestamptz,
    primary key (application_id, step)
  )`,
  `create table payment (
    id text primary key,
    application_id text not null references application,
    amount_cents integer not null,
    status text not null check (status in ('pending', 'accepted', 'declined')),
    card_last4 text not null,
    reference text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // Prevents paying twice: by a second click, a second tab, or a retry after a lost answer.
  `create unique index payment_once on payment (application_id) where status <> 'declined'`,
  `create table application_state (
    application_id text not null references application,
    state text not null,
    status text not null check (status in ('pending_review', 'approved', 'denied', 'requires_action')),
    reason text,
    action_serial integer not null default 0,
    action_hash bytea unique,
    action_url_override text,
    updated_at timestamptz not null,
    primary key (application_id, state)
  )`,
  `create table application_action (
    application_id text not null references application,
    state text not null,
    serial integer not null,
    link_hash bytea not null unique,
    answer_sealed text not null,
    answered_at timestamptz not null,
    primary key (application_id, state, serial)
  )`,
  `create table idempotency_key (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    key text not null,
    body_hash bytea not null,
    application_id text not null references application deferrable initially deferred,
    prefilled jsonb not null,
    created_at timestamptz not null,
    primary key (agency_id, mode, key)
  )`,
  `create index idempotency_key_age on idempotency_key (created_at)`,
  `create table webhook_stream (
    application_id text primary key references application,
    url text not null,
    next_seq integer not null default 1,
    due_at timestamptz,
    lease_until timestamptz,
    fence integer not null default 0,
    attempts integer not null default 0,
    gone_at timestamptz
  )`,
  `create index webhook_stream_due on webhook_stream (due_at) where due_at is not null`,
  `create index webhook_stream_gone on webhook_stream (url) where gone_at is not null`,
  `create table webhook_event (
    application_id text not null references webhook_stream,
    seq integer not null,
    id text not null unique,
    type text not null,
    data jsonb not null,
    created_at timestamptz not null,
    delivered_at timestamptz,
    dead_at timestamptz,
    primary key (application_id, seq)
  )`,
  `create index webhook_event_open on webhook_event (application_id, seq) where delivered_at is null and dead_at is null`,
  `create index webhook_event_dead on webhook_event (dead_at) where dead_at is not null`,
  `create table webhook_attempt (
    id bigint generated always as identity primary key,
    event_id text not null references webhook_event (id),
    attempted_at timestamptz not null,
    status integer,
    error text,
    duration_ms integer not null
  )`,
  `create index webhook_attempt_event on webhook_attempt (event_id)`,
];
