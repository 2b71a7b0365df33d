import { deleteEndedOperatorSessions } from '../store/accounts/operator-store.js';
import { deleteEndedCounts } from '../store/accounts/rate-limit-store.js';
import { deleteExpired } from '../store/applications/application-store.js';
import {
  countEnded,
  type EndedApplication,
  eraseApplicants,
  eraseApplications,
  lockEnded,
} from '../store/applications/erasure-store.js';
import { deleteOld, type Growing } from '../store/retention-store.js';
import type { BridgeContext } from './context.js';
import { deleteLeftovers } from './documents/documents.js';
import { repairFilings } from './filing/filings.js';
import { sessionIdleMs } from './operators/sign-in.js';
import { idempotencyKeyTtlMs } from './sessions/create-session.js';

/**
 * How long a session that another one followed is known after its end: its link leads whoever kept it back to the partner, and a repeated
 * Idempotency-Key, which lives for a day, finds it.
 */
const earlierSessionsKeptMs = 30 * 24 * 3_600_000;

/**
 * Deletes what has run out: tokens, counts of limits, Idempotency-Keys, sessions that others followed; what grows without end
 * and is older than its retention; and, where there is a limit, what was typed in applications that ended long ago. A signal
 * that aborts leaves the rest to the next time.
 */
export async function cleanUp(
  context: Pick<BridgeContext, 'db' | 'clock' | 'log' | 'retention' | 'retentionDays' | 'documents' | 'filing'>,
  signal?: AbortSignal,
): Promise<void> {
  await repairFilings(context);
  const now = context.clock().getTime();
  await deleteExpired(context.db, {
    tokens: new Date(now),
    idempotencyKeys: new Date(now - idempotencyKeyTtlMs),
    earlierSessions: new Date(now - earlierSessionsKeptMs),
    identityChecks: new Date(now),
  });
  await deleteEndedOperatorSessions(context.db, new Date(now), new Date(now - sessionIdleMs));
  // By the clock that wrote them. A minute later: the clocks of instances differ a little.
  await deleteEndedCounts(context.db, new Date(Date.now() - 60_000));
  for (const [growing, days] of Object.entries(context.retention) as [Growing, number][]) {
    if (days > 0) await deleteOld(context.db, growing, new Date(now - days * 24 * 3_600_000), signal);
  }
  if (context.retentionDays !== undefined) {
    const erased = await eraseEnded(context, context.retentionDays, signal);
    if (erased.applications > 0) context.log.info(erased, 'What users typed in ended applications was erased.');
  }
  // Last: of what was erased, only the content of documents is still there, whose key is gone.
  await deleteLeftovers(context, signal);
}

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
