import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type {
  ApplicationStatus,
  ApplicationStep,
  LicensingProfile,
  Mode,
  PaymentMethod,
  ProgressStep,
  Session,
  StateCode,
  WebhookEventType,
} from '../../../contract/index.js';
import type { FeeLine } from '../../catalogue/fees.js';
import type { AccountTables } from './account-tables.js';
import type { BulkTables, OnboardingTables, RegistryTables, TerritoryTables } from './producer-tables.js';
import type { Json, Timestamp } from './column-types.js';
import type { DocumentTables } from './document-tables.js';
import type { FilingTables, IssuedLicense } from './filing-tables.js';
import type { MailTables } from './mail-tables.js';
import type { OperatorTables } from './operator-tables.js';
import type { PaymentTables } from './payment-tables.js';
import type { SessionTables } from './session-tables.js';

/** A partner agency, created by the operator. */
export interface AgencyTable {
  /** `agc_…`, unguessable: it is the bootstrap secret of createAccountCredential (operation 3). */
  id: string;
  name: string;
  onboardTypes: string[];
  createdAt: Timestamp;
  deactivatedAt: Timestamp | null;
}

/**
 * A client id with its two secrets, of which only keyed hashes are stored. At most one per agency
 * is active.
 */
export interface CredentialTable {
  id: string;
  agencyId: string;
  clientId: string;
  liveSecretHash: Buffer;
  testSecretHash: Buffer;
  /**
   * Incremented when the secrets are reset, so that a login in progress detects that it compared
   * with the previous ones.
   */
  secretsSerial: Generated<number>;
  isActive: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  deactivatedAt: Timestamp | null;
}

/**
 * An issued token. Deleting the rows of a credential ends its tokens at once, on every instance.
 */
export interface AccessTokenTable {
  tokenHash: Buffer;
  credentialId: string;
  agencyId: string;
  mode: Mode;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

/**
 * A partner's user in one mode, with the data of `syncProfile` (operation 17) and of earlier
 * applications.
 */
export interface ApplicantTable {
  agencyId: string;
  mode: Mode;
  userId: string;
  profile: Json<StoredProfile>;
  /** The SSN of an earlier application, encrypted; see domain/keys/keys.ts. */
  ssnEncrypted: string | null;
  answersSubmittedAt: Timestamp | null;
  /**
   * The e-mail address of the signed profile that the SSN is from, encrypted: codes that prove the
   * user go there. Null without an SSN.
   */
  proofEmailEncrypted: Generated<string | null>;
  /** The number of wrong last four digits, SSNs or codes in the 24 hours from `wrong_digits_since`. */
  wrongDigitsCount: Generated<number>;
  wrongDigitsSince: Timestamp | null;
  /** The number of codes sent by mail in the 24 hours from `codes_since`. */
  codesCount: Generated<number>;
  codesSince: Timestamp | null;
  /** Since when a legal hold forbids to erase the data of the user; null without one. */
  heldAt: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** A profile as stored: no nulls, the NPN as a string. */
export type StoredProfile = { [K in keyof LicensingProfile]: Exclude<LicensingProfile[K], null | number> };

/** An application and its newest session. Earlier sessions are in `earlier_session`. */
export interface ApplicationTable {
  /** `app_…` */
  id: string;
  /** `ses_…` */
  sessionId: string;
  agencyId: string;
  mode: Mode;
  userId: string;
  applicationType: string;
  licenseType: string;
  states: StateCode[];
  /** The states in sorted order, for the unique index on unfinished applications. */
  statesKey: string;
  paymentMethod: PaymentMethod;
  returnUrl: string;
  webhookUrl: string | null;
  /** SHA-256 of the token in `applicationUrl`. The token itself is derived, never stored. */
  linkHash: Buffer;
  /** The open step. */
  step: ProgressStep;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  startedAt: Timestamp | null;
  submittedAt: Timestamp | null;
  /** The short number of the receipt, for phone calls; null before the submission. */
  receiptNumber: string | null;
  /** When the newest session was created; null while it is the first one. */
  renewedAt: Timestamp | null;
  /** When the user's data was erased; null before. */
  erasedAt: Timestamp | null;
  /**
   * The e-mail address that the contact page had when the SSN was typed, encrypted: codes that prove
   * the user go there. Null without an SSN, and when the data was erased.
   */
  proofEmailEncrypted: Generated<string | null>;
  /** The release of the catalogue that it was created with. */
  catalogueVersion: string;
  /** The fees at the submission; null before. */
  feeLines: Json<FeeLine[]> | null;
}

/** The saved data of one step. */
export interface ApplicationStepTable {
  applicationId: string;
  step: ApplicationStep;
  /** Values that are not secret and may be shown again, such as the ids of accepted disclosures. */
  data: Json<Record<string, unknown>>;
  /**
   * SSN or answers, encrypted with the row's identity as associated data. Write-only for every
   * page.
   */
  encrypted: string | null;
  /** Keyed hashes by which an operator finds the profile; null in other steps. */
  searchHashes: Generated<string[] | null>;
  savedAt: Timestamp;
  /** When the step was completed; null before. */
  completedAt: Timestamp | null;
}

/** The last status of one department. */
export interface ApplicationStateTable {
  applicationId: string;
  state: StateCode;
  status: ApplicationStatus;
  reason: string | null;
  /**
   * The number of requests for action. `actionUrl` is derived from it, so that each link works
   * once.
   */
  actionSerial: Generated<number>;
  /** SHA-256 of the token in `actionUrl`; null unless the status is `requires_action`. */
  actionHash: Buffer | null;
  /** How often the links of the application were revoked: the token is derived from it, too. */
  actionLinkNumber: Generated<number>;
  /**
   * A URL of the department that the operator gave instead of the bridge's page; null where the
   * bridge's page is used.
   */
  actionUrlOverride: string | null;
  /** The further fee that the request asks for, which the user pays on its page; null without one. */
  actionFeeCents: number | null;
  /** The license that an approval issued; null with another status, or when nothing was entered. */
  issuedLicense: Json<IssuedLicense> | null;
  updatedAt: Timestamp;
}

/**
 * The user's answer to a department's request. Kept in a separate row, so that the link still shows
 * that it was used.
 */
export interface ApplicationActionTable {
  applicationId: string;
  state: StateCode;
  /** The request of that state: `application_state.action_serial` when it was answered. */
  serial: number;
  /** The `action_hash` of the state at that time. */
  linkHash: Buffer;
  /**
   * The user's text, encrypted; null after its erasure, and when the user paid a further fee.
   * Write-only for every page.
   */
  answerEncrypted: string | null;
  answeredAt: Timestamp;
}

/** A repeatable `POST /v1/applications/sessions`. */
export interface IdempotencyKeyTable {
  agencyId: string;
  mode: Mode;
  key: string;
  /** SHA-256 of the body as canonical JSON. */
  bodyHash: Buffer;
  applicationId: string;
  sessionId: string;
  /** The prefilled fields in the first answer, so that a repeated call returns the same answer. */
  prefilled: Json<Session['prefilled']>;
  createdAt: Timestamp;
}

/**
 * The head of a stream of events, claimed by lease and fence: one row per application, and one per
 * agency, mode and NPN that was announced to it.
 */
export interface WebhookStreamTable {
  /** The application's id, or `agencyId:mode:npn`. */
  streamId: GeneratedAlways<string>;
  /** Null in the stream of a producer. */
  applicationId: string | null;
  /** Null in the stream of an application. */
  npn: Generated<number | null>;
  /** The application's, or the subscriber. */
  agencyId: string;
  /** The application's, or that of the subscription. */
  mode: Mode;
  /** Where the first undelivered event goes. Where the stream follows the account: until its next claim. */
  url: string;
  /** Whether the session named no URL: the events go to the account's, also after it has changed. */
  followsAccount: Generated<boolean>;
  /**
   * The sequence number of the next event. Assigned under the row's lock, so that the order is the
   * order of commits.
   */
  nextSeq: Generated<number>;
  /** When the first undelivered event is due; null when there is none. */
  dueAt: Timestamp | null;
  /** Whether `dueAt` is set: the condition of queries along the index on agency and `dueAt`. */
  isWaiting: GeneratedAlways<boolean>;
  leaseUntil: Timestamp | null;
  /** Incremented with each claim; an acknowledgement with an old fence changes nothing. */
  fence: Generated<number>;
  /** Tries to deliver the first undelivered event so far. */
  attempts: Generated<number>;
}

/** A URL that answered 410 to an agency: nothing more is sent to it. */
export interface DisabledEndpointTable {
  agencyId: string;
  mode: Mode;
  url: string;
  disabledAt: Timestamp;
}

/** An agency whose waiting streams are being adapted to a changed endpoint, in pieces. */
export interface EndpointSweepTable {
  agencyId: string;
  /** The last stream that has been seen, in the order of `dueAt` and `streamId`. */
  placeDueAt: Generated<Date>;
  placeId: Generated<string>;
  /** When the last piece was done: the agencies take turns. */
  sweptAt: Generated<Date>;
}

/** An event, written in the transaction of the change that caused it. */
export interface WebhookEventTable {
  streamId: string;
  seq: number;
  /** `evt_…`, the `webhook-id`. */
  id: string;
  type: WebhookEventType;
  /**
   * The body's `data`, without what is derived at delivery: `actionUrl`, so that no link is stored,
   * and `producer`, so that it is the newest record.
   */
  data: Json<Record<string, unknown>>;
  /** The id of the request, job or command that caused it. */
  requestId: string | null;
  /** Its W3C trace context. */
  traceparent: string | null;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
  /** When it was dead-lettered. */
  deadAt: Timestamp | null;
}

/** A try to deliver an event, for the operator. */
export interface WebhookAttemptTable {
  id: Generated<number>;
  eventId: string;
  attemptedAt: Timestamp;
  /** The receiver's HTTP status; null without a response. */
  status: number | null;
  /** The bridge's code for the failure, such as `timeout`; null on success. */
  error: string | null;
  durationMs: number;
}

/** All tables of the bridge. */
export interface Tables
  extends
    AccountTables,
    SessionTables,
    RegistryTables,
    OnboardingTables,
    BulkTables,
    TerritoryTables,
    OperatorTables,
    DocumentTables,
    FilingTables,
    MailTables,
    PaymentTables {
  agency: AgencyTable;
  credential: CredentialTable;
  accessToken: AccessTokenTable;
  applicant: ApplicantTable;
  application: ApplicationTable;
  applicationStep: ApplicationStepTable;
  applicationState: ApplicationStateTable;
  applicationAction: ApplicationActionTable;
  idempotencyKey: IdempotencyKeyTable;
  webhookStream: WebhookStreamTable;
  disabledEndpoint: DisabledEndpointTable;
  endpointSweep: EndpointSweepTable;
  webhookEvent: WebhookEventTable;
  webhookAttempt: WebhookAttemptTable;
}

/** A row of `application` as it is read. */
export type ApplicationRow = Selectable<ApplicationTable>;
/** A row of `application_state` as it is read. */
export type ApplicationStateRow = Selectable<ApplicationStateTable>;
