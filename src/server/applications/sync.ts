/*
 * The delivery of an application's changes to the partner.
 *
 * 1. `refresh` reads the application from the bridge, merges it into the record and writes that.
 *    The page sees this state even if a listener fails.
 * 2. `deliver` compares the record with what was delivered, calls the listeners of the events
 *    between in order, and writes what they have handled.
 *
 * `sync` is both. A webhook is acknowledged after it, and `reconcile` runs it over all open
 * applications. Nothing is queued: an event that was not delivered is found again by the
 * comparison.
 *
 * Several instances share the store. Every write is a compare-and-set of the record's version. A
 * lease in the record, written before the first listener is called, keeps other instances from
 * calling listeners at the same time; it ends by itself when its instance dies.
 */
import type { BridgeClient } from '../client/bridge-client.js';
import { withTimeout, type Clock } from '../scheduling.js';
import { type Log, messageOf } from '../log.js';
import { createSingleFlight } from '../scheduling.js';
import type { ApplicationRecord, LicensingStore } from '../store/licensing-store.js';
import { callListener, pendingEvents, type ApplicationListeners, type PendingEvent } from './events.js';
import { completeApplication, isSame, mergeApplication } from './known-application.js';
import { nextVersion, updateRecord } from './record-changes.js';

/** The options of {@link createSync}. */
export interface SyncOptions {
  bridge: Pick<BridgeClient, 'applications'>;
  store: LicensingStore;
  listeners: ApplicationListeners;
  clock: Clock;
  log: Log;
  /** Called after this instance wrote a change of an application into the record of this id. */
  onChange: (id: string) => void;
}

/** Reads applications and delivers their changes. */
export interface Sync {
  /**
   * Reads the application of a record and stores changes. Resolves with the record.
   *
   * @throws BridgeClientError, {@link SyncError} or ApplicationMismatchError.
   */
  refresh(id: string): Promise<ApplicationRecord>;
  /**
   * Delivers the events of a record that were not delivered yet.
   *
   * @throws {@link SyncError} when a listener fails, or another instance is delivering.
   */
  deliver(id: string): Promise<void>;
  /** Runs `refresh` and then `deliver`. Resolves with the record as it was read. */
  sync(id: string): Promise<ApplicationRecord>;
  /** Resolves when nothing runs any more on this instance. */
  settled(): Promise<void>;
}

/**
 * The reasons why an application could not be synchronized now.
 *
 * - `unknown_record`: the store has no such record.
 * - `no_application`: the bridge has not answered the request for a session yet.
 * - `listener_failed`: a listener rejected or took too long. The log says which one.
 * - `lease_held`: another instance is calling the listeners.
 * - `conflict`: other instances keep writing the record.
 */
export type SyncErrorCode = 'unknown_record' | 'no_application' | 'listener_failed' | 'lease_held' | 'conflict';

/** An application could not be synchronized now. The same may work later. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** The reason. */
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode) {
    super(`The application could not be synchronized: ${code}.`);
    this.code = code;
  }
}

/** A listener has the time that a sender waits, and more: what it finishes later still counts. */
export const listenerTimeoutMs = 25_000;
/** A lease must outlast one listener. It is renewed before a listener that it would not outlast. */
const leaseMs = 60_000;
/** More conflicts in a row than instances cause by chance. */
const maxAttempts = 10;

/** Creates the one place where applications are read and their changes delivered. */
export function createSync({ bridge, store, listeners, clock, log, onChange }: SyncOptions): Sync {
  // Not at import: Workers have no random numbers outside of a request.
  let ownName: string | undefined;
  const holder = () => (ownName ??= crypto.randomUUID());
  const refreshes = createSingleFlight(refresh);
  const deliveries = createSingleFlight(deliver);

  const isHeard = ({ event }: PendingEvent) => listeners[event.type] !== undefined;

  async function refresh(id: string): Promise<ApplicationRecord> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const record = await store.get(id);
      if (!record) throw new SyncError('unknown_record');
      const { applicationId } = record;
      if (applicationId === undefined) throw new SyncError('no_application');
      const received = completeApplication(record, await bridge.applications.get(applicationId));
      const changed = { ...record, application: mergeApplication(record.application, received) };
      // An event without a listener counts as delivered. A listener that is added later receives
      // later events only.
      const unheard = (await pendingEvents(changed)).filter((each) => !isHeard(each));
      if (unheard.length === 0 && isSame(record.application, changed.application)) return record;
      const next = await nextVersion(changed, { delivered: addDelivered(record.delivered, unheard) });
      // Another instance may have read something newer and written it, so this one reads again.
      if (!(await store.put(next))) continue;
      onChange(id);
      return next;
    }
    throw new SyncError('conflict');
  }

  async function deliver(id: string): Promise<void> {
    let record = await store.get(id);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (!record) throw new SyncError('unknown_record');
      const pending = (await pendingEvents(record)).filter(isHeard);
      if (pending.length === 0) return;
      if (isLeasedElsewhere(record)) throw new SyncError('lease_held');
      const leased = await nextVersion(record, { lease: newLease() });
      record = (await store.put(leased)) ? await callListeners(leased, pending) : await store.get(id);
    }
    throw new SyncError('conflict');
  }

  function isLeasedElsewhere({ lease }: ApplicationRecord): boolean {
    if (!lease || lease.holder === holder()) return false;
    const remainingMs = Date.parse(lease.until) - clock.now();
    // No lease lasts that long, even if clocks differ slightly: this clock was set back.
    return remainingMs > 0 && remainingMs <= 2 * leaseMs;
  }

  /**
   * Calls the listeners in order until one fails. Resolves with the written record: with all
   * handled events, and without the lease.
   */
  async function callListeners(
    leased: ApplicationRecord,
    pending: readonly PendingEvent[],
  ): Promise<ApplicationRecord> {
    let record = leased;
    const handled: PendingEvent[] = [];
    let hasFailed = false;
    for (const each of pending) {
      record = await renewLease(record, handled);
      hasFailed = !(await call(each));
      if (hasFailed) break;
      handled.push(each);
    }
    const written = await writeWhileLeased(record, { lease: undefined }, handled);
    if (hasFailed) throw new SyncError('listener_failed');
    return written;
  }

  async function call({ event }: PendingEvent): Promise<boolean> {
    const { type, applicationId, eventId } = event;
    try {
      await withTimeout(clock, listenerTimeoutMs, `on.${type}`, () => callListener(listeners, event));
      log({ level: 'info', event: 'event.delivered', listener: type, applicationId, eventId });
      return true;
    } catch (error) {
      log({
        level: 'error',
        event: 'listener.failed',
        listener: type,
        applicationId,
        eventId,
        message: messageOf(error),
      });
      return false;
    }
  }

  async function renewLease(record: ApplicationRecord, handled: readonly PendingEvent[]): Promise<ApplicationRecord> {
    const remainingMs = Date.parse(record.lease?.until ?? '') - clock.now();
    if (remainingMs > listenerTimeoutMs) return record;
    return writeWhileLeased(record, { lease: newLease() }, handled);
  }

  /**
   * Writes the record while this instance has its lease; other instances may refresh it meanwhile.
   */
  async function writeWhileLeased(
    { id, lease }: ApplicationRecord,
    change: Pick<ApplicationRecord, 'lease'>,
    handled: readonly PendingEvent[],
  ): Promise<ApplicationRecord> {
    const written = await updateRecord(store, id, (current) => {
      if (current.lease?.holder !== lease?.holder || current.lease?.until !== lease?.until) return undefined;
      return { ...change, delivered: addDelivered(current.delivered, handled) };
    });
    // Another instance has taken over and calls the listeners again.
    if (!written) throw new SyncError('lease_held');
    return written;
  }

  function newLease(): ApplicationRecord['lease'] {
    return { holder: holder(), until: new Date(clock.now() + leaseMs).toISOString() };
  }

  return {
    refresh: refreshes.run,
    deliver: deliveries.run,
    async sync(id) {
      const record = await refreshes.run(id);
      await deliveries.run(id);
      return record;
    },
    async settled() {
      await refreshes.settled();
      await deliveries.settled();
    },
  };
}

function addDelivered(
  delivered: ApplicationRecord['delivered'],
  handled: readonly PendingEvent[],
): ApplicationRecord['delivered'] {
  return { ...delivered, ...Object.fromEntries(handled.map((each) => [each.slot, each.delivered])) };
}
