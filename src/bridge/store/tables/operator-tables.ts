import type { ApplicationStatus, StateCode } from '../../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';
import type { IssuedLicense } from './filing-tables.js';

/**
 * The role of an operator: `view` reads data that is not secret; `file` also reveals, files,
 * decides and refunds; `supervise` also frees the filings that others have claimed.
 */
export type OperatorRole = 'view' | 'file' | 'supervise';

/** A person who works in the console. */
export interface OperatorTable {
  /** `opr_…` */
  id: string;
  /**
   * The name typed at a sign-in with a password, unique without regard to case; or the name that the
   * identity provider reports, which is shown only.
   */
  name: string;
  role: OperatorRole;
  /** The agencies that the operator is limited to; null for all. */
  agencyIds: string[] | null;
  /** The issuer of the identity provider; null for an operator with a password. */
  issuer: string | null;
  /** The id of the person at the issuer, which never changes; null for an operator with a password. */
  subject: string | null;
  /**
   * Argon2id in its encoded form, which contains the salt and the costs; null for an operator of an
   * identity provider.
   */
  passwordHash: string | null;
  /**
   * Whether the command line issued the password, so that it must be replaced at the next sign-in.
   */
  isPasswordTemporary: boolean;
  /** The secret of the authenticator app, encrypted; null where there is none. */
  totpEncrypted: string | null;
  /** The last time step whose code was used: each code works once. */
  totpLastStep: number | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  disabledAt: Timestamp | null;
}

/**
 * A signed-in browser. Deleting the rows of an operator signs out all their browsers at once, on
 * every instance.
 */
export interface OperatorSessionTable {
  /** SHA-256 of the token in the cookie. */
  tokenHash: Buffer;
  operatorId: string;
  createdAt: Timestamp;
  /** When it was last used, to the minute. */
  seenAt: Timestamp;
  /**
   * When the operator last gave a code or a password in it, or signed in at the identity provider for
   * it.
   */
  provenAt: Timestamp;
  /** When it ends, regardless of its use. */
  expiresAt: Timestamp;
  /** The ID token of its sign-in, encrypted, for the sign-out at the issuer; null with a password. */
  idTokenEncrypted: string | null;
}

/** A correction of a decision, as it was proposed. */
export interface ProposedCorrection {
  status: ApplicationStatus;
  /** Why the decision is wrong. */
  note: string;
  /** The reason of the department; "" without one. */
  reason: string;
  /** Why a state is decided that was not filed; "" without it. */
  override: string;
  license: IssuedLicense;
}

/** A refund, as it was proposed. */
export interface ProposedRefund {
  refundId: string;
  /** The payment of a further fee; absent for the payment of the fees. */
  paymentId?: string;
  amountCents: number;
  note: string;
}

/** A change that waits for a second operator. It is deleted when it is confirmed or withdrawn. */
export interface ProposalTable {
  applicationId: string;
  kind: 'correction' | 'refund';
  /** The state of a correction; "" of a refund. */
  state: StateCode | '';
  content: Json<ProposedCorrection | ProposedRefund>;
  /** The operator, as in the audit trail. */
  proposedBy: string;
  proposedAt: Timestamp;
}

/** The table `application_note`: what operators write about an application for each other. */
export interface ApplicationNoteTable {
  id: string;
  applicationId: string;
  /** The operator, as in the audit trail. */
  author: string;
  textEncrypted: string;
  createdAt: Timestamp;
}

/** The table `reason_template`: texts that operators give users often. None is about a person. */
export interface ReasonTemplateTable {
  id: string;
  /** What operators choose it by. */
  name: string;
  /** The decision whose reason it is. */
  status: 'requires_action' | 'denied';
  reason: string;
  /** The operator, as in the audit trail. */
  createdBy: string;
  createdAt: Timestamp;
}

/** The tables of the console. */
export interface OperatorTables {
  operator: OperatorTable;
  operatorSession: OperatorSessionTable;
  proposal: ProposalTable;
  applicationNote: ApplicationNoteTable;
  reasonTemplate: ReasonTemplateTable;
}
