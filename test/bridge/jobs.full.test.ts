import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { DepartmentJob } from '../../src/bridge/domain/context.js';
import { startJobs } from '../../src/bridge/jobs.js';
import { createLogger } from '../../src/bridge/log.js';
import { testDatabase } from '../support/database.js';
import { runCommand } from './process.js';

const log = createLogger('error', { write: () => undefined });
const job: DepartmentJob = { applicationId: 'app_example', state: 'TX', status: 'approved' };

test('The job of a killed instance is run by another one after ten seconds without a heartbeat.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  let done: (job: DepartmentJob) => void = () => {};
  const decided = new Promise<DepartmentJob>((resolve) => (done = resolve));
  const start = () =>
    startJobs(
      { databaseUrl: database.url },
      {
        department: async (data) => done(data),
        filing: () => Promise.resolve(),
        payment: () => Promise.resolve(),
        cleanUp: () => Promise.resolve(),
      },
      log,
    );
  // The first instance creates the queue. Then an instance takes a job and disappears.
  await (await start()).stop();
  const killed = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await killed.start();
  await killed.send('department', job);
  assert.equal((await killed.fetch('department')).length, 1);
  await killed.stop({ graceful: false });
  // Instead of waiting that long.
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds'`.execute(database.db);

  const jobs = await start();
  t.after(() => jobs.stop());
  assert.deepEqual(await decided, job);
});

test('A bridge whose job queue does not start exits, so that it can be restarted.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const nothing = {
    department: () => Promise.resolve(),
    filing: () => Promise.resolve(),
    payment: () => Promise.resolve(),
    cleanUp: () => Promise.resolve(),
  };
  await (await startJobs({ databaseUrl: database.url }, nothing, log)).stop();
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
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => (begin = resolve));
  let end: () => void = () => {};
  const cleanUp = (signal: AbortSignal) => {
    begin(signal);
    return new Promise<void>((resolve) => (end = resolve));
  };
  const start = () =>
    startJobs(
      { databaseUrl: database.url },
      {
        department: () => Promise.resolve(),
        filing: () => Promise.resolve(),
        payment: () => Promise.resolve(),
        cleanUp,
      },
      log,
    );
  await (await start()).stop();
  const planner = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await planner.start();
  await planner.send('clean-up');
  await planner.stop({ graceful: false });
  const jobs = await start();
  const signal = await begun;
  assert.equal(signal.aborted, false);
  await jobs.stop();
  assert.equal(signal.aborted, true);
  end();
});

test('One slow department holds up no other application.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  let release: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let finish: () => void = () => {};
  const isOtherFiled = new Promise<void>((resolve) => (finish = resolve));
  const jobs = await startJobs(
    { databaseUrl: database.url },
    {
      department: () => Promise.resolve(),
      // The slow department answers only after the other application has been filed.
      async filing({ applicationId }) {
        if (applicationId === 'app_slow') await isReleased;
        else finish();
      },
      payment: () => Promise.resolve(),
      cleanUp: () => Promise.resolve(),
    },
    log,
  );
  t.after(() => jobs.stop());
  for (const applicationId of ['app_slow', 'app_other']) {
    const filing = { task: 'submit', applicationId, state: 'TX', serial: 0, attempt: 0 } as const;
    await database.db.transaction().execute((trx) => jobs.scheduleFiling(trx, filing, 0));
  }
  await isOtherFiled;
  release();
});
