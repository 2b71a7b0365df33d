import { isBridgeClientError, isNotFound } from '../client/bridge-client-error.js';
import type { Clock } from '../scheduling.js';
import { type Log, messageOf } from '../log.js';
import type { ApplicationRecord, LicensingStore } from '../store/licensing-store.js';
import { isUnfinished, updateRecord } from './record-changes.js';
import type { Sync } from './sync.js';

/** Options of `reconcile()`. */
export interface ReconcileOptions {
  /** Ends it early. Applications that were read until then are kept and delivered. */
  signal?: AbortSignal;
}

/** The result of `reconcile()`. */
export interface ReconcileSummary {
  /** The number of applications that were read. */
  read: number;
  /** The number of applications that can no longer change. The next call does not read them. */
  closed: number;
  /** The number of applications that could not be read or delivered. The next call tries again. */
  failed: number;
  /**
   * Whether all open applications were tried. `false` after `signal`, or when the bridge is
   * unreachable.
   */
  isComplete: boolean;
}

/** The options of {@link reconcileApplications}. */
export interface ReconcileContext {
  store: LicensingStore;
  sync: Sync;
  clock: Clock;
  log: Log;
}

/** The number of applications that are read at the same time. */
const batchSize = 10;
const dayMs = 24 * 60 * 60_000;
/**
 * Departments may take weeks. An application without a final status for this time is not read any
 * more.
 */
const longestOpenMs = 180 * dayMs;

/** Runs `sync` for every open application. */
export async function reconcileApplications(
  { store, sync, clock, log }: ReconcileContext,
  { signal }: ReconcileOptions,
): Promise<ReconcileSummary> {
  const summary: ReconcileSummary = { read: 0, closed: 0, failed: 0, isComplete: false };

  /** Resolves with whether the bridge could be reached. */
  async function reconcileOne({ id, applicationId }: ApplicationRecord): Promise<boolean> {
    let isReachable = true;
    try {
      if (applicationId !== undefined) {
        await sync.refresh(id);
        summary.read += 1;
        await sync.deliver(id);
      }
    } catch (error) {
      isReachable = !isBridgeClientError(error) || isNotFound(error);
      summary.failed += 1;
      log({ level: 'warn', event: 'reconcile.failed', applicationId, message: messageOf(error) });
    }
    const now = clock.now();
    const closed = await updateRecord(store, id, (record) =>
      record.isOpen && isAbandoned(record, now) ? { isOpen: false } : undefined,
    );
    if (!(closed ?? (await store.get(id)))?.isOpen) summary.closed += 1;
    return isReachable;
  }

  for (let after: string | undefined; signal?.aborted !== true;) {
    const batch = await store.listOpen(after, batchSize);
    if (batch.length === 0) return { ...summary, isComplete: true };
    const reached = await Promise.all(batch.map(reconcileOne));
    // More requests would only add to an outage.
    if (!reached.includes(true)) break;
    after = batch.at(-1)?.id;
  }
  return summary;
}

/** Whether no user can continue the application, or too much time has passed. */
function isAbandoned(record: ApplicationRecord, now: number): boolean {
  const { session, createdAt } = record;
  const ageMs = now - Date.parse(createdAt);
  if (ageMs > longestOpenMs) return true;
  if (!session) return ageMs > dayMs;
  // A day more than the link lasts: its last webhooks may be late.
  return isUnfinished(record) && session.expiresAt !== undefined && now - Date.parse(session.expiresAt) > dayMs;
}
