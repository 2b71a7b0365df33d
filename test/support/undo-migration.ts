import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../src/bridge/store/tables/typed-database.js';

/**
 * Undoes the newest migrations: the tables become those of the previous version, with their rows.
 * Newest first.
 */
const statements = {
  '0030-unused-index': [
    sql`create index application_unfinished on application (agency_id, mode, user_id, created_at)
      where started_at is not null and submitted_at is null`,
  ],
  '0029-wrong-digits': [sql`alter table applicant drop column wrong_digits_count, drop column wrong_digits_since`],
  '0019-webhook-secrets': [sql`drop table webhook_secret`],
  '0018-webhook-streams': [
    sql`drop trigger webhook_stream_owner on webhook_stream`,
    sql`drop function webhook_stream_owner`,
    sql`alter table webhook_stream drop column agency_id, drop column mode`,
    sql`alter table webhook_event drop column traceparent`,
  ],
  '0017-audit-retention': [sql`drop index audit_entry_at`],
  '0016-retention': [sql`drop index webhook_event_delivered, bulk_onboarding_completed, registry_update_age`],
  '0015-wordings': [sql`drop table wording`],
  '0014-resumed-sessions': [
    sql`drop table identity_check`,
    sql`drop index application_unfinished_once`,
    sql`alter table application drop column states_key`,
  ],
  '0013-audit': [sql`drop table audit_entry`],
  '0012-rate-limits': [sql`drop table rate_limit`],
  '0011-erasure': [
    sql`drop index application_unerased, application_unerased_user, earlier_session_application`,
    sql`alter table application drop column erased_at`,
    sql`alter table application_action alter column answer_sealed set not null`,
  ],
  '0010-secret-keys': [sql`drop table secret_key`],
} satisfies Record<string, RawBuilder<unknown>[]>;

/** Restores a database to the state before a migration. */
export async function undoMigrations(db: Database, first: keyof typeof statements): Promise<void> {
  for (const [name, undoing] of Object.entries(statements)) {
    for (const statement of undoing) await statement.execute(db);
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
    if (name === first) return;
  }
}
