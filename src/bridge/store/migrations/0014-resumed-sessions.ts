import { sql, type Kysely } from 'kysely';

/**
 * Every later session of the same kind resumes an unfinished application, and asks for the last
 * digits of the SSN before it uses data of an earlier session.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The states in sorted order. Nullable: the previous version does not write it, and may have
  // written several unfinished applications of a kind.
  `alter table application add column states_key text`,
  // Of two sessions created at once, the second finds the application of the first. The index also
  // serves the search for a user's unfinished applications.
  `create unique index application_unfinished_once
    on application (agency_id, mode, user_id, application_type, license_type, states_key)
    where submitted_at is null and erased_at is null`,
  `create table identity_check (
    session_id text primary key,
    application_id text not null references application,
    failed_count integer not null default 0,
    passed_at timestamptz,
    expires_at timestamptz not null
  )`,
  `create index identity_check_application on identity_check (application_id)`,
  `create index identity_check_expiry on identity_check (expires_at)`,
  // Where an application had only one session, its SSN was typed in that session and is not asked
  // for again.
  `insert into identity_check (session_id, application_id, passed_at, expires_at)
    select session_id, id, saved_at, expires_at
    from application join application_step on application_id = id and application_step.step = 'identity'
    where renewed_at is null and submitted_at is null and completed_at is not null and expires_at > now()`,
];
