import type { ColumnType, Generated } from 'kysely';
import type { BulkOnboardType, Mode } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** A bulk onboarding (operation 7). It is kept, as an application is: its report stays readable. */
export interface BulkOnboardingTable {
  /** A UUID. */
  id: string;
  agency_id: string;
  mode: Mode;
  onboard_type: BulkOnboardType;
  /** NPNs of the request, each counted once. */
  total_count: number;
  /** Those that were onboarded so far, counted in the transactions that onboarded them. */
  success_count: number;
  /** Batches that are still to be done. */
  open_batches: number;
  created_at: Timestamp;
  completed_at: Timestamp | null;
}

/**
 * Some NPNs of a bulk onboarding, which are claimed, onboarded and written down together. One row instead of one an NPN: a claim
 * is one lock, and a request of 10,000 is written while its caller waits.
 */
export interface BulkBatchTable {
  bulk_id: string;
  /** Its place in the request, from 0. */
  number: number;
  /** `bigint[]`, which the driver reads as texts: NPNs are texts everywhere else too. */
  npns: ColumnType<string[], readonly string[], never>;
  /** For each NPN 0 when it was onboarded, else its number in the error catalogue; null while the batch is to be done. */
  outcomes: number[] | null;
  /** How many of the outcomes are 0, so that a page of the report reads only the batches that it shows. */
  success_count: number;
  /** Tries that failed. */
  attempts: number;
  /** Not to be tried before. */
  due_at: Timestamp;
}

/** When an agency was last served, in one mode: whoever was served longest ago is next. */
export interface BulkTurnTable {
  agency_id: string;
  mode: Mode;
  /** A number of the sequence `bulk_turn_number` and no time: the clocks of instances differ. 0 before the first turn. */
  served: Generated<number>;
}

/** The tables of bulk onboarding. */
export interface BulkTables {
  bulk_onboarding: BulkOnboardingTable;
  bulk_batch: BulkBatchTable;
  bulk_turn: BulkTurnTable;
}
