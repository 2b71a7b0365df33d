import type { Logger } from 'pino';
import type { Database } from '../store/tables/typed-database.js';
import type { Links } from '../domain/keys/links.js';
import type { Metrics } from '../metrics/metrics.js';
import { claimEvents, releaseEvent, type ClaimedEvent } from '../store/webhooks/outbox-store.js';
import { settleEvent, type Outcome } from '../store/webhooks/settle-store.js';
import { createWorkLoop, pollMs } from '../work-loop.js';
import type { Courier, DeliveryResult } from './deliver.js';
import { nextRetryMs } from './retry-schedule.js';
import { webhookBody } from './webhook-body.js';

/** Delivers what the outbox holds, at least once and in order per application. Any number of instances may run. */
export interface OutboxWorker {
  start(): void;
  /** Looks for due events now instead of at the next poll. */
  wake(): void;
  /** Claims nothing more and waits for what is under way, at most until `deadlineMs`; the rest goes back untried. */
  stop(deadlineMs: number): Promise<void>;
}

/** What the worker works with. */
export interface OutboxWorkerOptions {
  db: Database;
  links: Links;
  clock: () => Date;
  log: Logger;
  courier: Courier;
  /** `BRIDGE_WEBHOOK_RETRY_SCALE`. */
  retryScale: number;
  metrics: Pick<Metrics, 'countDelivery'>;
  /** Default: `Math.random`. */
  random?: () => number;
  /** How long a claim lasts, in milliseconds. Default: 20,000. */
  leaseMs?: number;
}

/** A delivery that waits for its receiver costs a socket and little else. */
const maxInFlight = 256;
/** What one agency may have under way however much is free: more is no faster, and the database serves others too. */
const maxOfAgency = 32;
/** What a look takes, so that the next one, which knows what is under way by then, can prefer somebody else. */
const maxAtOnce = 8;
/**
 * An agency gets another slot only while it has fewer than one for eight that are free. Whoever's receivers hang stop at that, however many
 * they are: of 200 such agencies each holds one slot, and there still are some for those who come later.
 */
const freeForOne = 8;

/**
 * Among so many that became due last, somebody is looked for who has nothing under way, as long as more is due than a look takes: in
 * the order in which they became due, one event would wait for the thousands of another agency. Few, so that it costs next to nothing.
 */
const newcomersAmong = 200;

/**
 * Must outlast a delivery and its bookkeeping: a lease that runs out too early means a duplicate, one that runs out late means
 * that a killed instance's events wait this long.
 */
const defaultLeaseMs = 20_000;

/** Makes the worker. Nothing happens before `start`. */
export function createOutboxWorker(options: OutboxWorkerOptions): OutboxWorker {
  const { db, clock, log } = options;
  const inFlight = new Map<Promise<void>, ClaimedEvent>();
  const abort = new AbortController();
  /** Every other look is for them, so that the oldest are not kept waiting by newcomers either. */
  let areNewcomersNext = false;
  const loop = createWorkLoop({
    async look() {
      const free = maxInFlight - inFlight.size;
      // Whatever ends makes room and wakes the loop.
      if (free === 0) return false;
      const share = Math.min(maxOfAgency, Math.ceil(free / freeForOne));
      const limit = Math.min(share, maxAtOnce);
      const leaseMs = options.leaseMs ?? defaultLeaseMs;
      const forNewcomers = areNewcomersNext;
      const claimed = await claimEvents(db, {
        now: clock(),
        limit,
        leaseMs,
        exceptOf: agenciesWith(forNewcomers ? 1 : share - limit + 1),
        amongNewest: forNewcomers ? newcomersAmong : undefined,
      });
      for (const event of claimed) track(event, handle(event));
      areNewcomersNext = !forNewcomers && claimed.length === limit;
      return (forNewcomers || claimed.length === limit) && free > limit;
    },
    onError: (error) => {
      log.error({ err: error }, 'The outbox could not be read.');
    },
  });

  /** Those that have so many under way that another look could give them more than their share. */
  function agenciesWith(enough: number): string[] {
    const underWay = new Map<string, number>();
    for (const { agencyId } of inFlight.values()) underWay.set(agencyId, (underWay.get(agencyId) ?? 0) + 1);
    return [...underWay].flatMap(([agencyId, count]) => (count >= enough ? [agencyId] : []));
  }

  function track(event: ClaimedEvent, work: Promise<void>): void {
    inFlight.set(work, event);
    void work.finally(() => {
      inFlight.delete(work);
      loop.wake();
    });
  }

  async function handle(event: ClaimedEvent): Promise<void> {
    try {
      const attemptedAt = clock();
      const { id, url, mode, requestId } = event;
      const delivery = { id, url, mode, requestId, body: await webhookBody(db, event, options.links) };
      const result = await options.courier.deliver(delivery, abort.signal).catch(() => undefined);
      if (result === undefined) {
        await releaseEvent(db, event);
        options.metrics.countDelivery('released', 0);
        return;
      }
      const outcome = outcomeOf(event, result);
      const { status, error, durationMs } = result;
      const settled = await settleEvent(db, event, outcome, { attemptedAt, status, error, durationMs }, clock());
      if (!settled) return;
      options.metrics.countDelivery(outcome.kind, durationMs);
      report(event, outcome, result);
    } catch (error) {
      // The lease runs out and the event comes again.
      log.error({ err: error, eventId: event.id }, 'A delivery could not be written down.');
    }
  }

  function outcomeOf(event: ClaimedEvent, { status, error, retryAfterSeconds }: DeliveryResult): Outcome {
    if (error === null) return { kind: 'delivered' };
    if (status === 410) return { kind: 'gone' };
    const random = options.random ?? Math.random;
    const inMs = nextRetryMs({ attempts: event.attempts + 1, retryAfterSeconds, scale: options.retryScale, random });
    if (inMs === undefined) return { kind: 'dead' };
    if (inMs < pollMs) setTimeout(loop.wake, inMs).unref();
    return { kind: 'retry', at: new Date(clock().getTime() + inMs) };
  }

  function report(event: ClaimedEvent, outcome: Outcome, { status, error, durationMs }: DeliveryResult): void {
    const { id: eventId, type: eventType, requestId } = event;
    const entry = { requestId, eventId, eventType, attempt: event.attempts + 1, status, error, durationMs };
    if (outcome.kind === 'delivered') log.info(entry, 'A webhook was delivered.');
    else if (outcome.kind === 'retry')
      log.warn({ ...entry, nextAt: outcome.at }, 'A webhook failed and will be retried.');
    else log.error(entry, outcome.kind === 'gone' ? 'A webhook address is gone.' : 'A webhook was given up.');
  }

  async function stop(deadlineMs: number): Promise<void> {
    await loop.stop();
    const deadline = setTimeout(() => {
      abort.abort();
    }, deadlineMs);
    await Promise.allSettled(inFlight.keys());
    clearTimeout(deadline);
  }

  return { start: loop.start, wake: loop.wake, stop };
}
