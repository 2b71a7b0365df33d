import {
  countEnded,
  eraseApplicants,
  eraseApplications,
  lockEnded,
  type EndedApplication,
} from '../store/applications/erasure-store.js';
import type { BridgeContext } from './context.js';

/** What was erased, in numbers. */
export interface Erased {
  /** Applications that have lost their SSN, profile, answers, acknowledgements and signature. */
  applications: number;
  /** Users of whom no SSN is kept for a next application any more. */
  users: number;
}

/** A lock is held for some milliseconds, and whoever stops the bridge waits no longer. */
const batchSize = 200;

/**
 * Erases what users typed in applications that ended so many days ago or before, batch by batch. Can be broken off at any time, run
 * again, and run on several instances at once.
 *
 * @param days At least `answersAgeDays`: what is erased later than that would not have been read again for any other application.
 */
export async function eraseEnded(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  days: number,
  signal?: AbortSignal,
): Promise<Erased> {
  const erased: Erased = { applications: 0, users: 0 };
  const now = context.clock();
  const by = endedBy(now, days);
  let batch: EndedApplication[] = [];
  do {
    const after = batch.at(-1);
    batch = await context.db.transaction().execute(async (trx) => {
      const ended = await lockEnded(trx, { by, after, limit: batchSize });
      if (ended.length === 0) return ended;
      const ids = ended.map(({ id }) => id);
      await eraseApplications(trx, ids, now);
      erased.users += await eraseApplicants(trx, ids);
      return ended;
    });
    erased.applications += batch.length;
  } while (batch.length > 0 && signal?.aborted !== true);
  return erased;
}

/** How many applications {@link eraseEnded} would erase now. */
export function countErasable(context: Pick<BridgeContext, 'db' | 'clock'>, days: number): Promise<number> {
  return countEnded(context.db, endedBy(context.clock(), days));
}

function endedBy(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 3_600_000);
}
