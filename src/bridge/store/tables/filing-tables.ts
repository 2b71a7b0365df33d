import type { Generated } from 'kysely';
import type { StateCode } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** `waiting`: for a person or a gateway; `claimed`: one of them is at it; `filed`: the state has it; `answered`: it has decided. */
export type FilingStatus = 'waiting' | 'claimed' | 'filed' | 'answered';

/** What is to be filed with one state of a live application. */
export interface FilingTable {
  application_id: string;
  state: StateCode;
  /** 0 for the application; the serial of the department's request once the user has answered it. */
  serial: Generated<number>;
  status: FilingStatus;
  /** The operator who works on it, as the audit trail names them. */
  claimed_by: string | null;
  /** What the state calls it. */
  reference: string | null;
  filed_by: string | null;
  filed_at: Timestamp | null;
  /** Submissions of the gateway that failed. */
  attempts: Generated<number>;
  /** The code of the last of them. */
  last_error: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The tables of filings. */
export interface FilingTables {
  filing: FilingTable;
}
