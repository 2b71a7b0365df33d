import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { cleanUp } from '../../../src/bridge/domain/retention.js';
import { createTableStorage } from '../../../src/bridge/store/applications/document-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

const day = 24 * 3_600_000;
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
    'login_failure',
    'operator_session',
    'rate_limit',
    'request_count',
  ],
  'deleted after its retention': [
    'audit_entry',
    'bulk_batch',
    'bulk_onboarding',
    'registry_update',
    'webhook_attempt',
    'webhook_event',
  ],
  'kept with its application; BRIDGE_RETENTION_DAYS erases the input of the user': [
    'applicant',
    'application',
    'application_action',
    'application_state',
    'application_step',
    'document',
    'document_content',
    'filing',
    'payment',
    'payment_refund',
    'simulated_payment',
    'webhook_stream',
  ],
  'no more than there are agencies, credentials, producers, territories, files, keys, operators, wordings or releases of the catalogue':
    [
      'account_setting',
      'agency',
      'bulk_turn',
      'catalogue',
      'credential',
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
      'wording',
    ],
  'one row a migration': ['kysely_migration'],
};

test('No table grows without limit unless a reason is stated.', async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.db);
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.values(tables).flat().sort());
});

/** Writes rows of several ages, in days. */
async function fill(ages: number[]) {
  const { db } = database;
  await sql`truncate agency, applicant, application, webhook_stream, webhook_event, webhook_attempt, bulk_onboarding,
    bulk_batch, registry_producer, registry_update, audit_entry cascade`.execute(db);
  await sql`insert into agency values ('agc_1', 'Example', '{lookup}', now())`.execute(db);
  await sql`insert into applicant values ('agc_1', 'test', 'usr_1', '{}', null, null, now(), now())`.execute(db);
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
      payment_method, return_url, link_hash, step, created_at, expires_at)
    values ('app_1', 'ses_1', 'agc_1', 'test', 'usr_1', 'new', 'life', '{TX}', 'user_pays', 'https://partner.example',
      'x', 'profile', now(), now())`.execute(db);
  await sql`insert into webhook_stream (application_id, url) values ('app_1', 'https://partner.example')`.execute(db);
  await sql`insert into registry_producer select 'test', n, 'A', 'B', null, null, '{}', '{}', now(), now()
    from generate_series(1, 2) n`.execute(db);
  for (const age of ages) {
    const at = new Date(Date.now() - age * day);
    const id = String(age);
    await sql`insert into webhook_event (application_id, seq, id, type, data, created_at, delivered_at, dead_at)
      values ('app_1', ${age * 10}, ${`delivered_${id}`}, 't', '{}', ${at}, ${at}, null),
        ('app_1', ${age * 10 + 1}, ${`dead_${id}`}, 't', '{}', ${at}, null, ${at}),
        ('app_1', ${age * 10 + 2}, ${`waiting_${id}`}, 't', '{}', ${at}, null, null)`.execute(db);
    await sql`insert into webhook_attempt (event_id, attempted_at, duration_ms)
      select id, ${at}, 1 from webhook_event where created_at = ${at}`.execute(db);
    await sql`with bulk as (
        insert into bulk_onboarding values (gen_random_uuid(), 'agc_1', 'test', 'lookup', 1, 1, 0, ${at}, ${at}),
          (gen_random_uuid(), 'agc_1', 'test', 'lookup', 1, 1, 1, ${at}, null) returning id
      ) insert into bulk_batch select id, 0, '{1}', '{0}', 1, 0, ${at} from bulk`.execute(db);
    await sql`insert into audit_entry (at, agency_id, actor, action, subject, result)
      values (${at}, 'agc_1', 'a', ${id}, 's', 'r')`.execute(db);
    await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
      values ('test', 1, ${at}, '{}', '{}')`.execute(db);
  }
  // The only one of its producer.
  await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
    values ('test', 2, ${new Date(Date.now() - 9_999 * day)}, '{}', '{}')`.execute(db);
}

async function left(): Promise<Record<string, unknown[]>> {
  const { db } = database;
  const events = await sql<{ id: string }>`select id from webhook_event order by seq`.execute(db);
  const attempts = await sql`select from webhook_attempt`.execute(db);
  const bulks = await sql<{
    age: number;
  }>`select extract(day from now() - created_at)::int as age, completed_at is null as open
    from bulk_onboarding join bulk_batch on bulk_id = id order by 1, 2`.execute(db);
  const updates = await sql<{ npn: number; age: number }>`select npn, extract(day from now() - updated_at)::int as age
    from registry_update order by npn, age`.execute(db);
  const audit = await sql<{ age: string }>`select action as age from audit_entry order by id`.execute(db);
  return {
    audit: audit.rows.map(({ age }) => age),
    events: events.rows.map(({ id }) => id),
    attempts: [attempts.rows.length],
    bulks: bulks.rows,
    updates: updates.rows,
  };
}

function clean(retention: { webhooks: number; dead: number; bulk: number; updates: number; audit?: number }) {
  return cleanUp({
    db: database.db,
    clock: () => new Date(),
    log: undefined as never,
    documents: { storage: createTableStorage(database.db), scanner: undefined },
    filing: { gateway: undefined, schedule: () => Promise.resolve() },
    retentionDays: undefined,
    retention: {
      deliveredWebhooks: retention.webhooks,
      deadWebhooks: retention.dead,
      bulkOnboardings: retention.bulk,
      registryUpdates: retention.updates,
      auditEntries: retention.audit ?? 0,
    },
  });
}

test('Rows older than their retention are deleted, except those that wait or are the newest of their kind.', async () => {
  await fill([1, 91, 400]);
  await clean({ webhooks: 90, dead: 365, bulk: 90, updates: 90, audit: 91 });
  assert.deepEqual(await left(), {
    audit: ['1'],
    events: ['delivered_1', 'dead_1', 'waiting_1', 'dead_91', 'waiting_91', 'waiting_400'],
    attempts: [6],
    bulks: [
      { age: 1, open: false },
      { age: 1, open: true },
      { age: 91, open: true },
      { age: 400, open: true },
    ],
    updates: [
      { npn: 1, age: 1 },
      { npn: 2, age: 9_999 },
    ],
  });
});

test('A retention of 0 keeps everything.', async () => {
  await fill([400]);
  const before = await left();
  await clean({ webhooks: 0, dead: 0, bulk: 0, updates: 0 });
  assert.deepEqual(await left(), before);
});

test('More than one batch of old rows is deleted in one clean-up.', async () => {
  await fill([1]);
  await sql`insert into webhook_event (application_id, seq, id, type, data, created_at, delivered_at)
    select 'app_1', 10000 + n, 'old_' || n, 't', '{}', now() - interval '200 days', now() - interval '200 days'
    from generate_series(1, 1201) n`.execute(database.db);
  await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
    select 'test', 1, now() - interval '200 days' - n * interval '1 second', '{}', '{}' from generate_series(1, 1201) n`.execute(
    database.db,
  );
  // Each is the only one of its producer, all of the same time.
  await sql`insert into registry_producer select 'test', n, 'A', 'B', null, null, '{}', '{}', now(), now()
    from generate_series(11, 1211) n`.execute(database.db);
  await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
    select 'test', n, now() - interval '300 days', '{}', '{}' from generate_series(11, 1211) n`.execute(database.db);
  await clean({ webhooks: 90, dead: 90, bulk: 90, updates: 90 });
  assert.deepEqual((await left())['events'], ['delivered_1', 'dead_1', 'waiting_1']);
  assert.equal((await left())['updates']?.length, 2 + 1_201);
});
