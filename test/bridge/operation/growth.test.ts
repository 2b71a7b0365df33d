import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { linkAudit } from '../../../src/bridge/domain/audit/chain.js';
import { cleanUp } from '../../../src/bridge/domain/retention/retention.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { createTableStorage } from '../../../src/bridge/store/documents/document-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

/**
 * Every table, and the reason why it does not grow without limit. A new table must be added here.
 */
const tables: Readonly<Record<string, readonly string[]>> = {
  'deleted when it has run out': [
    'access_token',
    'earlier_session',
    'idempotency_key',
    'identity_check',
    'operator_session',
    'rate_limit',
  ],
  'deleted after its retention': [
    'audit_entry',
    'audit_link',
    'bulk_batch',
    'bulk_onboarding',
    'mail',
    'registry_update',
    'webhook_attempt',
    'webhook_event',
  ],
  'kept with its application; BRIDGE_RETENTION_DAYS erases the input of the user': [
    'applicant',
    'application',
    'application_action',
    // At most a hundred of an application.
    'application_note',
    'application_state',
    'application_step',
    'disabled_endpoint',
    'document',
    'document_content',
    'filing',
    'payment',
    'payment_refund',
    // At most two hundred.
    'reason_template',
    'proposal',
    'simulated_payment',
    // That of a producer is deleted with its last event.
    'webhook_stream',
  ],
  'no more than there are agencies, credentials, producers, territories, files, keys, operators or releases of the catalogue':
    [
      'account_setting',
      'agency',
      'bulk_turn',
      'catalogue',
      'credential',
      'endpoint_sweep',
      'onboarded_producer',
      'operator',
      'registry_import',
      'registry_producer',
      'secret_key',
      'subscription',
      'team_member',
      'territory',
      'territory_assignment',
      'webhook_secret',
    ],
  'emptied every minute': ['audit_unlinked'],
  'one row a migration': ['kysely_migration'],
};

test('No table grows without limit unless a reason is stated.', async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.db);
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.values(tables).flat().sort());
});

test('More than one batch of old rows is deleted in one clean-up, and a retention of 0 keeps all.', async () => {
  const { db } = database;
  await sql`insert into agency values ('agc_1', 'Example', '{lookup}', now())`.execute(db);
  const old = sql`now() - interval '200 days'`;
  await sql`insert into audit_entry (at, agency_id, actor, action, subject, result)
    select ${old}, 'agc_1', 'a', 'old', 's', 'r' from generate_series(1, 1201)`.execute(db);
  await sql`insert into registry_producer select 'test', n, 'A', 'B', null, null, '{}', '{}', now(), now()
    from generate_series(1, 1201) n`.execute(db);
  // The newest update of a producer is kept, also where all have the same time.
  await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
    select 'test', n, ${old} - seconds * interval '1 second', '{}', '{}'
    from generate_series(1, 1201) n, generate_series(0, 1) seconds`.execute(db);
  const clean = (days: number) =>
    cleanUp({
      db,
      clock: () => new Date(),
      log: undefined as never,
      documents: { storage: createTableStorage(db), scanner: undefined },
      settings: {
        retentionDays: undefined,
        retention: {
          deliveredWebhooks: days,
          deadWebhooks: days,
          bulkOnboardings: days,
          registryUpdates: days,
          auditEntries: days,
        },
      },
    });
  const left = async () => {
    const { rows } = await sql<{ entries: number; updates: number }>`select
      (select count(*)::int from audit_entry) as entries, (select count(*)::int from registry_update) as updates`.execute(
      db,
    );
    return rows[0];
  };
  await linkAudit({ db, log: createLogger('silent') });
  await clean(0);
  assert.deepEqual(await left(), { entries: 1_201, updates: 2_402 });
  await clean(90);
  assert.deepEqual(await left(), { entries: 0, updates: 1_201 });
});
