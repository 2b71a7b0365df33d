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
  const { agencyId, mode } = owner;
  await trx
    .insertInto('bulkOnboarding')
    .values({
      id,
      agencyId,
      mode,
      onboardType,
      totalCount: batches.reduce((count, npns) => count + npns.length, 0),
      successCount: 0,
      openBatches: batches.length,
      createdAt: now,
      completedAt: null,
    })
    .execute();
  const rows = batches.map((npns, number) => ({ bulkId: id, number, npns, dueAt: now }));
  await trx
    .insertInto('bulkBatch')
    .values(rows.map((row) => ({ ...row, outcomes: null, successCount: 0, attempts: 0 })))
    .execute();
  await trx
    .insertInto('bulkTurn')
    .values({ agencyId, mode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Finds a bulk onboarding of an owner. */
export function findBulk(db: Database, owner: Owner, id: string): Promise<BulkOnboardingRow | undefined> {
  return db
    .selectFrom('bulkOnboarding')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'bulkOnboarding'))
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
    .selectFrom('bulkBatch')
    .select(['number', 'successCount'])
    .where('bulkId', '=', bulkId)
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
    .selectFrom('bulkBatch')
    .select(['npns', 'outcomes'])
    .where('bulkId', '=', bulkId)
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
    .selectFrom('bulkTurn as turn')
    .innerJoin('agency', 'agency.id', 'turn.agencyId')
    .select(['turn.agencyId', 'turn.mode'])
    .where('agency.deactivatedAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('bulkOnboarding as bulk')
          .innerJoin('bulkBatch as batch', 'batch.bulkId', 'bulk.id')
          .select('batch.number')
          .whereRef('bulk.agencyId', '=', 'turn.agencyId')
          .whereRef('bulk.mode', '=', 'turn.mode')
          .where('bulk.completedAt', 'is', null)
          .where('batch.outcomes', 'is', null)
          .where('batch.dueAt', '<=', now),
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
export async function moveToEnd(db: Database, owner: Owner): Promise<void> {
  await db
    .updateTable('bulkTurn')
    .set({ served: sql<number>`nextval('bulk_turn_number')` })
    .where('agencyId', '=', owner.agencyId)
    .where('mode', '=', owner.mode)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .execute();
}

/** Claims the first due and unlocked batch of an owner's oldest bulk onboarding. */
export async function claimBatch(trx: DatabaseTransaction, owner: Owner, now: Date): Promise<LockedBatch | undefined> {
  const batch = await trx
    .selectFrom('bulkBatch as batch')
    .innerJoin('bulkOnboarding as bulk', 'bulk.id', 'batch.bulkId')
    .select(['bulk.id as bulkId', 'bulk.onboardType', 'batch.number', 'batch.npns', 'batch.attempts'])
    .where('bulk.agencyId', '=', owner.agencyId)
    .where('bulk.mode', '=', owner.mode)
    .where('bulk.completedAt', 'is', null)
    .where('batch.outcomes', 'is', null)
    .where('batch.dueAt', '<=', now)
    .orderBy('bulk.createdAt')
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
    .updateTable('bulkBatch')
    .set({ outcomes, successCount })
    .where('bulkId', '=', bulkId)
    .where('number', '=', number)
    .execute();
  // The last statement, because instances that work on this bulk onboarding wait for each other
  // here until the commit.
  const { completedAt, ...counts } = await trx
    .updateTable('bulkOnboarding')
    .set((eb) => ({
      successCount: eb('successCount', '+', successCount),
      openBatches: eb('openBatches', '-', 1),
      completedAt: sql<Date>`case open_batches when 1 then ${now}::timestamptz end`,
    }))
    .where('id', '=', bulkId)
    .returning(['totalCount', 'successCount', 'completedAt'])
    .executeTakeFirstOrThrow();
  return { ...counts, isCompleted: completedAt !== null };
}

/**
 * Counts a failed try. Changes nothing when another transaction holds or has finished the batch.
 */
export async function postponeBatch(db: Database, { bulkId, number }: LockedBatch, dueAt: Date): Promise<void> {
  await db
    .updateTable('bulkBatch')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt }))
    .where('bulkId', '=', bulkId)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('bulkBatch as failed')
        .select('failed.number')
        .where('failed.bulkId', '=', bulkId)
        .where('failed.number', '=', number)
        .where('failed.outcomes', 'is', null)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}
