import { sql, type Kysely } from 'kysely';

/** The answers of users can be erased some time after their application has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table application add column erased_at timestamptz`,
  // The row of an answered request stays, so that its link still shows that it was used; the answer
  // is erased.
  `alter table application_action alter column answer_sealed drop not null`,
  // For applications that may have ended, and for the other applications of a user. No other query
  // has their condition, so that a planner without statistics does not prefer them to the primary
  // key, see 0001-sessions.
  `create index application_unerased on application (expires_at, id) where erased_at is null`,
  `create index application_unerased_user on application (agency_id, mode, user_id) where erased_at is null`,
  `create index earlier_session_application on earlier_session (application_id)`,
];
