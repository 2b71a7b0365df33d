import { setTimeout } from 'node:timers/promises';
import { failures } from '../../contract/index.js';
import type { BridgeContext } from '../domain/context.js';
import { shareAgency } from '../store/accounts/agency-store.js';
import type { Owner } from '../store/owner.js';
import {
  type BulkProgress,
  claimBatch,
  findWaitingOwners,
  finishBatch,
  type HeldBatch,
  postponeBatch,
  takeTurn,
} from '../store/producers/bulk-store.js';
import { onboardProducers } from '../store/producers/onboarding-store.js';
import type { DatabaseTransaction } from '../store/tables/typed-database.js';
import { createWorkLoop, type WorkLoop } from '../work-loop.js';

/**
 * Makes what does the bulk onboardings of all agencies, batch by batch. Any number of instances may run, on one job too. `stop`
 * finishes the batch that is held and claims no other.
 */
export function createBulkWorker(context: BatchContext): WorkLoop {
  return createWorkLoop({
    look: () => onboardNextBatch(context),
    onError: (error) => {
      context.log.error({ err: error }, 'Bulk onboarding could not go on.');
    },
  });
}

/**
 * One batch of a bulk onboarding. Each is one transaction:
 *
 * 1. Of the agencies with a batch that is due, the one that was served longest ago takes its turn.
 * 2. The batch is claimed: its row is locked, rows that others hold are skipped.
 * 3. The registry says which NPNs exist; those are onboarded.
 * 4. What came of each NPN is written into the batch, and the job's counts with it.
 *
 * A process that is killed anywhere in between takes its transaction with it: the batch is as it was before, and free
 * at once. That is why batches are no jobs of pg-boss, as other work is: its jobs are leases, written down before and after the
 * work, so that a batch of a killed process would wait for the lease to run out, and one that was killed between the work and
 * the note that it is done would be done twice. Nor does it serve the groups of a queue in turns.
 */

/** What a batch needs of the bridge. */
export type BatchContext = Pick<BridgeContext, 'db' | 'registry' | 'clock' | 'log'>;

const firstRetryMs = 1_000;
/** However long the registry is away: once it is back, no batch waits longer than this. */
const longestRetryMs = 60_000;
/** A transaction that waits for a registry that never answers would hold its batch, and a graceful stop, for ever. */
const registryDeadlineMs = 30_000;

/** Onboards one batch, if any is due and free. Resolves with whether there was one, done or failed. */
export async function onboardNextBatch(context: BatchContext): Promise<boolean> {
  for (const owner of await findWaitingOwners(context.db, context.clock())) {
    // Also when others turn out to hold all that the owner has: it is being served.
    await takeTurn(context.db, owner);
    if (await onboardBatchOf(context, owner)) return true;
  }
  return false;
}

async function onboardBatchOf(context: BatchContext, owner: Owner): Promise<boolean> {
  const { db, clock, log } = context;
  let batch: HeldBatch | undefined;
  try {
    const progress = await db.transaction().execute(async (trx) => {
      batch = await claimBatch(trx, owner, clock());
      return batch && onboardBatch(context, trx, batch);
    });
    if (batch && progress) report(context, batch, progress);
  } catch (error) {
    if (batch === undefined) throw error;
    const attempt = batch.attempts + 1;
    const dueAt = new Date(clock().getTime() + Math.min(firstRetryMs * 2 ** batch.attempts, longestRetryMs));
    const { bulkId, number } = batch;
    log.error({ err: error, bulkId, batch: number, attempt, nextAt: dueAt }, 'A batch of a bulk onboarding failed.');
    await postponeBatch(db, batch, dueAt);
  }
  return batch !== undefined;
}

async function onboardBatch(
  { registry, clock }: BatchContext,
  trx: DatabaseTransaction,
  batch: HeldBatch,
): Promise<BulkProgress | undefined> {
  const { npns, owner, onboardType } = batch;
  const known = await inTime(registry.findKnown(owner.mode, npns, trx));
  // After the registry, which may take its time: a deactivation waits for what follows, and a batch that it came before is
  // as if no worker had touched it.
  const agency = await shareAgency(trx, owner.agencyId);
  if (agency?.deactivated_at !== null) return undefined;
  const now = clock();
  const onboarded = npns.filter((npn) => known.has(npn));
  if (onboardType === 'subscribe') await onboardProducers(trx, owner, onboarded, 'subscribe', now);
  const outcomes = npns.map((npn) => (known.has(npn) ? 0 : failures.unknown_producer[0]));
  return finishBatch(trx, batch, outcomes, now);
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const deadline = setTimeout(registryDeadlineMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The producer registry did not answer within ${String(registryDeadlineMs)} ms.`);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    deadline.catch(() => undefined);
    timer.abort();
  }
}

function report({ log }: BatchContext, { bulkId, number }: HeldBatch, progress: BulkProgress): void {
  const { isCompleted, totalCount, successCount } = progress;
  if (!isCompleted) log.debug({ bulkId, batch: number }, 'A batch of a bulk onboarding is done.');
  else log.info({ bulkId, totalCount, successCount }, 'A bulk onboarding has finished.');
}
