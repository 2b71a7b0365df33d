/** Users, their applications with steps, sessions and decisions, and the releases of the catalogue. */
export const applications = [
  `create table applicant (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    user_id text not null,
    profile jsonb not null,
    ssn_encrypted text,
    answers_submitted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    wrong_digits_count integer not null default 0,
    wrong_digits_since timestamptz,
    held_at timestamptz,
    proof_email_encrypted text,
    codes_count integer not null default 0,
    codes_since timestamptz,
    primary key (agency_id, mode, user_id)
  )`,
  `create index applicant_npn on applicant ((profile ->> 'npn')) where profile ->> 'npn' is not null`,
  `create table catalogue (
    version text primary key,
    effective text not null,
    content jsonb not null,
    checksum text not null,
    source text not null,
    imported_at timestamptz not null
  )`,
  // No foreign key to the catalogue: releases are never deleted, and each new application would lock
  // the row of its release.
  `create table application (
    id text primary key,
    session_id text not null unique,
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    user_id text not null,
    application_type text not null,
    license_type text not null,
    states text[] not null,
    states_key text not null,
    payment_method text not null check (payment_method in ('user_pays', 'partner_billing')),
    return_url text not null,
    webhook_url text,
    link_hash bytea not null unique,
    step text not null,
    catalogue_version text not null,
    created_at timestamptz not null,
    renewed_at timestamptz,
    expires_at timestamptz not null,
    started_at timestamptz,
    submitted_at timestamptz,
    receipt_number text,
    fee_lines jsonb,
    erased_at timestamptz,
    proof_email_encrypted text,
    foreign key (agency_id, mode, user_id) references applicant (agency_id, mode, user_id)
  )`,
  // The following indexes have conditions that only their own queries have. With an index on all
  // rows, a planner without statistics could prefer it to the primary key and read all applications
  // of an agency to find one by its id.
  `create index application_submitted on application (agency_id, mode, user_id, submitted_at)
    where submitted_at is not null`,
  // Of two sessions created at once, the second finds the application of the first. The index also
  // serves the search for a user's unfinished applications.
  `create unique index application_unfinished_once
    on application (agency_id, mode, user_id, application_type, license_type, states_key)
    where submitted_at is null and erased_at is null`,
  `create index application_unerased on application (expires_at, id) where erased_at is null`,
  `create index application_unerased_user on application (agency_id, mode, user_id) where erased_at is null`,
  `create index application_receipt_number on application (receipt_number) where receipt_number is not null`,
  `create index application_created on application (created_at desc, id desc)`,
  `create table earlier_session (
    session_id text primary key,
    application_id text not null references application,
    link_hash bytea not null unique,
    return_url text not null,
    expires_at timestamptz not null
  )`,
  `create index earlier_session_application on earlier_session (application_id)`,
  `create index earlier_session_expiry on earlier_session (expires_at)`,
  `create table identity_check (
    session_id text primary key,
    application_id text not null references application,
    passed_at timestamptz,
    code_serial integer not null default 0,
    code_sent_at timestamptz,
    code_passed_at timestamptz,
    expires_at timestamptz not null
  )`,
  `create index identity_check_application on identity_check (application_id)`,
  `create index identity_check_expiry on identity_check (expires_at)`,
  `create table idempotency_key (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    key text not null,
    body_hash bytea not null,
    application_id text not null references application deferrable initially deferred,
    session_id text not null,
    prefilled jsonb not null,
    created_at timestamptz not null,
    primary key (agency_id, mode, key)
  )`,
  `create index idempotency_key_age on idempotency_key (created_at)`,
  `create table application_step (
    application_id text not null references application,
    step text not null,
    data jsonb not null,
    encrypted text,
    search_hashes text[],
    saved_at timestamptz not null,
    completed_at timestamptz,
    primary key (application_id, step)
  )`,
  `create index application_step_search on application_step using gin (search_hashes)`,
  `create table application_state (
    application_id text not null references application,
    state text not null,
    status text not null check (status in ('pending_review', 'approved', 'denied', 'requires_action')),
    reason text,
    action_serial integer not null default 0,
    action_hash bytea unique,
    action_link_number integer not null default 0,
    action_url_override text,
    action_fee_cents integer check (action_fee_cents > 0),
    issued_license jsonb,
    updated_at timestamptz not null,
    primary key (application_id, state)
  )`,
  `create index application_state_status on application_state (status, updated_at)`,
  // The row of an answered request stays, so that its link still shows that it was used; the answer
  // is erased.
  `create table application_action (
    application_id text not null references application,
    state text not null,
    serial integer not null,
    link_hash bytea not null unique,
    answer_encrypted text,
    answered_at timestamptz not null,
    primary key (application_id, state, serial)
  )`,
];
