import type { Logger } from 'pino';
import type { ProducerUpdatedEvent, StateCode } from '../../contract/index.js';
import { webhookSecretAssociatedData } from '../domain/accounts/agency.js';
import type { Keys, Links } from '../domain/keys/keys.js';
import { findUpdateOfDay } from '../domain/producers/subscriptions.js';
import { traceIdOf } from '../domain/request-id.js';
import { sortSections } from '../domain/webhooks/announce-producers.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';
import { findApplicationState } from '../store/applications/application-store.js';
import type { Database } from '../store/tables/typed-database.js';
import { claimEvents, releaseEvent, type ClaimedEvent, type Outcome } from '../store/webhooks/delivery-store.js';
import { nextRetryMs } from './retry-schedule.js';
import { createSettlementQueue } from './settlement-queue.js';
import { Turn } from './turn.js';
import { createWorkLoop, pollMs } from './work-loop.js';
import type { SendResult, WebhookSender } from './webhook-sender.js';

/**
 * Delivers the events of the outbox, at least once and in order per stream: that of an application,
 * or of a producer for one agency. Several instances may run.
 */
export interface OutboxWorker {
  start(): void;
  /** Polls for due events now. */
  wake(): void;
  /**
   * Stops claiming and waits for current deliveries, at most until `deadlineMs`; releases the rest
   * untried.
   */
  stop(deadlineMs: number): Promise<void>;
}

/** The dependencies of the worker. */
export interface OutboxWorkerOptions {
  db: Database;
  keys: Keys;
  links: Links;
  /** Has the records that the events of producers contain. */
  registry: Pick<ProducerRegistry, 'findUpdate'>;
  clock: () => Date;
  log: Logger;
  sender: WebhookSender;
  /** `BRIDGE_WEBHOOK_RETRY_SCALE`. */
  retryScale: number;
  metrics: Pick<Metrics, 'countDelivery'>;
  /** Default: `Math.random`. */
  random?: () => number;
  /** The duration of a claim, in milliseconds. Default: 20,000. */
  leaseMs?: number;
}

/** A delivery that waits for its receiver costs little more than a socket. */
const maxInFlight = 256;
/**
 * The maximum number of concurrent deliveries of an agency, even if slots are free: more would not
 * be faster.
 */
const maxOfAgency = 32;
/**
 * The maximum number of claims per poll, so that the next poll can prefer other agencies. A claim of
 * many costs the database little more than a claim of one.
 */
const maxAtOnce = 32;
/**
 * An agency gets another slot only if it has fewer than one for eight slots that are free then. So
 * agencies with slow receivers cannot use up the slots: 200 such agencies hold one slot each, and
 * others are free for the next agency.
 */
const freeForOne = 8;
/**
 * The delay after a delivery, in milliseconds, so that one poll serves several ended deliveries.
 */
const refillMs = 10;

/**
 * Longer than a delivery with its updates: a shorter lease would cause duplicates, and events of a
 * killed instance wait for its end.
 */
const defaultLeaseMs = 20_000;

/** Creates the worker. It does nothing before `start`. */
export function createOutboxWorker(options: OutboxWorkerOptions): OutboxWorker {
  const { db, clock, log } = options;
  const inFlight = new Map<Promise<boolean>, ClaimedEvent>();
  const abort = new AbortController();
  const settlements = createSettlementQueue(db, clock);
  /** Whether the last poll left due events, because too many deliveries were in progress. */
  let areMoreDue = false;
  const turn = new Turn();
  let refill: NodeJS.Timeout | undefined;
  const loop = createWorkLoop({
    async poll() {
      // Also during a poll, which does not see slots that become free meanwhile.
      areMoreDue = true;
      turn.begin();
      const free = maxInFlight - inFlight.size;
      if (free === 0) return false;
      const limit = Math.min(free, maxAtOnce);
      const share = Math.min(maxOfAgency, Math.max(1, Math.ceil((free - limit) / freeForOne)));
      const underWay = countByAgency();
      const leaseMs = options.leaseMs ?? defaultLeaseMs;
      const claimed = await claimEvents(db, { now: clock(), limit, leaseMs, share, underWay, lastAgency: turn.place });
      turn.place = claimed.lastAgency;
      for (const event of claimed.events) {
        track(event, handle(event));
        underWay.set(event.agencyId, (underWay.get(event.agencyId) ?? 0) + 1);
      }
      const isFull = claimed.events.length === limit;
      areMoreDue = isFull || turn.place !== '' || [...underWay.values()].some((count) => count >= share);
      return isFull || turn.goesOn();
    },
    onError: (error) => {
      log.error({ err: error }, 'The outbox could not be read.');
    },
  });

  function wake(): void {
    turn.beginAnew();
    loop.wake();
  }

  function countByAgency(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { agencyId } of inFlight.values()) counts.set(agencyId, (counts.get(agencyId) ?? 0) + 1);
    return counts;
  }

  function track(event: ClaimedEvent, work: Promise<boolean>): void {
    inFlight.set(work, event);
    void work.then((isNextDue) => {
      inFlight.delete(work);
      if (!isNextDue && !areMoreDue) return;
      // One poll for all deliveries that end within a few milliseconds, because a poll costs the
      // database more than a delivery.
      refill ??= setTimeout(() => {
        refill = undefined;
        turn.claimOnce();
        loop.wake();
      }, refillMs);
    });
  }

  /** Delivers an event. Resolves with whether its stream's next event is due. */
  async function handle(event: ClaimedEvent): Promise<boolean> {
    try {
      const attemptedAt = clock();
      const body = await bodyOf(options, event).catch((error: unknown) => {
        // The registry does not answer. The lease expires and the event is tried again.
        log.error({ err: error, eventId: event.id }, 'The body of a webhook could not be read.');
      });
      if (body === undefined) return false;
      const webhook = { ...event, secret: secretOf(event), body };
      const result = await options.sender.send(webhook, abort.signal).catch(() => undefined);
      if (result === undefined) {
        await releaseEvent(db, event);
        options.metrics.countDelivery('released', 0, null);
        return true;
      }
      const outcome = outcomeOf(event, result);
      const { status, error, durationMs } = result;
      const attempt = { attemptedAt, status, error, durationMs };
      const isNextDue = await settlements.settle({ event, outcome, attempt });
      if (isNextDue === undefined) return false;
      options.metrics.countDelivery(outcome.kind, durationMs, error);
      report(event, outcome, result);
      return isNextDue;
    } catch (error) {
      // The lease expires and the event is sent again.
      log.error({ err: error, eventId: event.id }, 'The result of a delivery could not be saved.');
      return false;
    }
  }

  function secretOf(event: ClaimedEvent): string | null {
    if (event.secretEncrypted === null) return null;
    const keys = options.keys.of(event.mode);
    if (keys.canDecrypt(event.secretEncrypted)) {
      return keys.decrypt(event.secretEncrypted, webhookSecretAssociatedData(event));
    }
    // Sent without a signature: a receiver that verifies signatures rejects it, which the agency
    // notices.
    log.error({ eventId: event.id }, 'A webhook is not signed: the key of its secret is lost. Create a new secret.');
    return null;
  }

  function outcomeOf(event: ClaimedEvent, { status, error, retryAfterSeconds }: SendResult): Outcome {
    if (error === null) return { kind: 'delivered' };
    if (status === 410) return { kind: 'gone' };
    const random = options.random ?? Math.random;
    const inMs = nextRetryMs({ attempts: event.attempts + 1, retryAfterSeconds, scale: options.retryScale, random });
    if (inMs === undefined) return { kind: 'dead' };
    if (inMs < pollMs) setTimeout(wake, inMs).unref();
    return { kind: 'retry', at: new Date(clock().getTime() + inMs) };
  }

  function report(event: ClaimedEvent, outcome: Outcome, { status, error, code, durationMs }: SendResult): void {
    const { id: eventId, type: eventType, requestId, traceparent } = event;
    const traceId = traceparent === null ? undefined : traceIdOf(traceparent);
    const entry = {
      requestId,
      traceId,
      eventId,
      eventType,
      attempt: event.attempts + 1,
      status,
      error,
      code,
      durationMs,
    };
    if (outcome.kind === 'delivered') log.info(entry, 'A webhook was delivered.');
    else if (outcome.kind === 'retry')
      log.warn({ ...entry, nextAt: outcome.at }, 'A webhook failed and will be retried.');
    else
      log.error(
        entry,
        outcome.kind === 'gone' ? 'A webhook endpoint is disabled (410).' : 'A webhook was dead-lettered.',
      );
  }

  async function stop(deadlineMs: number): Promise<void> {
    await loop.stop();
    const deadline = setTimeout(() => {
      abort.abort();
    }, deadlineMs);
    await Promise.allSettled(inFlight.keys());
    clearTimeout(deadline);
  }

  return { start: loop.start, wake, stop };
}

/** The parts of the worker that complete the stored data of an event. */
type BodyParts = Pick<OutboxWorkerOptions, 'db' | 'links' | 'registry'>;

/**
 * The body of a webhook. The link of a request for action is derived here, because links are not
 * stored. So is the record of a producer, which is then the newest one.
 */
async function bodyOf(parts: BodyParts, event: ClaimedEvent): Promise<string> {
  const { id, type, createdAt } = event;
  const data = await dataOf(parts, event);
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data });
}

async function dataOf({ db, links, registry }: BodyParts, event: ClaimedEvent): Promise<object> {
  if (event.type === 'application.requires_action') return withActionUrl(db, event, links);
  return event.type === 'producer.updated' ? withProducer(registry, event) : event.data;
}

async function withProducer(
  registry: BodyParts['registry'],
  { mode, webhookPreference, data }: ClaimedEvent,
): Promise<ProducerUpdatedEvent['data']> {
  const { npn, reportDate, changes } = data as { npn: string; reportDate: string; changes: string[] };
  const update = { npn, reportDate, changes: sortSections(changes) };
  if (webhookPreference !== 'entity-info') return update;
  // As getSubscriptionUpdate (operation 11) returns it for this day.
  const newest = await findUpdateOfDay(registry, mode, npn, reportDate);
  return newest === undefined ? update : { ...update, producer: newest.producer };
}

async function withActionUrl(
  db: Database,
  { streamId: applicationId, mode, data }: ClaimedEvent,
  links: Links,
): Promise<Record<string, unknown>> {
  const { actionSerial, actionUrl, ...rest } = data as { state: StateCode; actionSerial: number; actionUrl?: string };
  if (actionUrl !== undefined) return { ...rest, actionUrl };
  const asked = await findApplicationState(db, applicationId, rest.state);
  // After a newer request of the department, the link of this event no longer works.
  const hash = asked?.actionSerial === actionSerial ? asked.actionHash : null;
  const request = { serial: actionSerial, linkNumber: asked?.actionLinkNumber ?? 0 };
  return { ...rest, actionUrl: links.actionUrl({ mode, applicationId, state: rest.state, ...request }, hash) };
}
