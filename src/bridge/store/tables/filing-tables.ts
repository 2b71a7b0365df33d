import type { Generated } from 'kysely';
import type { ApplicationState, StateCode } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** The license that an approval issued, as far as it was entered. */
export type IssuedLicense = Pick<ApplicationState, 'licenseNumber' | 'issuedOn' | 'expiresOn' | 'lines'>;

/**
 * `waiting`: for a person or a gateway; `claimed`: by one of them; `filed`: with the state;
 * `answered`: the state has decided.
 */
export type FilingStatus = 'waiting' | 'claimed' | 'filed' | 'answered';

/**
 * What a state waits for: the fingerprints of the user, or the operator's correction of what it returned
 * (a deficiency).
 */
export type FilingWait = 'fingerprints' | 'correction';

/** The filing of an application with one state that people or a gateway file with. */
export interface FilingTable {
  applicationId: string;
  state: StateCode;
  /**
   * 0 for the application; the serial of the department's request after the user has answered it.
   */
  serial: Generated<number>;
  status: FilingStatus;
  /** The operator who has claimed it, as in the audit trail. */
  claimedBy: string | null;
  /** What the state waits for, as an operator has entered it; null while nothing holds it up. */
  waitsFor: FilingWait | null;
  /** The reference number of the state. */
  reference: string | null;
  filedBy: string | null;
  filedAt: Timestamp | null;
  /** Failed submissions of the gateway. */
  attempts: Generated<number>;
  /** The code of the last failure. */
  lastError: string | null;
  createdAt: Timestamp;
  /** Since when it waits to be filed: since the submission, or the user's last answer to the state. */
  queuedAt: Timestamp;
  updatedAt: Timestamp;
}

/** The tables of filings. */
export interface FilingTables {
  filing: FilingTable;
}
