import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { eraseEnded } from '../../../src/bridge/domain/retention.js';
import { eraseApplicants, eraseApplications } from '../../../src/bridge/store/applications/erasure-store.js';
import { untilBlocked } from '../blocked.js';
import { testDatabase } from '../../support/database.js';

const days = 90;

/**
 * `count` submitted applications, two per user, that ended a hundred days ago, and as many that
 * wait for a department.
 */
async function setup(t: TestContext, count: number) {
  const { db, stop } = await testDatabase();
  t.after(stop);
  const numbers = sql`generate_series(1, ${sql.lit(count)}) n`;
  const at = sql`now() - interval '100 days'`;
  await sql`insert into agency select 'agc_' || n, 'Example', '{lookup}', now() from generate_series(1, 2) n`.execute(
    db,
  );
  await sql`insert into applicant select 'agc_1', 'test', 'usr_' || n, '{}', 'v1.sealed', ${at}, ${at}, ${at} from ${numbers}`.execute(
    db,
  );
  for (const [kind, status] of [
    ['waiting', 'pending_review'],
    ['ended', 'approved'],
  ] as const) {
    await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states,
        payment_method, return_url, link_hash, step, created_at, expires_at, started_at, submitted_at)
      select ${kind}::text || n, ${kind}::text || n, 'agc_1', 'test',
        -- The two of a user that have ended are a batch apart: the batches of two instances at once.
        'usr_' || case when ${kind} = 'ended' then (n - 1) / 400 * 200 + (n - 1) % 200 + 1
          else ${sql.lit(count)} - (n - 1) / 2 end,
        'new', 'life', '{TX}', 'user_pays', 'https://partner.example', convert_to(${kind} || n, 'utf8'), 'submitted', ${at},
        ${at} + n * interval '1 second', ${at}, ${at} from ${numbers}`.execute(db);
    await sql`insert into application_state (application_id, state, status, updated_at)
      select ${kind}::text || n, 'TX', ${status}::text, ${at} from ${numbers}`.execute(db);
    await sql`insert into application_step select ${kind}::text || n, 'identity', '{}', 'v1.sealed', ${at}, ${at}
      from ${numbers}`.execute(db);
  }
  const context = { db, clock: () => new Date() };
  const left = async () => {
    const steps = await db.selectFrom('application_step').select('application_id').execute();
    const users = await db.selectFrom('applicant').select('user_id').where('ssn_sealed', 'is not', null).execute();
    return {
      ended: steps.filter((step) => step.application_id.startsWith('ended')).length,
      steps: steps.length,
      users,
    };
  };
  return { db, context, left };
}

test('Several instances erase each application once.', async (t) => {
  const { context, left } = await setup(t, 800);
  const erased = await Promise.all([1, 2, 3, 4].map(() => eraseEnded(context, days)));
  const sum = (of: 'applications' | 'users') => erased.reduce((total, each) => total + each[of], 0);
  assert.deepEqual({ applications: sum('applications'), users: sum('users') }, { applications: 800, users: 400 });
  assert.ok(erased.filter(({ applications }) => applications > 0).length > 1, 'they shared the work');
  const { ended, steps, users } = await left();
  assert.deepEqual({ ended, steps, users: users.length }, { ended: 0, steps: 800, users: 400 });
  assert.deepEqual(await eraseEnded(context, days), { applications: 0, users: 0 });
});

test("When two instances erase a user's last two applications at the same time, one erases the user's data.", async (t) => {
  const { db } = await setup(t, 400);
  const [first, second] = [await db.startTransaction().execute(), await db.startTransaction().execute()];
  // All of one user.
  await eraseApplications(first, ['ended1'], new Date());
  await eraseApplications(second, ['ended201'], new Date());
  assert.equal(await eraseApplicants(first, ['ended1']), 0);
  const erased = eraseApplicants(second, ['ended201']);
  await untilBlocked(db);
  await first.commit().execute();
  assert.equal(await erased, 1);
  await second.commit().execute();
});

test('A stopping bridge ends after the current batch, and the next one continues.', async (t) => {
  const { context, left } = await setup(t, 500);
  const { applications } = await eraseEnded(context, days, AbortSignal.abort());
  assert.ok(applications > 0 && applications < 500, String(applications));
  assert.equal((await left()).ended, 500 - applications);
  await eraseEnded(context, days);
  assert.equal((await left()).ended, 0);
});

test('A locked application is skipped, and erased the next time.', async (t) => {
  const { db, context, left } = await setup(t, 10);
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('application').select('id').where('id', '=', 'ended5').forNoKeyUpdate().execute();
    assert.equal((await eraseEnded(context, days)).applications, 9);
  });
  assert.equal((await left()).ended, 1);
  assert.equal((await eraseEnded(context, days)).applications, 1);
});
