import type { Generated, Selectable } from 'kysely';
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
import type { FilingTables } from './filing-tables.js';
import type { OperatorTables } from './operator-tables.js';
import type { PaymentTables } from './payment-tables.js';
import type { SessionTables } from './session-tables.js';

/** A partner agency, made by the operator. */
export interface AgencyTable {
  /** `agc_…`, unguessable: it is the bootstrap secret of operation 3. */
  id: string;
  name: string;
  onboard_types: string[];
  created_at: Timestamp;
  deactivated_at: Timestamp | null;
}

/** A client id with its two secrets, of which only keyed hashes are kept. At most one a agency is active. */
export interface CredentialTable {
  id: string;
  agency_id: string;
  client_id: string;
  live_secret_hash: Buffer;
  test_secret_hash: Buffer;
  /** Grows when the secrets are reset: a login under way sees that it compared with the ones before. */
  secrets_serial: Generated<number>;
  is_active: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
  deactivated_at: Timestamp | null;
}

/** An issued token. Deleting the rows of a credential ends its tokens at once, on every instance. */
export interface AccessTokenTable {
  token_hash: Buffer;
  credential_id: string;
  agency_id: string;
  mode: Mode;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** A partner's user, in one mode: what operation 17 told and what earlier applications left. */
export interface ApplicantTable {
  agency_id: string;
  mode: Mode;
  user_id: string;
  profile: Json<StoredProfile>;
  /** The SSN of an earlier application, sealed; see domain/keys.ts. */
  ssn_sealed: string | null;
  answers_submitted_at: Timestamp | null;
  /** How often the last four digits, or the SSN, were wrong in the day that began at `wrong_digits_since`. */
  wrong_digits_count: Generated<number>;
  wrong_digits_since: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A profile as stored: no nulls, the NPN as a string. */
export type StoredProfile = { [K in keyof LicensingProfile]: Exclude<LicensingProfile[K], null | number> };

/** One application and its newest session. Those before it are in `earlier_session`. */
export interface ApplicationTable {
  /** `app_…` */
  id: string;
  /** `ses_…` */
  session_id: string;
  agency_id: string;
  mode: Mode;
  user_id: string;
  application_type: string;
  license_type: string;
  states: StateCode[];
  /** The states in one order, by which an unfinished application is the only one of its kind; null where an older version wrote it. */
  states_key: string | null;
  payment_method: PaymentMethod;
  return_url: string;
  webhook_url: string | null;
  /** SHA-256 of the token in `applicationUrl`. The token itself is derived, never stored. */
  link_hash: Buffer;
  /** The open step. */
  step: ProgressStep;
  created_at: Timestamp;
  expires_at: Timestamp;
  started_at: Timestamp | null;
  submitted_at: Timestamp | null;
  /** The short number of the receipt, for the phone; null before the submission, and where an older version submitted. */
  receipt_number: string | null;
  /** When the newest session was made; null while it is the first one. */
  renewed_at: Timestamp | null;
  /** When what the user typed was erased; null while it is there. */
  erased_at: Timestamp | null;
  /** The release of the catalogue that it was created with; null where an older version wrote it. */
  catalogue_version: string | null;
  /** The fees at its submission; null before, and where an older version submitted. */
  fee_lines: Json<FeeLine[]> | null;
}

/** What the user saved in one step. */
export interface ApplicationStepTable {
  application_id: string;
  step: ApplicationStep;
  /** The values that may be shown again and are not secret, such as the confirmed profile or the ids of accepted disclosures. */
  data: Json<Record<string, unknown>>;
  /** SSN or answers, sealed with the row's identity as associated data. Write-only for every page. */
  sealed: string | null;
  saved_at: Timestamp;
  /** When the step was completed; null while it is half done. */
  completed_at: Timestamp | null;
}

/** What one department said last. */
export interface ApplicationStateTable {
  application_id: string;
  state: StateCode;
  status: ApplicationStatus;
  reason: string | null;
  /** How often action was asked for: part of what `actionUrl` is derived from, so that each link works once. */
  action_serial: Generated<number>;
  /** SHA-256 of the token in `actionUrl`; null unless the status is `requires_action`. */
  action_hash: Buffer | null;
  /** An address of the department's own that the operator gave in place of our page; null where ours is used. */
  action_url_override: string | null;
  updated_at: Timestamp;
}

/** What the user answered to a department's request. Kept beside the state, so that its link can still say that it was used. */
export interface ApplicationActionTable {
  application_id: string;
  state: StateCode;
  /** Which request of that state: `application_state.action_serial` when it was answered. */
  serial: number;
  /** The `action_hash` that the state had. */
  link_hash: Buffer;
  /** What the user wrote, sealed; null once it is erased. Write-only for every page. */
  answer_sealed: string | null;
  answered_at: Timestamp;
}

/** A repeatable `POST /v1/applications/sessions`. */
export interface IdempotencyKeyTable {
  agency_id: string;
  mode: Mode;
  key: string;
  /** SHA-256 of the body as canonical JSON. */
  body_hash: Buffer;
  application_id: string;
  /** Null for the newest session: in rows of the version before 0009-renewals. */
  session_id: string | null;
  /** What the first answer said about it, so that the repeated one is the same. */
  prefilled: Json<Session['prefilled']>;
  created_at: Timestamp;
}

/** One row an application: the head of its stream of events, claimed by lease and fence. */
export interface WebhookStreamTable {
  application_id: string;
  /** The application's. */
  agency_id: string;
  /** The application's. */
  mode: Mode;
  url: string;
  /** The seq that the next event gets. Taken under the row's lock, so order is commit order. */
  next_seq: Generated<number>;
  /** When the first undelivered event may be tried; null when there is none. */
  due_at: Timestamp | null;
  lease_until: Timestamp | null;
  /** Grows with each claim; an acknowledgement with an old fence changes nothing. */
  fence: Generated<number>;
  /** Tries of the first undelivered event so far. */
  attempts: Generated<number>;
  /** When the receiver answered 410: nothing more goes there. */
  gone_at: Timestamp | null;
}

/** An event, written in the transaction of the change that caused it. */
export interface WebhookEventTable {
  application_id: string;
  seq: number;
  /** `evt_…`, the `webhook-id`. */
  id: string;
  type: WebhookEventType;
  /** The body's `data`, without `actionUrl`: that is derived again at delivery, so that no link is stored. */
  data: Json<Record<string, unknown>>;
  /** The id of the request, job or command that caused it. */
  request_id: string | null;
  /** The W3C trace context of that. */
  traceparent: string | null;
  created_at: Timestamp;
  delivered_at: Timestamp | null;
  /** When it was dead-lettered. */
  dead_at: Timestamp | null;
}

/** Every try to deliver, for the operator. */
export interface WebhookAttemptTable {
  id: Generated<number>;
  event_id: string;
  attempted_at: Timestamp;
  /** The receiver's HTTP status; null when none came. */
  status: number | null;
  /** Why it failed, as a code of ours, such as `timeout`; null on success. */
  error: string | null;
  duration_ms: number;
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
    PaymentTables {
  agency: AgencyTable;
  credential: CredentialTable;
  access_token: AccessTokenTable;
  applicant: ApplicantTable;
  application: ApplicationTable;
  application_step: ApplicationStepTable;
  application_state: ApplicationStateTable;
  application_action: ApplicationActionTable;
  idempotency_key: IdempotencyKeyTable;
  webhook_stream: WebhookStreamTable;
  webhook_event: WebhookEventTable;
  webhook_attempt: WebhookAttemptTable;
}

/** A row of `application` as it is read. */
export type ApplicationRow = Selectable<ApplicationTable>;
/** A row of `application_state` as it is read. */
export type ApplicationStateRow = Selectable<ApplicationStateTable>;
