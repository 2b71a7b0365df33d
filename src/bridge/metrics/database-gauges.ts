import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../store/tables/typed-database.js';
import type { JobCounts } from '../jobs.js';
import { findBacklog } from '../store/webhooks/backlog-store.js';

/** What the gauges are read from. */
export interface DatabaseGaugesOptions {
  db: Database;
  clock: () => Date;
  /** The jobs of each queue. */
  countJobs: () => Promise<JobCounts>;
}

/**
 * Adds gauges of what the database holds to a registry. They are of the whole service, and the same whichever instance is asked.
 * Resolves with what reads them anew; that rejects when the database does not answer.
 */
export function addDatabaseGauges(
  registry: Registry,
  { db, clock, countJobs }: DatabaseGaugesOptions,
): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const lag = gauge('bridge_webhook_lag_seconds', 'How long the oldest due webhook has been due.');
  const due = gauge('bridge_webhook_due_applications', 'Applications with a webhook that is due.');
  const waiting = gauge('bridge_webhooks_waiting', 'Webhooks that are neither delivered nor given up.');
  const dead = gauge('bridge_webhooks_dead', 'Webhooks that were given up and wait for the operator.');
  const items = new Gauge({
    name: 'bridge_bulk_items',
    help: 'NPNs of bulk onboardings, open or done.',
    labelNames: ['state'],
    registers,
  });
  const jobs = new Gauge({
    name: 'bridge_jobs',
    help: 'Jobs by queue and state; up to a minute old.',
    labelNames: ['queue', 'state'],
    registers,
  });
  return async function readAnew() {
    const now = clock();
    const [backlog, counts] = await Promise.all([findBacklog(db, now), countJobs()]);
    const { oldest_due_at: oldest, open_items: open, all_items: all } = backlog;
    lag.set(oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000);
    due.set(backlog.due_lines);
    waiting.set(backlog.waiting_events);
    dead.set(backlog.dead_events);
    items.set({ state: 'open' }, open);
    items.set({ state: 'done' }, all - open);
    for (const [queue, states] of Object.entries(counts)) {
      for (const [state, count] of Object.entries(states)) jobs.set({ queue, state }, count);
    }
  };
}
