import type { Selectable } from 'kysely';
import type { BulkOnboardType } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { BulkOnboardingTable } from '../tables/bulk-tables.js';
import { ownedBy, type Owner } from '../owner.js';

/** A row of `bulk_onboarding` as it is read. */
export type BulkOnboardingRow = Selectable<BulkOnboardingTable>;

/** A bulk onboarding to write. */
export interface NewBulk {
  id: string;
  owner: Owner;
  onboardType: BulkOnboardType;
  /** The NPNs of the request in their order, cut into batches. */
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

/** A bulk onboarding of an owner. */
export function findBulk(db: Database, owner: Owner, id: string): Promise<BulkOnboardingRow | undefined> {
  return db
    .selectFrom('bulk_onboarding')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'bulk_onboarding'))
    .executeTakeFirst();
}

/** A batch that is done. It never changes again. */
export interface DoneBatch {
  number: number;
  /** How many of its NPNs were onboarded. */
  successCount: number;
}

/** The batches that are done, in the order of the request, without what is in them. */
export function findDoneBatches(db: Database, bulkId: string): Promise<DoneBatch[]> {
  return db
    .selectFrom('bulk_batch')
    .select(['number', 'success_count as successCount'])
    .where('bulk_id', '=', bulkId)
    .where('outcomes', 'is not', null)
    .orderBy('number')
    .execute();
}

/** What came of one NPN. */
export interface NpnOutcome {
  npn: string;
  /** 0 when it was onboarded, else its number in the error catalogue. */
  outcome: number;
}

/** What came of the NPNs of some batches that are done, or of all of them, in the order of the request. */
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
