import { isBridgeClientError } from '../client/bridge-client-error.js';
import type { Clock } from '../clock.js';
import { type Log, messageOf } from '../log.js';
import type { LicensingStore } from '../store/licensing-store.js';
import type { ApplicationRecord } from './record.js';
import { isUnfinished, updateRecord } from './record-changes.js';
import type { Sync } from './sync.js';

/** Options of `reconcile()`. */
export interface ReconcileOptions {
  /** How many applications are read at the same time, 1–50. Default: 4. */
  concurrency?: number;
  /** Ends it early. Applications that were read until then are kept and delivered. */
  signal?: AbortSignal;
}

/** The result of `reconcile()`. */
export interface ReconcileSummary {
  /** How many applications were read. */
  read: number;
  /** How many of them had changed without a webhook, or with one that is still on its way. */
  changed: number;
  /** How many cannot change any more. The next call does not read them. */
  closed: number;
  /** How many could not be read or delivered. The next call tries again. */
  failed: number;
  /** Whether all open applications were tried. `false` after `signal`, or when the bridge is unreachable. */
  isComplete: boolean;
}

/** What {@link reconcileApplications} needs. */
export interface ReconcileContext {
  store: LicensingStore;
  sync: Sync;
  clock: Clock;
  log: Log;
}

const pageSize = 100;
/** So many failures in a row are an outage: more requests would only add to the load. */
const outageAfter = 10;
const dayMs = 24 * 60 * 60_000;
/** Departments may take weeks. An application that has had no final status for so long is not read any more. */
const longestOpenMs = 180 * dayMs;

/** Runs `sync` for every open application. */
export async function reconcileApplications(
  { store, sync, clock, log }: ReconcileContext,
  { concurrency = 4, signal }: ReconcileOptions,
): Promise<ReconcileSummary> {
  if (!(concurrency >= 1 && concurrency <= 50)) throw new TypeError('concurrency must be from 1 to 50.');
  const summary: ReconcileSummary = { read: 0, changed: 0, closed: 0, failed: 0, isComplete: false };
  let failuresInARow = 0;
  const shouldContinue = () => signal?.aborted !== true && failuresInARow < outageAfter;

  async function reconcileOne(before: ApplicationRecord): Promise<void> {
    const { id, applicationId } = before;
    try {
      if (applicationId !== undefined) {
        const record = await sync.refresh(id);
        failuresInARow = 0;
        summary.read += 1;
        if (hasChanged(before, record)) summary.changed += 1;
        await sync.deliver(id);
      }
    } catch (error) {
      const isOutage = isBridgeClientError(error) && error.code !== 'not_found';
      failuresInARow = isOutage ? failuresInARow + 1 : 0;
      summary.failed += 1;
      log({ level: 'warn', event: 'reconcile.failed', applicationId, message: messageOf(error) });
    }
    const now = clock.now();
    const written = await updateRecord(store, id, (record) =>
      record.isOpen && isAbandoned(record, now) ? { isOpen: false } : undefined,
    );
    if (written || (await store.get(id))?.isOpen === false) summary.closed += 1;
  }

  for (let after: string | undefined; ;) {
    const page = await store.listOpen(after, pageSize);
    if (page.length === 0) return { ...summary, isComplete: true };
    await forEachConcurrently(page, concurrency, async (record) => {
      if (shouldContinue()) await reconcileOne(record);
    });
    after = page.at(-1)?.id;
    if (!shouldContinue()) return summary;
  }
}

function hasChanged(before: ApplicationRecord, after: ApplicationRecord): boolean {
  // The first reading of an application that was not opened yet is no change.
  if (!before.application) return after.application?.progress.step !== 'not_started';
  return before.version !== after.version;
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

async function forEachConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One iterator for all workers: each takes the next item.
  const rest = items.values();
  async function takeFromRest(): Promise<void> {
    for (const item of rest) await work(item);
  }
  await Promise.all(Array.from({ length: limit }, takeFromRest));
}
