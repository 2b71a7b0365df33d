/**
 * Submits applications to the departments of states. A port: an operator puts an adapter of their own behind it. Default in live mode:
 * `manualFiling()`, with which people file in the operator's console. Test mode has simulated departments and calls no gateway.
 *
 * The contract of an automatic gateway, which `licensing-apply/bridge/conformance` checks for any adapter:
 *
 * 1. `submit` is idempotent by application, state and serial: the same three again resolve with the same reference and file nothing twice,
 *    however many calls run at once and whichever answers were lost. Serial 0 is the application; a higher one is the answer to a request
 *    of the department.
 * 2. An outcome that is not known rejects. The bridge calls again later, with growing pauses, for as long as it takes.
 * 3. `refused` means that another call cannot succeed. The filing then waits in the console for a person.
 * 4. `lookUp` resolves with what the department says now. It changes nothing.
 * 5. Of an error, only `code` is logged, where it is a short word: its text may quote a package. An adapter logs no package itself.
 */
import type { StateCode } from '../../contract/index.js';
import type { DocumentType } from './document-scanner.js';

/** Names one filing. */
export interface FilingKey {
  applicationId: string;
  state: StateCode;
  /** 0 for the application, and one more with each request of the department that the user answered. */
  serial: number;
}

/** One part of a package, as the department reads it. */
export interface FilingSection {
  title: string;
  rows: { label: string; value: string[] }[];
}

/** A document of a package. */
export interface FiledDocument {
  name: string;
  type: DocumentType;
  /** Reads its bytes, in the clear. One document at a time is best: a package may have 160 MB of them. */
  read(): Promise<Uint8Array>;
}

/** All that one department gets. */
export interface FilingPackage extends FilingKey {
  applicationType: string;
  licenseType: string;
  /** Nine digits. */
  ssn: string;
  /** In the order of the application. The SSN is in it too. */
  sections: FilingSection[];
  documents: FiledDocument[];
}

/** How a submission ended. `code`: a short word for the operator, such as `fee_missing`. */
export type SubmitOutcome = { status: 'filed'; reference: string } | { status: 'refused'; code: string };

/** The answer of a department to a filing. */
export type DepartmentAnswer =
  | { status: 'pending' }
  | { status: 'approved' }
  | { status: 'denied'; reason: string }
  | { status: 'requires_action'; reason: string; actionUrl?: string };

/** People file, in the console. */
export interface ManualFilingGateway {
  readonly kind: 'manual';
}

/** See the module's contract. */
export interface AutomaticFilingGateway {
  readonly kind: 'automatic';
  /** Whether it files with this state. What it does not file waits in the console. */
  serves(state: StateCode): boolean;
  /** Submits a package. */
  submit(filing: FilingPackage): Promise<SubmitOutcome>;
  /** Resolves with what the department says of what was filed under a reference. */
  lookUp(filing: FilingKey & { reference: string }): Promise<DepartmentAnswer>;
  /** Seconds between two look-ups. Default: 900. */
  readonly lookUpSeconds?: number;
}

/** How applications get to the departments in live mode. */
export type FilingGateway = ManualFilingGateway | AutomaticFilingGateway;

/** People file what waits in the console, and enter what the states say. */
export function manualFiling(): ManualFilingGateway {
  return { kind: 'manual' };
}
