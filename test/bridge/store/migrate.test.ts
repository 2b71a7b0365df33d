import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { isMigrated, migrate } from '../../../src/bridge/store/migrate.js';
import { eraseEnded } from '../../../src/bridge/domain/erasure.js';
import { undoMigrations } from '../../support/undo-migration.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.stop());

test('of three bridges that start at once one migrates, and all find the tables', async () => {
  assert.equal(await isMigrated(database.db).catch(() => false), false);
  const bridges = [1, 2, 3].map(() => openDatabase(database.url));
  await Promise.all(bridges.map((db) => migrate(db)));
  for (const db of bridges) {
    assert.equal(await isMigrated(db), true);
    assert.deepEqual(await db.selectFrom('application').selectAll().execute(), []);
    await db.destroy();
  }
  await migrate(database.db);
});

test('a database of the version that kept everything keeps it, and can erase it from now on', async (t) => {
  const { db, stop } = await testDatabase();
  t.after(stop);
  await undoMigrations(db, '0011-erasure');
  await sql`insert into agency values ('agc_1', 'Example', '{lookup}', now())`.execute(db);
  await sql`insert into applicant values ('agc_1', 'test', 'usr_1', '{}', 'v1.ssn', now(), now(), now())`.execute(db);
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
      payment_method, return_url, link_hash, step, created_at, expires_at, submitted_at)
    select 'app_' || n, 'ses_' || n, 'agc_1', 'test', 'usr_1', 'new', 'life', '{TX}', 'user_pays', 'https://partner.example',
      convert_to('link' || n, 'utf8'), 'submitted', now(), now() - interval '100 days', now()
    from generate_series(1, 2) n`.execute(db);
  await sql`insert into application_state (application_id, state, status, updated_at)
    values ('app_1', 'TX', 'denied', now() - interval '100 days'), ('app_2', 'TX', 'requires_action', now())`.execute(
    db,
  );
  await sql`insert into application_step select id, 'identity', '{}', 'v1.sealed', now(), now() from application`.execute(
    db,
  );
  await sql`insert into application_action select id, 'TX', 1, convert_to(id, 'utf8'), 'v1.answer', now()
    from application`.execute(db);

  await migrate(db);
  const sealed = () =>
    db.selectFrom('application_action').select(['application_id', 'answer_sealed']).orderBy('application_id');
  const [first, second] = await sealed().execute();
  assert.deepEqual([first?.answer_sealed, second?.answer_sealed], ['v1.answer', 'v1.answer']);
  assert.deepEqual(await eraseEnded({ db, clock: () => new Date() }, 90), { applications: 1, users: 0 });
  assert.deepEqual(await sealed().execute(), [{ application_id: 'app_1', answer_sealed: null }, second]);
  const steps = await db.selectFrom('application_step').select('application_id').execute();
  assert.deepEqual(steps, [{ application_id: 'app_2' }]);
});

test('streams of webhooks get the owner of their application, also those that an instance of the version before still writes', async (t) => {
  const { db, stop } = await testDatabase();
  t.after(stop);
  await undoMigrations(db, '0018-webhook-streams');
  await sql`insert into agency values ('agc_1', 'Example', '{lookup}', now())`.execute(db);
  await sql`insert into applicant values ('agc_1', 'live', 'usr_1', '{}', null, null, now(), now())`.execute(db);
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
      payment_method, return_url, link_hash, step, created_at, expires_at)
    select 'app_' || n, 'ses_' || n, 'agc_1', 'live', 'usr_1', 'new', 'life', '{TX}', 'user_pays', 'https://partner.example',
      convert_to('link' || n, 'utf8'), 'profile', now(), now() from generate_series(1, 2) n`.execute(db);
  const insert = (id: string) =>
    sql`insert into webhook_stream (application_id, url) values (${id}, 'https://partner.example/hooks')`.execute(db);
  await insert('app_1');
  await migrate(db);
  await insert('app_2');
  const owners = await db.selectFrom('webhook_stream').select(['application_id', 'agency_id', 'mode']).execute();
  assert.deepEqual(
    owners.sort((left, right) => left.application_id.localeCompare(right.application_id)),
    ['app_1', 'app_2'].map((application_id) => ({ application_id, agency_id: 'agc_1', mode: 'live' })),
  );
});

test('a user under way in the version before goes on without being asked for digits; one who had another link is asked', async (t) => {
  const { db, stop } = await testDatabase();
  t.after(stop);
  await undoMigrations(db, '0014-resumed-sessions');
  await sql`insert into agency values ('agc_1', 'Example', '{lookup}', now())`.execute(db);
  await sql`insert into applicant values ('agc_1', 'test', 'usr_1', '{}', null, null, now(), now())`.execute(db);
  // The version before wrote several unfinished applications of a kind.
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
      payment_method, return_url, link_hash, step, created_at, expires_at, renewed_at)
    select 'app_' || n, 'ses_' || n, 'agc_1', 'test', 'usr_1', 'new', 'life', '{TX}', 'user_pays', 'https://partner.example',
      convert_to('link' || n, 'utf8'), 'review', now(), now() + interval '1 day', case when n = 2 then now() end
    from generate_series(1, 3) n`.execute(db);
  await sql`insert into application_step select id, 'identity', '{}', 'v1.sealed', now(), case when id <> 'app_3' then now() end
    from application`.execute(db);
  await migrate(db);
  const passed = await db
    .selectFrom('identity_check')
    .select('session_id')
    .where('passed_at', 'is not', null)
    .execute();
  assert.deepEqual(passed, [{ session_id: 'ses_1' }]);
});
