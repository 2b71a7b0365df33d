import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/**
 * Inserts `count` rows into each table, for an agency with one of everything in test mode and for
 * other agencies.
 */
export async function fillTables(db: Database, agencyId: string, count: number): Promise<void> {
  for (const statement of statements(agencyId, count)) await statement.execute(db);
}

function statements(agency: string, count: number): RawBuilder<unknown>[] {
  const numbers = sql`generate_series(1, ${sql.lit(count)}) n`;
  return [
    sql`insert into agency select 'agc_full' || n, 'Full', '{lookup}', now() from ${numbers}`,
    sql`insert into credential (id, agency_id, client_id, live_secret_hash, test_secret_hash, is_active, created_at, updated_at)
      select 'crd_full' || n, ${agency}, 'cli_full' || n, '', '', false, now(), now() from ${numbers}`,
    sql`insert into access_token select convert_to('full' || n, 'utf8'), 'crd_full1', ${agency}, 'test', now(),
      now() + interval '1 hour' from ${numbers}`,
    sql`insert into account_setting select 'agc_full' || n, 'test', '', 'PDB-update', null, now() from ${numbers}`,
    sql`insert into rate_limit select 'full:' || n, 1, 32503680000000 from ${numbers}`,
    sql`insert into audit_entry (at, agency_id, mode, actor, action, subject, result)
      select now(), ${agency}, 'test', 'operator', 'state.decided', '', 'approved' from ${numbers}`,
    sql`insert into applicant select ${agency}, 'test', 'usr_full' || n, '{}', null, null, now(), now() from ${numbers}`,
    sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
        catalogue_version, payment_method, return_url, link_hash, step, created_at, expires_at, submitted_at)
      select 'app_full' || n, 'ses_full' || n, ${agency}, 'test', 'usr_full' || n, 'new', 'life_health', '{TX}', 'TX', '', 'user_pays',
        'https://partner.example/done', convert_to('full' || n, 'utf8'), 'submitted', now(), now(), now() from ${numbers}`,
    // Unfinished ones too, which a new session is compared with.
    sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
        catalogue_version, payment_method, return_url, link_hash, step, created_at, expires_at, started_at)
      select 'app_half' || n, 'ses_half' || n, ${agency}, 'test', 'usr_full' || n, 'new', 'life_health', '{TX}', 'TX', '', 'user_pays',
        'https://partner.example/done', convert_to('half' || n, 'utf8'), 'identity', now(), now(), now() from ${numbers}`,
    sql`insert into earlier_session select 'ses_earlier' || n, 'app_half' || n, convert_to('earlier' || n, 'utf8'),
      'https://partner.example/done', now() from ${numbers}`,
    sql`insert into application_state (application_id, state, status, updated_at)
      select 'app_full' || n, 'TX', 'approved', now() from ${numbers}`,
    sql`insert into idempotency_key select ${agency}, 'test', 'full' || n, '', 'app_full' || n, 'ses_full' || n, '{}', now()
      from ${numbers}`,
    sql`insert into webhook_stream (application_id, agency_id, mode, url)
      select 'app_full' || n, ${agency}, 'test', 'https://partner.example' from ${numbers}`,
    sql`insert into webhook_event (stream_id, seq, id, type, data, created_at, delivered_at)
      select 'app_full' || n, 1, 'evt_full' || n, 'application.submitted', '{}', now(), now() from ${numbers}`,
    sql`insert into registry_producer
      select mode, 700000000 + n, first_name, last_name, convert_to('full' || n, 'utf8'), ssn_encrypted, active_licenses, detail,
        created_at, updated_at
      from (select * from registry_producer limit 1) producer, ${numbers}`,
    sql`insert into registry_update (mode, npn, updated_at, changes, detail)
      select mode, npn, now(), '{biographic}', '{}' from registry_producer where npn > 700000000`,
    sql`insert into onboarded_producer select ${agency}, 'test', 700000000 + n, 'subscribe', now() from ${numbers}`,
    sql`insert into team_member select ${agency}, 'test', 700000000 + n, 'agency', '', '', '', null, null, now()
      from ${numbers}`,
    sql`insert into subscription select ${agency}, 'test', 700000000 + n, now() from ${numbers}`,
    sql`insert into bulk_onboarding select gen_random_uuid(), ${agency}, 'test', 'lookup', 1, 1, 0, now(), now() from ${numbers}`,
    sql`insert into bulk_batch select id, 0, '{1}', '{0}', 1, 0, now() from bulk_onboarding where onboard_type = 'lookup'`,
    sql`insert into territory (id, agency_id, name, states, created_at, updated_at)
      select 'ter_full' || n, 'agc_full1', 'Full ' || n, '[]', now(), now() from ${numbers}`,
  ];
}
