import type { BulkOnboardType, Mode } from '../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** A bulk onboarding (operation 7). */
export interface BulkOnboardingTable {
  /** A UUID. */
  id: string;
  agency_id: string;
  mode: Mode;
  onboard_type: BulkOnboardType;
  total_count: number;
  created_at: Timestamp;
  completed_at: Timestamp | null;
}

/** One NPN of a bulk onboarding. */
export interface BulkItemTable {
  bulk_id: string;
  /** Its place in the request, from 0. */
  position: number;
  npn: number;
  /** null while it is to be done; 0 when it was onboarded; else the number of the error catalogue. */
  outcome: number | null;
}

/** The tables of bulk onboarding. */
export interface BulkTables {
  bulk_onboarding: BulkOnboardingTable;
  bulk_item: BulkItemTable;
}
