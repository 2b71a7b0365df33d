import { createRequire } from 'node:module';
import { fromKysely, PgBoss, type WorkOptions } from 'pg-boss';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { JobKind, JobsByKind, ScheduleJob } from '../domain/jobs.js';
import { openPool, type DatabaseOptions, type DatabasePool } from '../store/database.js';
import type { Database } from '../store/tables/typed-database.js';
import { randomId } from '../domain/keys/keys.js';
import { withRequestId } from '../domain/request-id.js';
import type { JobCounts } from '../metrics/gauges.js';

/** Durable jobs, which any instance can run (pg-boss, in a separate schema). */
export interface Jobs {
  schedule: ScheduleJob;
  /** The numbers of jobs of each queue, up to a minute old. */
  count(): Promise<JobCounts>;
  stop(): Promise<void>;
}

/** The handler of each kind of job. All must be idempotent, and reject to be repeated. */
export type JobHandlers = { [Kind in JobKind]: (job: JobsByKind[Kind]) => Promise<void> };

/** The functions that the workers of the jobs call. */
export interface JobWork {
  handlers: JobHandlers;
  /** The signal aborts when the time is up, such as when the bridge stops. */
  periodic: Readonly<Record<PeriodicKind, (signal: AbortSignal) => Promise<void>>>;
}

/**
 * The jobs that run again and again, on one instance at a time, by their cron expression.
 *
 * - `clean-up`: deletes expired rows.
 * - `audit-chain`: links the new entries of the audit trail.
 */
const periodic = { 'clean-up': '*/10 * * * *', 'audit-chain': '* * * * *' } as const;

/** A job of {@link periodic}. It is the name of a queue, too. */
export type PeriodicKind = keyof typeof periodic;

const retries = { retryLimit: 12, retryDelay: 1, retryBackoff: true };

/** The queues, and how often a job is tried again. */
const queues = {
  department: retries,
  filing: retries,
  // A processor may be unreachable for hours while the user's money is reserved: retries for about
  // eight days, then a person must check it.
  payment: { ...retries, retryLimit: 200, retryDelayMax: 3_600 },
  // Failures of the mail server plan another job; these are of the database.
  mail: retries,
  'clean-up': retries,
  'audit-chain': retries,
} satisfies Record<JobKind | PeriodicKind, object>;

/**
 * The time without a heartbeat after which another instance takes over a job. pg-boss's default: 15
 * minutes.
 */
const heartbeatSeconds = 10;

/**
 * A department or a processor may take half a minute to answer, so several jobs run at once. A
 * queue with more ready jobs than workers runs without pauses.
 */
const atOnce = { batchSize: 1, localConcurrency: 4, burstWhenReadyExceeds: 4 };

/** The database of the jobs. */
export interface JobDatabase {
  /** Contains the password: never log it. */
  databaseUrl: string;
  /** The schema of the jobs. Default: `pgboss`. */
  schema?: string;
  /** The options of the connections. Default: those of a pool. */
  connections?: DatabaseOptions;
}

/** The schema of the jobs for a schema of tables: two bridges in one database do not share it. */
export function jobSchemaOf(schema: string): string {
  return schema === 'public' ? 'pgboss' : `${schema}_jobs`;
}

/** Updates the schema of the jobs. Several processes may call it at once. */
export async function migrateJobs(database: JobDatabase): Promise<void> {
  const pool = openJobPool(database, 2);
  const { schema = 'pgboss' } = database;
  const boss = new PgBoss({ db: { executeSql: pool.query }, schema, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/**
 * Opens our pool for the jobs, because pg-boss's own keeps the connections to a server that was
 * demoted or has vanished.
 */
function openJobPool({ databaseUrl, connections }: JobDatabase, maxConnections: number): DatabasePool {
  return openPool(databaseUrl, {
    ...connections,
    maxConnections,
    isPreparing: false,
    applicationName: 'licensing-bridge-jobs',
  });
}

/** Whether the schema of the jobs is missing or older than this version. */
export async function areJobsPending(db: Database, schema = 'pgboss'): Promise<boolean> {
  const table = sql.table(`${schema}.version`);
  const found = await sql<{ isThere: boolean }>`
    select to_regclass(${`${schema}.version`}) is not null as is_there`.execute(db);
  if (found.rows[0]?.isThere !== true) return true;
  const { rows } = await sql<{ version: number }>`select version from ${table}`.execute(db);
  // Not an import, which the build would replace by the version of its day.
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  return (rows[0]?.version ?? 0) < pgboss.schema;
}

/**
 * Starts the workers of the jobs. Their schema must be up to date, because the role may lack the
 * right to change it.
 */
export async function startJobs(database: JobDatabase, work: JobWork, log: Logger): Promise<Jobs> {
  const pool = openJobPool(database, 4);
  const { schema = 'pgboss' } = database;
  const boss = new PgBoss({
    db: { executeSql: pool.query },
    schema,
    // The queues are small, and the role of a serving bridge may not own the indexes.
    reindex: false,
    // The interval in which the number of ready jobs is read.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: 5,
  });
  boss.on('error', (error) => {
    log.error({ err: error }, 'The job queue reports an error.');
  });
  try {
    await openQueues(boss, work);
  } catch (error) {
    // Its timers would keep a process alive that does not serve, so that no supervisor would
    // restart it.
    await boss.stop({ graceful: false }).catch(() => undefined);
    await pool.end();
    throw error;
  }
  return {
    async schedule(trx, kind, job, afterSeconds) {
      await boss.send(kind, job, { db: fromKysely(trx), startAfter: afterSeconds });
    },
    async count() {
      const counts: JobCounts = {};
      for (const queue of Object.keys(queues)) {
        const [stats] = await boss.getQueueStats(queue, { force: true });
        if (stats === undefined) continue;
        const { readyCount: ready, deferredCount: deferred, activeCount: active, failedCount: failed } = stats;
        counts[queue] = { ready, deferred, active, failed };
      }
      return counts;
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 });
      await pool.end();
    },
  };
}

/**
 * Schedules jobs without workers, for a command next to the serving bridges. It connects at the
 * first job.
 */
export function createJobSender(database: JobDatabase): Pick<Jobs, 'schedule' | 'stop'> {
  const { schema = 'pgboss' } = database;
  const pool = openJobPool(database, 1);
  let started: Promise<PgBoss> | undefined;
  const start = async () => {
    const boss = new PgBoss({
      db: { executeSql: pool.query },
      schema,
      supervise: false,
      schedule: false,
      migrate: false,
    });
    boss.on('error', () => undefined);
    await boss.start();
    return boss;
  };
  return {
    async schedule(trx, kind, job, afterSeconds) {
      const boss = await (started ??= start());
      await boss.send(kind, job, { db: fromKysely(trx), startAfter: afterSeconds });
    },
    async stop() {
      await (await started)?.stop({ graceful: false });
      await pool.end();
    },
  };
}

async function openQueues(boss: PgBoss, { handlers, periodic: periodicWork }: JobWork): Promise<void> {
  await boss.start();
  for (const [queue, tries] of Object.entries(queues)) {
    const options = { ...tries, heartbeatSeconds };
    await boss.createQueue(queue, options);
    // A queue of an earlier version keeps its options unless they are updated.
    await boss.updateQueue(queue, options);
  }
  async function work<Kind extends JobKind>(
    kind: Kind,
    handle: (job: JobsByKind[Kind]) => Promise<void>,
    options: WorkOptions,
  ): Promise<void> {
    await boss.work<JobsByKind[Kind]>(kind, options, async (jobs) => {
      for (const { data } of jobs) await withRequestId(randomId('job'), () => handle(data));
    });
  }
  await work('department', handlers.department, { pollingIntervalSeconds: 0.5, batchSize: 20 });
  await work('filing', handlers.filing, { ...atOnce, pollingIntervalSeconds: 1 });
  await work('payment', handlers.payment, { ...atOnce, pollingIntervalSeconds: 0.5 });
  await work('mail', handlers.mail, { ...atOnce, pollingIntervalSeconds: 1 });
  for (const [kind, cron] of Object.entries(periodic) as [PeriodicKind, string][]) {
    await boss.work(kind, { pollingIntervalSeconds: 30 }, async ([job]) => {
      if (job !== undefined) await periodicWork[kind](job.signal);
    });
    await boss.schedule(kind, cron);
  }
}
