/**
 * Submits applications to the departments of states. A port for an adapter of the operator. Default
 * in live mode: `manualFiling()`, with which people file in the operator's console. Test mode has
 * simulated departments and calls no gateway.
 *
 * The contract of an automatic gateway, which `licensing-bridge/conformance` checks for any
 * adapter:
 *
 * 1. `submit` is idempotent by application, state and serial: the same three again resolve with the
 *    same reference and file nothing twice, however many calls run at once and whichever answers
 *    were lost. Serial 0 is the application; a higher one is the answer to a request of the
 *    department.
 * 2. An unknown result rejects. The bridge retries with growing pauses until it succeeds.
 * 3. `refused` means that a retry cannot succeed. The filing then waits in the console for a
 *    person.
 * 4. `lookUp` resolves with what the department says now. It changes nothing.
 * 5. Of an error, only `code` is logged, where it is a short word: its text may quote a package. An
 *    adapter logs no package itself.
 */
import type { StateCode } from '../../contract/index.js';
import type { DocumentType } from './document-scanner.js';

/** The key of a filing. */
export interface FilingKey {
  applicationId: string;
  state: StateCode;
  /**
   * 0 for the application, incremented with each request of the department that the user answers.
   */
  serial: number;
}

/** A section of a package, as text for the department. */
export interface FilingSection {
  title: string;
  rows: { label: string; value: string[] }[];
}

/** A document of a package. */
export interface FiledDocument {
  name: string;
  /**
   * The question and incident that it belongs to, such as `1b: Court papers, Incident 2`; "" where
   * the user named none.
   */
  about: string;
  type: DocumentType;
  /**
   * Reads its unencrypted bytes. Read one document at a time, because a package may have up to 160
   * MB of documents.
   */
  read(): Promise<Uint8Array>;
}

/** The filing package of one department. */
export interface FilingPackage extends FilingKey {
  applicationType: string;
  licenseType: string;
  /** The digest of the signed data, as on the user's receipt: SHA-256 in hexadecimal digits. */
  digest: string;
  /** Nine digits. */
  ssn: string;
  /** In the order of the application, including the SSN. */
  sections: FilingSection[];
  documents: FiledDocument[];
}

/** The result of a submission. `code`: a short code for the operator, such as `fee_missing`. */
export type SubmitOutcome = { status: 'filed'; reference: string } | { status: 'refused'; code: string };

/**
 * The license that an approval issued, as far as the department says. A wrong value is an answer
 * that cannot be read: the bridge looks it up again later.
 */
export interface ApprovedLicense {
  /** Its number, at most 40 characters. */
  licenseNumber?: string;
  /** The day of its issue, `YYYY-MM-DD`. */
  issuedOn?: string;
  /** The day on which it expires, `YYYY-MM-DD`. */
  expiresOn?: string;
  /** Its lines of authority: ids of the catalogue, such as `life`. */
  lines?: string[];
}

/** The answer of a department to a filing. */
export type DepartmentAnswer =
  | { status: 'pending' }
  | ({ status: 'approved' } & ApprovedLicense)
  | { status: 'denied'; reason: string }
  | { status: 'requires_action'; reason: string; actionUrl?: string };

/** People file, in the console. */
export interface ManualFilingGateway {
  readonly kind: 'manual';
}

/** See the module's contract. */
export interface AutomaticFilingGateway {
  readonly kind: 'automatic';
  /** Whether it files with this state. Other filings wait in the console. */
  serves(state: StateCode): boolean;
  /** Submits a package. */
  submit(filing: FilingPackage): Promise<SubmitOutcome>;
  /** Resolves with the department's answer to the filing with a reference. */
  lookUp(filing: FilingKey & { reference: string }): Promise<DepartmentAnswer>;
  /** Seconds between two look-ups. Default: 900. */
  readonly lookUpSeconds?: number;
  /**
   * Tries the connection for `licensing-bridge check`, and changes nothing. Rejects when the adapter
   * cannot be used.
   */
  check?(): Promise<void>;
}

/** The filing of applications in live mode. */
export type FilingGateway = ManualFilingGateway | AutomaticFilingGateway;

/** People file the waiting applications in the console, and enter the decisions of the states. */
export function manualFiling(): ManualFilingGateway {
  return { kind: 'manual' };
}
