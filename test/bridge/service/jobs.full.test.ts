import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { DepartmentJob } from '../../../src/bridge/domain/jobs.js';
import { type JobHandlers, type JobWork, type PeriodicKind, startJobs } from '../../../src/bridge/service/jobs.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { deferred } from '../../support/deferred.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { runCommand } from '../process.js';
import { until } from '../until.js';

const log = createLogger('error', { write: () => undefined });
const job: DepartmentJob = { applicationId: 'app_example', state: 'TX', status: 'approved' };
type PeriodicWork = JobWork['periodic'][PeriodicKind];

const nothing = () => Promise.resolve();

function start({ url }: TestDatabase, own: Partial<JobHandlers> = {}, cleanUp: PeriodicWork = nothing) {
  const handlers = { department: nothing, filing: nothing, payment: nothing, mail: nothing, ...own };
  return startJobs({ databaseUrl: url }, { handlers, periodic: { 'clean-up': cleanUp, 'audit-chain': nothing } }, log);
}

/** Uses the queues as another instance, which then disappears. */
async function asAnother({ url }: TestDatabase, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await work(boss);
  await boss.stop({ graceful: false });
}

test('The job of a killed instance is run by another one after ten seconds without a heartbeat.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const { promise: decided, resolve: done } = deferred<DepartmentJob>();
  // The first instance creates the queue. Then an instance takes a job and disappears.
  await (await start(database)).stop();
  await asAnother(database, async (killed) => {
    await killed.send('department', job);
    assert.equal((await killed.fetch('department')).length, 1);
  });
  // Instead of waiting that long.
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds'`.execute(database.db);

  const jobs = await start(database, { department: async (data) => done(data) });
  t.after(() => jobs.stop());
  assert.deepEqual(await decided, job);
});

test('The connections of the jobs end with the bridge.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const open = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and application_name = 'licensing-bridge-jobs'`.execute(database.db);
    return rows.length;
  };
  const jobs = await start(database);
  assert.notEqual(await open(), 0);
  await jobs.stop();
  const endedAt = performance.now();
  await until(open, (count) => count === 0);
  // An unused pool would keep them for ten seconds.
  assert.ok(performance.now() - endedAt < 5_000);
});

test('Jobs are repeated for hours, those of payments for about eight days, also in queues of an earlier version.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  await (await start(database)).stop();
  await sql`update pgboss.queue set retry_limit = 2, retry_delay = 0, retry_backoff = false`.execute(database.db);
  await (await start(database)).stop();
  const { rows } = await sql`select name, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds
    from pgboss.queue where not starts_with(name, '__') order by name`.execute(database.db);
  const retries = {
    retryLimit: 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: null,
    heartbeatSeconds: 10,
  };
  assert.deepEqual(rows, [
    { name: 'audit-chain', ...retries },
    { name: 'clean-up', ...retries },
    { name: 'department', ...retries },
    { name: 'filing', ...retries },
    { name: 'mail', ...retries },
    { name: 'payment', ...retries, retryLimit: 200, retryDelayMax: 3_600 },
  ]);
  const schedules = await sql<{
    name: string;
    cron: string;
  }>`select name, cron from pgboss.schedule order by name`.execute(database.db);
  assert.deepEqual(schedules.rows, [
    { name: 'audit-chain', cron: '* * * * *' },
    { name: 'clean-up', cron: '*/10 * * * *' },
  ]);
});

test('A bridge whose job queue does not start exits, so that it can be restarted.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  await (await start(database)).stop();
  await sql`alter function pgboss.create_queue rename to create_queue_of_another_version`.execute(database.db);
  const { code, err } = await runCommand(['serve'], {
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  assert.equal(code, 1);
  assert.match(err, /create_queue/);
});

test('A running clean-up is aborted when the bridge stops.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const { promise: begun, resolve: begin } = deferred<AbortSignal>();
  const { promise: ended, resolve: end } = deferred();
  await (await start(database)).stop();
  await asAnother(database, async (planner) => {
    await planner.send('clean-up');
  });
  const jobs = await start(database, {}, (signal) => {
    begin(signal);
    return ended;
  });
  const signal = await begun;
  assert.equal(signal.aborted, false);
  await jobs.stop();
  assert.equal(signal.aborted, true);
  end();
});

test('One slow department holds up no other application.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const { promise: isOtherFiled, resolve: finish } = deferred();
  const jobs = await start(database, {
    // The slow department answers only after the other application has been filed.
    async filing({ applicationId }) {
      if (applicationId === 'app_slow') await isOtherFiled;
      else finish();
    },
  });
  t.after(() => jobs.stop());
  for (const applicationId of ['app_slow', 'app_other']) {
    const filing = { task: 'submit', applicationId, state: 'TX', serial: 0, attempt: 0 } as const;
    await database.db.transaction().execute((trx) => jobs.schedule(trx, 'filing', filing, 0));
  }
  await isOtherFiled;
});
