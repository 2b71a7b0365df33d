/** The tables of payments, documents and filings, and of the operators of the console. */
export const handling = [
  `create table payment (
    id text primary key,
    application_id text not null references application,
    state text,
    serial integer,
    amount_cents integer not null,
    status text not null check (
      status in ('pending', 'authorized', 'capturing', 'captured', 'voiding', 'voided', 'declined')
    ),
    method text not null default 'card' check (method in ('card', 'bankAccount')),
    card_last4 text not null,
    reference text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    authorized_at timestamptz,
    refunded_cents integer not null default 0,
    decline_reason text,
    problem text,
    leads_back boolean not null default true
  )`,
  // Prevents paying twice: by a second click, a second tab, or a retry after a lost answer. A
  // payment that is being released may be one that another has replaced. A further fee is paid
  // besides the others.
  `create unique index payment_once on payment (application_id, state, serial) nulls not distinct
    where status in ('pending', 'authorized', 'capturing', 'captured')`,
  `create index payment_application on payment (application_id)`,
  `create index payment_created on payment (created_at desc, id desc)`,
  // Counted by the metrics: few, because the processor usually answers.
  `create index payment_unanswered on payment (status) where status in ('pending', 'capturing', 'voiding')`,
  // Counted before each payment: few of the many payments of a day.
  `create index payment_failed on payment (created_at) where status in ('declined', 'pending', 'voiding', 'voided')`,
  `create table payment_refund (
    id text primary key,
    payment_id text not null references payment,
    amount_cents integer not null check (amount_cents > 0),
    actor text not null,
    requested_at timestamptz not null,
    refunded_at timestamptz,
    problem text
  )`,
  `create index payment_refund_payment on payment_refund (payment_id)`,
  `create index payment_refund_unanswered on payment_refund (payment_id) where refunded_at is null`,
  // The simulated processor of test mode, which all instances share.
  `create table simulated_payment (
    payment_id text primary key,
    status text not null,
    reference text not null,
    card_last4 text not null,
    answers_at timestamptz not null,
    captured_cents integer not null default 0,
    is_voided boolean not null default false,
    refunds jsonb not null default '{}'
  )`,
  `create table document (
    id text primary key,
    application_id text not null references application,
    upload_id text not null,
    state text,
    serial integer,
    type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
    size integer not null,
    is_scanned boolean not null,
    name_encrypted text,
    key_encrypted text,
    subject_encrypted text,
    created_at timestamptz not null,
    stored_at timestamptz,
    removed_at timestamptz
  )`,
  // A repeated upload, after a lost answer, finds the document of the first one.
  `create unique index document_upload on document (application_id, upload_id)`,
  // Rows of interrupted uploads and removed documents, which are to be deleted.
  `create index document_leftover on document (created_at) where stored_at is null or removed_at is not null`,
  `create table document_content (
    id text primary key,
    content bytea not null
  )`,
  // Ciphertext cannot be compressed.
  `alter table document_content alter column content set storage external`,
  `create table filing (
    application_id text not null references application,
    state text not null,
    serial integer not null default 0,
    status text not null check (status in ('waiting', 'claimed', 'filed', 'answered')),
    claimed_by text,
    waits_for text check (waits_for in ('fingerprints', 'correction')),
    reference text,
    filed_by text,
    filed_at timestamptz,
    attempts integer not null default 0,
    last_error text,
    created_at timestamptz not null,
    queued_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (application_id, state)
  )`,
  `create index filing_reference on filing (lower(reference)) where reference is not null`,
  `create index filing_waits on filing (queued_at, application_id, state) where waits_for is not null`,
  `create index filing_open on filing (queued_at, application_id, state) where status in ('waiting', 'claimed')`,
  `create table operator (
    id text primary key,
    name text not null,
    role text not null check (role in ('view', 'file', 'supervise')),
    agency_ids text[],
    issuer text,
    subject text,
    password_hash text,
    is_password_temporary boolean not null,
    totp_encrypted text,
    totp_last_step bigint,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    disabled_at timestamptz,
    check ((issuer is null) = (subject is null)),
    check ((issuer is null) = (password_hash is not null))
  )`,
  // Names are typed at every sign-in with a password, so two names that differ only in case would be
  // confused. The names of a provider are shown only.
  `create unique index operator_name on operator (lower(name)) where issuer is null`,
  `create unique index operator_subject on operator (issuer, subject)`,
  `create table operator_session (
    token_hash bytea primary key,
    operator_id text not null references operator on delete cascade,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    proven_at timestamptz not null,
    expires_at timestamptz not null,
    id_token_encrypted text
  )`,
  `create index operator_session_operator on operator_session (operator_id)`,
  `create index operator_session_expiry on operator_session (expires_at)`,
  `create table proposal (
    application_id text not null references application,
    kind text not null check (kind in ('correction', 'refund')),
    state text not null,
    content jsonb not null,
    proposed_by text not null,
    proposed_at timestamptz not null,
    primary key (application_id, kind, state)
  )`,
  `create table application_note (
    id text primary key,
    application_id text not null references application,
    author text not null,
    text_encrypted text not null,
    created_at timestamptz not null
  )`,
  `create table reason_template (
    id text primary key,
    name text not null unique,
    status text not null check (status in ('requires_action', 'denied')),
    reason text not null,
    created_by text not null,
    created_at timestamptz not null
  )`,
  `create index application_note_application on application_note (application_id, created_at)`,
];
