import { sql, type Kysely } from 'kysely';

/**
 * An application outlives its session: a table of earlier sessions, written when a new session
 * follows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table application add column renewed_at timestamptz`,
  // Only applications that can be resumed: an index on all applications could be preferred to the
  // primary key, see 0001-sessions.
  `create index application_unfinished on application (agency_id, mode, user_id, created_at)
    where started_at is not null and submitted_at is null`,
  `create table earlier_session (
    session_id text primary key,
    application_id text not null references application,
    link_hash bytea not null unique,
    return_url text not null,
    expires_at timestamptz not null
  )`,
  `create index earlier_session_expiry on earlier_session (expires_at)`,
  // Nullable: an instance of the previous version may still be serving.
  `alter table idempotency_key add column session_id text`,
  `update idempotency_key set session_id = application.session_id
    from application where application.id = idempotency_key.application_id`,
];
