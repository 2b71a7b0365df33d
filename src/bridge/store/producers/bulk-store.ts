import { type Selectable, sql } from 'kysely';
import type { BulkOnboardType } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import type { BulkOnboardingTable } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `bulk_onboarding` as it is read. */
export type BulkOnboardingRow = Selectable<BulkOnboardingTable>;

/** A bulk onboarding to write. */
export interface NewBulk {
  id: string;
  owner: Owner;
  onboardType: BulkOnboardType;
  /** The NPNs of the request in order, split into batches. */
  batches: readonly (readonly string[])[];
  now: Date;
}

/** Writes a bulk onboarding with its batches, due at once. */
export async function insertBulk(trx: DatabaseTransaction, { id, owner, onboardType, batches, now }: NewBulk) {
  const { agencyId: agency_id, mode } = owner;
  await trx
    .insertInto('bulk_onboarding')
    .values({
      id,
      agency_id,
      mode,
      onboard_type: onboardType,
      total_count: batches.reduce((count, npns) => count + npns.length, 0),
      success_count: 0,
      open_batches: batches.length,
      created_at: now,
      completed_at: null,
    })
    .execute();
  const rows = batches.map((npns, number) => ({ bulk_id: id, number, npns, due_at: now }));
  await trx
    .insertInto('bulk_batch')
    .values(rows.map((row) => ({ ...row, outcomes: null, success_count: 0, attempts: 0 })))
    .execute();
  await trx
    .insertInto('bulk_turn')
    .values({ agency_id, mode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Finds a bulk onboarding of an owner. */
export function findBulk(db: Database, owner: Owner, id: string): Promise<BulkOnboardingRow | undefined> {
  return db
    .selectFrom('bulk_onboarding')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'bulk_onboarding'))
    .executeTakeFirst();
}

/** A finished batch, which never changes again. */
export interface DoneBatch {
  number: number;
  /** The number of its NPNs that were onboarded. */
  successCount: number;
}

/** Reads the finished batches in the order of the request, without their NPNs. */
export function findDoneBatches(db: Database, bulkId: string): Promise<DoneBatch[]> {
  return db
    .selectFrom('bulk_batch')
    .select(['number', 'success_count as successCount'])
    .where('bulk_id', '=', bulkId)
    .where('outcomes', 'is not', null)
    .orderBy('number')
    .execute();
}

/** The result of one NPN. */
export interface NpnOutcome {
  npn: string;
  /** 0 when it was onboarded, else the number of the error in the error catalogue. */
  outcome: number;
}

/** Reads the results of the NPNs of some or all finished batches, in the order of the request. */
export async function findOutcomes(db: Database, bulkId: string, numbers?: readonly number[]): Promise<NpnOutcome[]> {
  if (numbers?.length === 0) return [];
  const batches = await db
    .selectFrom('bulk_batch')
    .select(['npns', 'outcomes'])
    .where('bulk_id', '=', bulkId)
    .where('outcomes', 'is not', null)
    .$if(numbers !== undefined, (query) => query.where('number', 'in', numbers ?? []))
    .orderBy('number')
    .execute();
  return batches.flatMap(({ npns, outcomes }) => npns.map((npn, index) => ({ npn, outcome: outcomes?.[index] ?? 0 })));
}

/** A batch that this transaction has locked until it ends. */
export interface LockedBatch {
  bulkId: string;
  number: number;
  npns: string[];
  onboardType: BulkOnboardType;
  owner: Owner;
  /** The number of failed tries. */
  attempts: number;
}

/**
 * Reads the owners of due batches in the order in which they are served. Batches of a deactivated
 * agency wait.
 */
export function findWaitingOwners(db: Database, now: Date): Promise<Owner[]> {
  return db
    .selectFrom('bulk_turn as turn')
    .innerJoin('agency', 'agency.id', 'turn.agency_id')
    .select(['turn.agency_id as agencyId', 'turn.mode'])
    .where('agency.deactivated_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('bulk_onboarding as bulk')
          .innerJoin('bulk_batch as batch', 'batch.bulk_id', 'bulk.id')
          .select('batch.number')
          .whereRef('bulk.agency_id', '=', 'turn.agency_id')
          .whereRef('bulk.mode', '=', 'turn.mode')
          .where('bulk.completed_at', 'is', null)
          .where('batch.outcomes', 'is', null)
          .where('batch.due_at', '<=', now),
      ),
    )
    .orderBy('turn.served')
    .execute();
}

/**
 * Moves an owner to the end of the order. Outside the batch's transaction, so that other instances
 * see it while the batch runs. It does not wait for the disk: after a crash of the database an
 * owner may be served twice in a row.
 */
export async function takeTurn(db: Database, owner: Owner): Promise<void> {
  await db
    .updateTable('bulk_turn')
    .set({ served: sql<number>`nextval('bulk_turn_number')` })
    .where('agency_id', '=', owner.agencyId)
    .where('mode', '=', owner.mode)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .execute();
}

/** Claims the first due and unlocked batch of an owner's oldest bulk onboarding. */
export async function claimBatch(trx: DatabaseTransaction, owner: Owner, now: Date): Promise<LockedBatch | undefined> {
  const batch = await trx
    .selectFrom('bulk_batch as batch')
    .innerJoin('bulk_onboarding as bulk', 'bulk.id', 'batch.bulk_id')
    .select(['bulk.id as bulkId', 'bulk.onboard_type as onboardType', 'batch.number', 'batch.npns', 'batch.attempts'])
    .where('bulk.agency_id', '=', owner.agencyId)
    .where('bulk.mode', '=', owner.mode)
    .where('bulk.completed_at', 'is', null)
    .where('batch.outcomes', 'is', null)
    .where('batch.due_at', '<=', now)
    .orderBy('bulk.created_at')
    .orderBy('bulk.id')
    .orderBy('batch.number')
    .limit(1)
    .forNoKeyUpdate('batch')
    .skipLocked()
    .executeTakeFirst();
  return batch && { ...batch, owner: { agencyId: owner.agencyId, mode: owner.mode } };
}

/** A bulk onboarding after one of its batches was finished. */
export interface BulkProgress {
  totalCount: number;
  successCount: number;
  /** Whether that was the last batch. */
  isCompleted: boolean;
}

/**
 * Writes the results of a batch and adds them to the counts. A batch is finished once or not at
 * all.
 */
export async function finishBatch(
  trx: DatabaseTransaction,
  { bulkId, number }: LockedBatch,
  outcomes: number[],
  now: Date,
): Promise<BulkProgress> {
  const successCount = outcomes.filter((outcome) => outcome === 0).length;
  await trx
    .updateTable('bulk_batch')
    .set({ outcomes, success_count: successCount })
    .where('bulk_id', '=', bulkId)
    .where('number', '=', number)
    .execute();
  // The last statement, because instances that work on this bulk onboarding wait for each other
  // here until the commit.
  const bulk = await trx
    .updateTable('bulk_onboarding')
    .set((eb) => ({
      success_count: eb('success_count', '+', successCount),
      open_batches: eb('open_batches', '-', 1),
      completed_at: sql<Date>`case open_batches when 1 then ${now}::timestamptz end`,
    }))
    .where('id', '=', bulkId)
    .returning(['total_count', 'success_count', 'completed_at'])
    .executeTakeFirstOrThrow();
  return {
    totalCount: bulk.total_count,
    successCount: bulk.success_count,
    isCompleted: bulk.completed_at !== null,
  };
}

/**
 * Counts a failed try. Changes nothing when another transaction holds or has finished the batch.
 */
export async function postponeBatch(db: Database, { bulkId, number }: LockedBatch, dueAt: Date): Promise<void> {
  await db
    .updateTable('bulk_batch')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: dueAt }))
    .where('bulk_id', '=', bulkId)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('bulk_batch as failed')
        .select('failed.number')
        .where('failed.bulk_id', '=', bulkId)
        .where('failed.number', '=', number)
        .where('failed.outcomes', 'is', null)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}
