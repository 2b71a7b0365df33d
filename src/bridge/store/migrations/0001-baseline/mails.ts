/** The mails to users, and what became of them. */
export const mails = [
  `create table mail (
    purpose text primary key,
    application_id text not null references application,
    kind text not null check (kind in ('receipt', 'action', 'decision', 'correction', 'code')),
    created_at timestamptz not null,
    attempts integer not null default 0,
    sent_at timestamptz,
    dropped_at timestamptz,
    problem text
  )`,
  `create index mail_application on mail (application_id)`,
  `create index mail_age on mail (created_at)`,
  // Counted by the metrics: few, because a mail server usually answers.
  `create index mail_unsent on mail (created_at) where sent_at is null`,
];
