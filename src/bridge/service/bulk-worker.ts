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
  type LockedBatch,
  postponeBatch,
  moveToEnd,
} from '../store/producers/bulk-store.js';
import { onboardProducers } from '../store/producers/onboarding-store.js';
import type { DatabaseTransaction } from '../store/tables/typed-database.js';
import { inTransaction } from '../store/transaction.js';
import { createWorkLoop, type WorkLoop } from '../outbox/work-loop.js';

/**
 * Creates the worker of bulk onboardings, which processes batches of all agencies. Several
 * instances may run, also on one job. `stop` finishes the current batch and claims no other.
 */
export function createBulkWorker(context: BatchContext): WorkLoop {
  return createWorkLoop({
    poll: () => onboardNextBatch(context),
    onError: (error) => {
      context.log.error({ err: error }, 'Bulk onboarding could not continue.');
    },
  });
}

/**
 * One batch of a bulk onboarding. Each is one transaction:
 *
 * 1. The agency with a due batch that was served longest ago takes its turn.
 * 2. The batch is claimed: its row is locked, and rows locked by others are skipped.
 * 3. The existing NPNs of the registry are onboarded.
 * 4. The result of each NPN is written to the batch, together with the counts of the job.
 *
 * When a process is killed, its transaction is rolled back, so the batch is unchanged and free at
 * once. That is why batches are not pg-boss jobs: its jobs are leases that are written before and
 * after the work, so a batch of a killed process would wait for the lease, and could run twice. Nor
 * does pg-boss serve the groups of a queue in turns.
 */

/** The dependencies of a batch. */
export type BatchContext = Pick<BridgeContext, 'db' | 'registry' | 'clock' | 'log'>;

const firstRetryMs = 1_000;
/** The maximum delay of a retry, so that batches continue soon after an outage of the registry. */
const longestRetryMs = 60_000;
/**
 * The timeout of the registry: without it, a transaction would hold its batch, and block a graceful
 * stop, for ever.
 */
const registryDeadlineMs = 30_000;

/**
 * Processes one batch, if any is due and free. Resolves with whether there was one, also when it
 * failed.
 */
export async function onboardNextBatch(context: BatchContext): Promise<boolean> {
  for (const owner of await findWaitingOwners(context.db, context.clock())) {
    // Also when other workers hold all batches of the owner, because it is being served.
    await moveToEnd(context.db, owner);
    if (await onboardBatchOf(context, owner)) return true;
  }
  return false;
}

async function onboardBatchOf(context: BatchContext, owner: Owner): Promise<boolean> {
  const { db, clock, log } = context;
  let batch: LockedBatch | undefined;
  try {
    const progress = await inTransaction(db, async (trx) => {
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
  batch: LockedBatch,
): Promise<BulkProgress | undefined> {
  const { npns, owner, onboardType } = batch;
  const known = await withDeadline(registry.findKnown(owner.mode, npns, trx));
  // After the registry's answer, which may take long: a deactivation waits for the following steps,
  // and a batch after a deactivation stays unchanged.
  const agency = await shareAgency(trx, owner.agencyId);
  if (agency?.deactivatedAt !== null) return undefined;
  const now = clock();
  const onboarded = npns.filter((npn) => known.has(npn));
  if (onboardType === 'subscribe') await onboardProducers(trx, owner, onboarded, 'subscribe', now);
  const outcomes = npns.map((npn) => (known.has(npn) ? 0 : failures.unknown_producer[0]));
  return finishBatch(trx, batch, outcomes, now);
}

async function withDeadline<Value>(answer: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const deadline = setTimeout(registryDeadlineMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The producer registry did not answer within ${registryDeadlineMs} ms.`);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    deadline.catch(() => undefined);
    timer.abort();
  }
}

function report({ log }: BatchContext, { bulkId, number }: LockedBatch, progress: BulkProgress): void {
  const { isCompleted, totalCount, successCount } = progress;
  if (!isCompleted) log.debug({ bulkId, batch: number }, 'A batch of a bulk onboarding is done.');
  else log.info({ bulkId, totalCount, successCount }, 'A bulk onboarding has finished.');
}
