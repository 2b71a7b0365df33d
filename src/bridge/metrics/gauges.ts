import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../store/tables/typed-database.js';
import type { PoolUse } from '../store/database.js';
import { revealingActions } from '../domain/audit/audit.js';
import { countMostShown } from '../store/audit/audit-store.js';
import { countOpenApplications } from '../store/applications/application-list-store.js';
import { countOpenFilings } from '../store/filings/filing-store.js';
import { countUnsentMails } from '../store/mail/mail-store.js';
import { countUnansweredPayments } from '../store/payments/payment-store.js';
import { findBacklog } from '../store/webhooks/dead-letter-store.js';
import { packageVersion } from '../built/package-files.js';

/** By queue, by state: `ready`, `deferred`, `active` and `failed`. */
export type JobCounts = Record<string, Record<string, number>>;

/** The sources of the gauges. */
export interface DatabaseGaugesOptions {
  db: Database;
  clock: () => Date;
  /** The jobs of each queue. */
  countJobs: () => Promise<JobCounts>;
}

/**
 * Adds gauges of the database to a registry. They cover the whole service and are equal on all
 * instances. Resolves with a function that reads them again; it rejects when the database does not
 * answer.
 */
export function addDatabaseGauges(
  registry: Registry,
  { db, clock, countJobs }: DatabaseGaugesOptions,
): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const lag = gauge('bridge_webhook_lag_seconds', 'How long the oldest due webhook has been due.');
  const due = gauge('bridge_webhook_due_applications', 'Applications and producers with a webhook that is due.');
  const waiting = gauge('bridge_webhooks_waiting', 'Webhooks that are neither delivered nor dead-lettered.');
  const dead = gauge('bridge_webhooks_dead', 'Dead-lettered webhooks, which the operator can replay.');
  const items = gauge(
    'bridge_bulk_items',
    'NPNs of bulk onboardings: open, done, or held because their agency is deactivated.',
    'state',
  );
  const jobs = gauge('bridge_jobs', 'Jobs by queue and state; up to a minute old.', 'queue', 'state');
  const unfinished = gauge(
    'bridge_applications_unfinished',
    'Live applications that are not submitted and have a valid link.',
  );
  const states = gauge(
    'bridge_application_states',
    'States of live applications that are not decided: pending_review, or requires_action.',
    'status',
  );
  const filings = gauge(
    'bridge_filings',
    'Filings of live applications that are not with their states yet: waiting, or claimed.',
    'status',
  );
  const filingAge = gauge('bridge_filing_oldest_seconds', 'How long the oldest of them has waited.');
  const payments = gauge(
    'bridge_payments',
    'Payments and refunds whose processor has not answered, by what it was asked; refused: it did not move the money.',
    'status',
  );
  const mails = gauge(
    'bridge_mails_unsent',
    'Mails to users whose try has failed: retrying, or failed for ever in the last 90 days.',
    'status',
  );
  const revealed = gauge(
    'bridge_revealed_by_one_operator',
    'The most live applications whose SSN, answers or documents one operator was shown in the last hour.',
  );
  return async function readAnew() {
    const now = clock();
    const secondsSince = (time: Date | null) => (time === null ? 0 : (now.getTime() - time.getTime()) / 1_000);
    const hourAgo = new Date(now.getTime() - 3_600_000);
    const [backlog, counts, open, openFilings, unanswered, unsent, mostRevealed] = await Promise.all([
      findBacklog(db, now),
      countJobs(),
      countOpenApplications(db, now),
      countOpenFilings(db),
      countUnansweredPayments(db),
      countUnsentMails(db),
      countMostShown(db, { actions: revealingActions, since: hourAgo }),
    ]);
    const { oldestDueAt: oldest, openItems, heldItems: held, allItems: all } = backlog;
    lag.set(secondsSince(oldest));
    due.set(backlog.dueStreams);
    waiting.set(backlog.waitingEvents);
    dead.set(backlog.deadEvents);
    items.set({ state: 'open' }, openItems - held);
    items.set({ state: 'held' }, held);
    items.set({ state: 'done' }, all - openItems);
    unfinished.set(open.unfinished);
    states.set({ status: 'pending_review' }, open.pendingReview);
    states.set({ status: 'requires_action' }, open.requiresAction);
    for (const status of ['waiting', 'claimed'] as const) filings.set({ status }, openFilings[status]);
    filingAge.set(secondsSince(openFilings.oldestAt));
    for (const [status, count] of Object.entries(unanswered)) payments.set({ status }, count);
    for (const status of ['retrying', 'failed'] as const) mails.set({ status }, unsent[status]);
    revealed.set(mostRevealed);
    for (const [queue, states] of Object.entries(counts)) {
      for (const [state, count] of Object.entries(states)) jobs.set({ queue, state }, count);
    }
  };
}

/** Adds a gauge of this instance's connections to a registry. */
export function addPoolGauge(registry: Registry, poolUse: () => PoolUse): void {
  new Gauge({
    name: 'bridge_database_connections',
    help: 'Connections to the database: busy, idle, the most that there may be, and queries that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries<number>({ ...poolUse() })) this.set({ state }, count);
    },
  });
}

/** Adds the time in which a filing is to be filed to a registry, so that an alert can compare the oldest with it. */
export function addFilingTimeGauge(registry: Registry, filingDays: number): void {
  new Gauge({
    name: 'bridge_filing_due_seconds',
    help: 'In how much time a filing is to be filed: BRIDGE_FILING_DAYS.',
    registers: [registry],
  }).set(filingDays * 86_400);
}

/** The gauges of this process. */
export interface ProcessGauges {
  stop(): void;
}

const intervalMs = 500;
/**
 * The maximum lag of the last ten seconds, because a scrape would miss most of the current lags.
 */
const keptSamples = 20;

/**
 * Adds the gauges of this process to a registry, and measures the event loop until it is stopped.
 */
export function addProcessGauges(registry: Registry): ProcessGauges {
  const registers = [registry];
  const startedAt = Date.now() / 1_000 - process.uptime();
  const gauges: [name: string, help: string, read: () => number][] = [
    ['process_start_time_seconds', 'When the process started.', () => startedAt],
    ['process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss()],
    ['nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    registers,
    collect() {
      // The system counts, and a counter can be read anew only from zero.
      this.reset();
      this.inc(cpuSeconds());
    },
  });
  const build = { version: packageVersion(), node: process.version };
  new Gauge({
    name: 'bridge_build_info',
    help: 'Always 1; its labels say what is running.',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1);
  return watchEventLoop(registry);
}

/**
 * By the drift of an interval, because `monitorEventLoopDelay` missed a block of half a second in a
 * measurement.
 */
function watchEventLoop(registry: Registry): ProcessGauges {
  const lags: number[] = [];
  let expectedAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lags.push(Math.max(0, now - expectedAt));
    if (lags.length > keptSamples) lags.shift();
    expectedAt = now + intervalMs;
  }, intervalMs);
  timer.unref();
  new Gauge({
    name: 'bridge_event_loop_lag_seconds',
    help: 'The longest that the event loop was late in the last ten seconds.',
    registers: [registry],
    collect() {
      this.set(Math.max(0, ...lags) / 1_000);
    },
  });
  return {
    stop() {
      clearInterval(timer);
    },
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
