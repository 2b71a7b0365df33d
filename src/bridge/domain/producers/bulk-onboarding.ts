import { randomUUID } from 'node:crypto';
import {
  type BulkDetails,
  bulkDetailsPageSize,
  type BulkOnboardType,
  type BulkStart,
  type BulkStatus,
  failures,
} from '../../../contract/index.js';
import type { Owner } from '../../store/owner.js';
import {
  type BulkOnboardingRow,
  type DoneBatch,
  findBulk,
  findDoneBatches,
  findOutcomes,
  insertBulk,
} from '../../store/producers/bulk-store.js';
import { findOnboardTypes } from '../../store/producers/onboarding-store.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit, requestedBy, type Requester } from '../audit/audit.js';
import { ApiError } from '../errors/api-error.js';
import type { BridgeContext } from '../context.js';

/**
 * NPNs per transaction: more would delay other agencies, fewer would cost more round trips per NPN.
 */
const batchSize = 1_000;

const startedMessage = 'Bulk onboarding has started.';
const runningMessage = 'Bulk onboarding is still running. Try again shortly.';
const finishedMessage = 'Bulk onboarding has finished.';

/** Messages by the numbers of the error catalogue. */
const reasons = new Map<number, string>(Object.values(failures).map(([code, sentence]) => [code, sentence]));

/** The request of startBulkOnboarding (operation 7), its NPNs normalised and without duplicates. */
export interface BulkRequest {
  npn: readonly string[];
  onboardType: BulkOnboardType;
}

/**
 * Starts a bulk onboarding (operation 7): writes the job, which the workers of all instances
 * process.
 * @throws ApiError `bulk_type_not_allowed` when the agency may not use the onboard type.
 */
export async function startBulkOnboarding(
  context: Pick<BridgeContext, 'db' | 'clock' | 'wakeBulk'>,
  caller: Requester,
  { npn, onboardType }: BulkRequest,
): Promise<BulkStart> {
  const allowed = await findOnboardTypes(context.db, caller.agencyId);
  if (!allowed.includes(onboardType))
    throw new ApiError('bulk_type_not_allowed', 'onboardType: expected one that the agency may use');
  const batches = Array.from({ length: Math.ceil(npn.length / batchSize) }, (_, index) =>
    npn.slice(index * batchSize, (index + 1) * batchSize),
  );
  const id = randomUUID();
  await inTransaction(context.db, async (trx) => {
    await insertBulk(trx, { id, owner: caller, onboardType, batches, now: context.clock() });
    await recordAudit(trx, context, {
      ...requestedBy(caller),
      action: 'bulk.started',
      subject: id,
      result: `${onboardType} ${npn.length}`,
    });
  });
  context.wakeBulk();
  return { id, message: startedMessage };
}

/**
 * Reads the status of a bulk onboarding (operation 8).
 * @throws {ApiError} `unknown_bulk_onboarding` when the owner has none of this id.
 */
export async function readBulkStatus(
  context: Pick<BridgeContext, 'db'>,
  owner: Owner,
  id: string,
): Promise<BulkStatus> {
  const bulk = await requireBulk(context, owner, id);
  if (bulk.completedAt === null) {
    const counts = { totalCount: bulk.totalCount, successCount: 0, failureCount: 0 };
    return { id: bulk.id, message: runningMessage, npns: [], failedNpns: [], ...counts, failureReason: [] };
  }
  const outcomes = await findOutcomes(context.db, bulk.id);
  const failed = outcomes.filter(({ outcome }) => outcome !== 0);
  return {
    id: bulk.id,
    message: finishedMessage,
    npns: outcomes.map(({ npn }) => npn),
    failedNpns: failed.map(({ npn }) => npn),
    totalCount: bulk.totalCount,
    successCount: bulk.successCount,
    failureCount: bulk.totalCount - bulk.successCount,
    failureReason: failed.map(({ npn, outcome }) => ({ npn, code: outcome, reason: reasons.get(outcome) ?? '' })),
  };
}

/**
 * Reads a page of the producers that were onboarded so far, in the order of the request (operation
 * 6).
 * @throws {ApiError} `unknown_bulk_onboarding` when the owner has none of this id.
 */
export async function readBulkDetails(
  context: Pick<BridgeContext, 'db' | 'registry'>,
  owner: Owner,
  id: string,
  page: number,
): Promise<BulkDetails> {
  const bulk = await requireBulk(context, owner, id);
  // Finished batches never change, so the page and its counts are consistent.
  const { totalCount, numbers, skipped } = batchesOnPage(await findDoneBatches(context.db, bulk.id), page);
  const outcomes = await findOutcomes(context.db, bulk.id, numbers);
  const npns = outcomes.filter(({ outcome }) => outcome === 0).map(({ npn }) => npn);
  const shown = npns.slice(skipped, skipped + bulkDetailsPageSize);
  const producers = await context.registry.findProducers(owner.mode, shown);
  return {
    id: bulk.id,
    message: bulk.completedAt === null ? runningMessage : finishedMessage,
    currentPage: page,
    pageSize: bulkDetailsPageSize,
    totalCount,
    hasNextPage: page * bulkDetailsPageSize < totalCount,
    hasPreviousPage: page > 1,
    details: shown.flatMap((npn) => producers.get(npn) ?? []),
  };
}

async function requireBulk({ db }: Pick<BridgeContext, 'db'>, owner: Owner, id: string): Promise<BulkOnboardingRow> {
  const bulk = await findBulk(db, owner, id);
  if (bulk === undefined)
    throw new ApiError('unknown_bulk_onboarding', 'id: expected the id of a bulk onboarding of this agency');
  return bulk;
}

/** The location of the producers of a page. */
export interface BulkPage {
  /** The number of producers on all pages. */
  totalCount: number;
  /** The batches with the producers of this page; none after the last page. */
  numbers: number[];
  /** The number of producers of those batches that belong to the previous page. */
  skipped: number;
}

/** Finds the batches of a page of the report, so that every page costs the same. */
function batchesOnPage(batches: readonly DoneBatch[], page: number): BulkPage {
  const first = (page - 1) * bulkDetailsPageSize;
  const numbers: number[] = [];
  let totalCount = 0;
  let skipped = 0;
  for (const { number, successCount } of batches) {
    const end = totalCount + successCount;
    if (end > first && totalCount < first + bulkDetailsPageSize) {
      if (numbers.length === 0) skipped = first - totalCount;
      numbers.push(number);
    }
    totalCount = end;
  }
  return { totalCount, numbers, skipped };
}
