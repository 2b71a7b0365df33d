/** Events, and the streams by which they are delivered in order. */
export const webhooks = [
  // A stream is that of an application, or of a producer for one agency. With agency and mode, so
  // that the worker, which shares its time among agencies, reads neither.
  `create table webhook_stream (
    stream_id text primary key
      generated always as (coalesce(application_id, agency_id || ':' || mode || ':' || npn::text)) stored,
    application_id text references application,
    npn bigint,
    agency_id text not null,
    mode text not null,
    url text not null,
    follows_account boolean not null default false,
    next_seq integer not null default 1,
    due_at timestamptz,
    is_waiting boolean not null generated always as (due_at is not null) stored,
    lease_until timestamptz,
    fence integer not null default 0,
    attempts integer not null default 0,
    check (num_nonnulls(application_id, npn) = 1)
  )`,
  `create index webhook_stream_due on webhook_stream (due_at) where due_at is not null`,
  // Finds the next agency with waiting streams, and its oldest, without reading the streams of others.
  // The predicates of the two indexes differ, so that a query can use only one of them: `due_at` in
  // a condition means the order of all agencies, and `is_waiting` that of each.
  `create index webhook_stream_agency_due on webhook_stream (agency_id, due_at, stream_id) where is_waiting`,
  // The mark of an endpoint, and not of its streams: there may be a million of them.
  `create table disabled_endpoint (
    agency_id text not null references agency,
    mode text not null check (mode in ('live', 'test')),
    url text not null,
    disabled_at timestamptz not null,
    primary key (agency_id, mode, url)
  )`,
  `create table endpoint_sweep (
    agency_id text primary key references agency,
    place_due_at timestamptz not null default '-infinity',
    place_id text not null default '',
    swept_at timestamptz not null default now()
  )`,
  `create table webhook_event (
    stream_id text not null references webhook_stream,
    seq integer not null,
    id text not null unique,
    type text not null,
    data jsonb not null,
    request_id text,
    traceparent text,
    created_at timestamptz not null,
    delivered_at timestamptz,
    dead_at timestamptz,
    primary key (stream_id, seq)
  )`,
  `create index webhook_event_open on webhook_event (stream_id, seq) where delivered_at is null and dead_at is null`,
  `create index webhook_event_dead on webhook_event (dead_at) where dead_at is not null`,
  `create index webhook_event_delivered on webhook_event (delivered_at) where delivered_at is not null`,
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
