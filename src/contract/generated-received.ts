// Generated from src/contract/schemas by `npm run docs`.

import type { ApplicationStatus, ProgressStep } from './application.js';
import type { StateCode } from './states.js';
import type { OpenUnion, AppointmentStatus, LoaStatus, ResidencyStatus, WebhookPreference } from './values.js';
import type {
  Biographic,
  AddressStateGroup,
  ContactStateGroup,
  StateRegulatoryAction,
  LoginResponse,
  AgencyCredential,
  CredentialReset,
  NpnLookUp,
  Subscription,
  BulkStart,
  TerritoryAssignment,
  TerritoryUnassignment,
  AssignedProducer,
} from './generated.js';

/** An event of an unknown type. */
export interface ReceivedUnknownEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'unknown';
  /** The host's type, if it is a short name. */
  originalType?: string;
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application and the states with a new status, if the host lists any. */
  data: {
    /** The id of the application. */
    applicationId?: string;
    /** The id of the newest session of the application. */
    sessionId?: string;
    /** The partner's own id for the user. */
    userId?: string;
    /** Only the states with a new status. */
    states: {
      /** The state. */
      state: OpenUnion<StateCode>;
      /** Its new status. */
      status: OpenUnion<ApplicationStatus>;
      /** The number of the license that an approval issued; absent when it was not entered. */
      licenseNumber?: string;
      /** The day on which the license was issued, as `YYYY-MM-DD`. */
      issuedOn?: string;
      /** The day on which the license expires, as `YYYY-MM-DD`. */
      expiresOn?: string;
      /** The lines of authority of the license, such as `life`: ids of the catalogue. */
      lines?: string[];
    }[];
  };
}

/** The user opened the application. */
export interface ReceivedSessionStartedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'application.session_started';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application. */
  data: ReceivedWebhookEventData;
}

/** The fields of every event of an application. */
export interface ReceivedWebhookEventData {
  /** The id of the application. */
  applicationId?: string;
  /** The id of the newest session of the application. */
  sessionId?: string;
  /** The partner's own id for the user. */
  userId?: string;
}

/** The user completed a step. */
export interface ReceivedProgressUpdatedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'application.progress_updated';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application and the completed step, not the next one. */
  data: {
    /** The id of the application. */
    applicationId?: string;
    /** The id of the newest session of the application. */
    sessionId?: string;
    /** The partner's own id for the user. */
    userId?: string;
    /** The current step. */
    step?: OpenUnion<ProgressStep>;
    /** Counts from 1; 0 before the link was opened; `count` once submitted. */
    index?: number;
    /** The number of steps: 6, or 5 without payment. */
    count?: number;
  };
}

/** The application went to the states. */
export interface ReceivedSubmittedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'application.submitted';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application. */
  data: ReceivedWebhookEventData;
}

/** One or more states approved, denied or updated the application. */
export interface ReceivedStatusChangedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'application.status_changed';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application and the states with a new status. */
  data: {
    /** The id of the application. */
    applicationId?: string;
    /** The id of the newest session of the application. */
    sessionId?: string;
    /** The partner's own id for the user. */
    userId?: string;
    /** Only the states with a new status. */
    states: {
      /** The state. */
      state: OpenUnion<StateCode>;
      /** Its new status. */
      status: OpenUnion<ApplicationStatus>;
      /** The number of the license that an approval issued; absent when it was not entered. */
      licenseNumber?: string;
      /** The day on which the license was issued, as `YYYY-MM-DD`. */
      issuedOn?: string;
      /** The day on which the license expires, as `YYYY-MM-DD`. */
      expiresOn?: string;
      /** The lines of authority of the license, such as `life`: ids of the catalogue. */
      lines?: string[];
    }[];
  };
}

/** A state needs something from the user; carries the `actionUrl`. */
export interface ReceivedRequiresActionEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'application.requires_action';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The application and the required action. */
  data: {
    /** The id of the application. */
    applicationId?: string;
    /** The id of the newest session of the application. */
    sessionId?: string;
    /** The partner's own id for the user. */
    userId?: string;
    /** The URL for the user. A capability: never log it. */
    actionUrl?: string;
    /** The state that requires an action. */
    state?: OpenUnion<StateCode>;
    /** The reason in the department's words; "" when it gave none. */
    reason?: string;
  };
}

/** The record of a producer that the agency subscribes to changed. */
export interface ReceivedProducerUpdatedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id?: string;
  /** The type of the event. */
  type: 'producer.updated';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt?: string;
  /** The producer and what changed. */
  data: {
    /** National producer number without leading zeros. */
    npn?: string;
    /** The day of the update in UTC, with which getSubscriptionUpdate (operation 11) returns it. */
    reportDate?: string;
    /**
     * The sections of the record that changed, such as `licenseInformation`. Changes that had not been
     * delivered yet are included.
     */
    changes: string[];
    /** The record. Only with the account's `webhookPreference` `entity-info`. */
    producer?: ReceivedProducerDetail;
  };
}

/**
 * The registry's record of a producer, in onboardProducer (operation 5), getBulkDetails (operation
 * 6) and getSubscriptionUpdate (operation 11). Dates are `MM/DD/YYYY`. An empty string is "", an
 * empty number 0; nothing is null or absent. A field without `?` is "", 0, `false` or an empty list
 * when the host omits it.
 */
export interface ReceivedProducerDetail {
  /** The registry's own id of the record. */
  id: string;
  /** The time of the first entry in the registry, ISO 8601 in UTC. */
  createdAt: string;
  /** The time of the last change of the record, ISO 8601 in UTC. */
  updatedAt: string;
  /** Whether the record comes from an experimental source. */
  isBetaResponse: boolean;
  /** The type of the record, such as `Individual` or `Entity`. */
  transactionType: string;
  /** The person or firm. */
  biographic: Biographic;
  /** Clearance certification, as the national database words it. */
  clearanceCertificationInfo: string;
  /** Securities examinations, as the national database words them. */
  nasdExamDetails: string;
  /** Addresses, by the state that has them on file. */
  addresses: AddressStateGroup[];
  /** Contact data, by the state that has them on file. */
  contactInfos: ContactStateGroup[];
  /** Regulatory actions, each with the state that took it. */
  regulatoryActions: StateRegulatoryAction[];
  /** Licenses and appointments, by state. */
  licenseInformation: ReceivedLicenseInfo[];
}

/**
 * Licenses and appointments of a producer in one state. A field without `?` is "", 0, `false` or an
 * empty list when the host omits it.
 */
export interface ReceivedLicenseInfo {
  /** State code. */
  state: string;
  /** The licenses. */
  licenses: ReceivedLicense[];
  /** The appointments by carriers. */
  appointments: ReceivedAppointment[];
}

/**
 * A license in one state. A field without `?` is "", 0, `false` or an empty list when the host
 * omits it.
 */
export interface ReceivedLicense {
  /** The state's number of the license. */
  licenseNumber: string;
  /** `MM/DD/YYYY`. */
  lastUpdatedDate: string;
  /** `MM/DD/YYYY`. */
  licenseOriginalIssueDate: string;
  /** `MM/DD/YYYY`. */
  licenseExpiryDate: string;
  /** Name from the national database; may change over time. */
  licenseClass: string;
  /** Number from the national database; may change over time. */
  licenseClassCode: number;
  /** Whether the state is the producer's home state. */
  residencyStatus: OpenUnion<ResidencyStatus>;
  /** Whether the license is in force. */
  active: boolean;
  /** Its lines of authority. */
  details: ReceivedLicenseDetail[];
}

/**
 * One line of authority of a license. A field without `?` is "", 0, `false` or an empty list when
 * the host omits it.
 */
export interface ReceivedLicenseDetail {
  /** Name from the national database; may change over time. */
  loa: string;
  /** Number from the national database; may change over time. */
  loaCode: number;
  /** `MM/DD/YYYY`. */
  authorityIssueDate: string;
  /** Whether continuing education is up to date, as the state words it. */
  ceCompliance: string;
  /** Continuing-education credits still needed. */
  ceCreditsNeeded: number;
  /** `MM/DD/YYYY`. */
  ceRenewalDate: string;
  /** The reason for the status. */
  statusReason: string;
  /** `MM/DD/YYYY`. */
  statusReasonDate: string;
  /** Whether it is in force. */
  status: OpenUnion<LoaStatus>;
}

/**
 * A carrier's appointment of a producer. A field without `?` is "", 0, `false` or an empty list
 * when the host omits it.
 */
export interface ReceivedAppointment {
  /** Name of the carrier. */
  companyName: string;
  /** Company code of the carrier. */
  coCode: string;
  /** Employer identification number of the carrier. */
  fein: string;
  /** Name from the national database; may change over time. */
  loa: string;
  /** Number from the national database; may change over time. */
  loaCode: number;
  /** Agencies through which the carrier appointed. */
  agencyAffiliations: string;
  /** `MM/DD/YYYY`. */
  appointRenewalDate: string;
  /** The carrier's branch. */
  branchID: string;
  /** The county of the line, where it is limited to one. */
  county: string;
  /** `MM/DD/YYYY`. */
  statusReasonDate: string;
  /** The reason for the end. */
  terminationReason: string;
  /** Whether it is in force. */
  status: OpenUnion<AppointmentStatus>;
}

/**
 * Response of updateAccount (operation 2): the settings of the token's mode after the change. A
 * field without `?` is "", 0, `false` or an empty list when the host omits it.
 */
export interface ReceivedAccount {
  /** E-mail address of the agency; "" when there is none. */
  businessEmail: string;
  /** The notifications that the agency chose. */
  preference: OpenUnion<WebhookPreference>;
  /** The id of the credential that the token was issued with. */
  userId: string;
  /** The URL for webhooks of sessions without a `webhookUrl`; "" for none. */
  webhookUrl: string;
}

/**
 * One item of the response of listActiveLicenses (operation 9): the active licenses in one state of
 * the onboarded producers. A field without `?` is "", 0, `false` or an empty list when the host
 * omits it.
 */
export interface ReceivedActiveLicenses {
  /** State code in upper case. */
  state: OpenUnion<StateCode>;
  /** The licenses; empty where there is none. */
  licenseInfo: ReceivedActiveLicense[];
}

/**
 * An active license. A field without `?` is "", 0, `false` or an empty list when the host omits it.
 */
export interface ReceivedActiveLicense {
  /** The state's number of the license. */
  licenseNumber: string;
  /** The producer of the license. */
  npn: string;
  /** Whether the state is the producer's home state. */
  residencyStatus: OpenUnion<ResidencyStatus>;
}

/** Response of getSubscriptionUpdate (operation 11): the newest update on or before a day. */
export interface ReceivedSubscriptionUpdate {
  /** National producer number without leading zeros. */
  npn?: string;
  /** The requested day, unchanged. */
  reportDate?: string;
  /** The time of the update, ISO 8601 in UTC. */
  updatedAt?: string;
  /** The changed sections of `producer`, such as `licenseInformation`. */
  changes?: string[];
  /** The producer as of that update. */
  producer?: ReceivedProducerDetail;
}

/**
 * Response of getBulkDetails (operation 6). A field without `?` is "", 0, `false` or an empty list
 * when the host omits it.
 */
export interface ReceivedBulkDetails {
  /** The UUID that startBulkOnboarding (operation 7) returned. */
  id: string;
  /** A sentence for people. */
  message: string;
  /** The requested page. */
  currentPage: number;
  /** The number of producers on a full page. */
  pageSize: number;
  /** The number of producers in the report, which is not the number of NPNs in the request. */
  totalCount: number;
  /** Whether there is a page after this one. */
  hasNextPage: boolean;
  /** Whether there is a page before this one. */
  hasPreviousPage: boolean;
  /** The producers of this page, in the order of the request. */
  details: ReceivedProducerDetail[];
}

/**
 * Response of getBulkStatus (operation 8). While the job runs, only `totalCount` counts and the
 * lists are empty. A field without `?` is "", 0, `false` or an empty list when the host omits it.
 */
export interface ReceivedBulkStatus {
  /** The UUID that startBulkOnboarding (operation 7) returned. */
  id: string;
  /** One sentence for people: try again shortly, or done. */
  message: string;
  /** All NPNs of the request, each once. */
  npns: string[];
  /** The failed NPNs. */
  failedNpns: string[];
  /** The number of distinct NPNs in the request. */
  totalCount: number;
  /** The number of onboarded NPNs. */
  successCount: number;
  /** The number of failed NPNs. */
  failureCount: number;
  /** One record per failed NPN. */
  failureReason: ReceivedBulkFailure[];
}

/** The failure of one NPN. */
export interface ReceivedBulkFailure {
  /** The NPN. */
  npn: string;
  /** The number in the error catalogue. */
  code?: number;
  /** A sentence for people. */
  reason?: string;
}

/**
 * Response of listTerritories (operation 16). A field without `?` is "", 0, `false` or an empty
 * list when the host omits it.
 */
export interface ReceivedTerritoryList {
  /** A sentence for people. */
  message: string;
  /** One page. */
  data: {
    /** The requested page. */
    currentPage: number;
    /** The number of territories on a full page. */
    pageSize: number;
    /** The number of territories of the agency. */
    totalCount: number;
    /** Whether there is a page after this one. */
    hasNextPage: boolean;
    /** Whether there is a page before this one. */
    hasPreviousPage: boolean;
    /** The territories of this page. */
    territories: ReceivedTerritory[];
  };
}

/**
 * A territory of an agency, created by the operator. A field without `?` is "", 0, `false` or an
 * empty list when the host omits it.
 */
export interface ReceivedTerritory {
  /** `ter_…` */
  id: string;
  /** Its name in the agency. */
  name: string;
  /** Its states. */
  states: ReceivedTerritoryState[];
  /** Its producers, in the token's mode. */
  assignedProducers: AssignedProducer[];
}

/**
 * A state of a territory. A field without `?` is "", 0, `false` or an empty list when the host
 * omits it.
 */
export interface ReceivedTerritoryState {
  /** State code in upper case. */
  stateCode: string;
  /** The licenses in the state. */
  licenses: ReceivedTerritoryLicense[];
}

/**
 * A class of license in a territory. A field without `?` is "", 0, `false` or an empty list when
 * the host omits it.
 */
export interface ReceivedTerritoryLicense {
  /** The name of the class. */
  licenseClass: string;
  /** The number of the class, as a string. */
  licenseClassCode: string;
  /** Its lines of authority. */
  loas: ReceivedTerritoryLoa[];
}

/**
 * A line of authority in a territory. A field without `?` is "", 0, `false` or an empty list when
 * the host omits it.
 */
export interface ReceivedTerritoryLoa {
  /** The number of the line, as a string. */
  code: string;
  /** The name of the line. */
  name: string;
  /** The producers of the territory. */
  residencyType: OpenUnion<'resident' | 'non-resident'>;
}

/** The home address of a user. All four parts are required and not empty. */
export interface ReceivedResidentialAddress {
  /** Street and number. */
  street: string;
  /** City or town. */
  city: string;
  /** State code in upper case. */
  state: OpenUnion<StateCode>;
  /** Five digits, or five, a dash and four. */
  zip: string;
}

/**
 * Response of syncProfile (operation 17): the profile after the merge. Fields without a value are
 * absent.
 */
export interface ReceivedUserLicensingProfile {
  /** The partner's own id for the user. */
  userId?: string;
  /** National producer number without leading zeros. */
  npn?: string;
  /** Given name. */
  firstName?: string;
  /** Family name. */
  lastName?: string;
  /** E-mail address. */
  email?: string;
  /** Phone number as it was sent. */
  phone?: string;
  /** A day as `YYYY-MM-DD`. */
  dateOfBirth?: string;
  /** Home address. */
  residentialAddress?: ReceivedResidentialAddress;
  /** The time of the last change, ISO 8601 in UTC. */
  updatedAt?: string;
}

/** Response of createSession (operation 18). */
export interface ReceivedSession {
  /** The id of the session. */
  sessionId: string;
  /** The id that getApplication (operation 19) takes. */
  applicationId: string;
  /** The URL for the user. Everyone with this link can act as the user: never log it. */
  applicationUrl: string;
  /** The time at which `applicationUrl` expires, ISO 8601 in UTC. */
  expiresAt?: string;
  /** State and processing fees. */
  estimatedFees: {
    /** US dollars with at most two decimals. */
    total: number;
  };
  /** The data that the user need not enter again. */
  prefilled: {
    /** Whether an NPN is known from syncProfile (operation 17). */
    npn: boolean;
    /** Whether the bridge has the SSN from an earlier application. Never because a partner sent it. */
    ssn: boolean;
    /** Whether the user submitted answers in this mode within the last 90 days. */
    backgroundQuestions: boolean;
  };
}

/**
 * Response of getApplication (operation 19). A field without `?` is "", 0, `false` or an empty list
 * when the host omits it.
 */
export interface ReceivedApplication {
  /** The id of the application. */
  applicationId: string;
  /** Its newest session. */
  sessionId?: string;
  /** The partner's own id for the user. */
  userId?: string;
  /** As in createSession (operation 18). */
  applicationType?: string;
  /** As in createSession (operation 18). */
  licenseType?: string;
  /** The time of the submission, ISO 8601 in UTC; absent before. */
  submittedAt?: string;
  /**
   * The short number on the receipt, such as `4F7K-22QP`; absent before the submission. Gives no
   * access.
   */
  receiptNumber?: string;
  /** The progress of the user in the application. */
  progress?: ReceivedProgress;
  /** The status of each state; empty until submitted. */
  states: ReceivedApplicationState[];
}

/** The progress of the user. */
export interface ReceivedProgress {
  /** The current step. */
  step: OpenUnion<ProgressStep>;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. */
  index: number;
  /** The number of steps: 6, or 5 without payment. */
  count: number;
}

/**
 * The status of one state. A field without `?` is "", 0, `false` or an empty list when the host
 * omits it.
 */
export interface ReceivedApplicationState {
  /** The state. */
  state: OpenUnion<StateCode>;
  /** Its latest status. */
  status: OpenUnion<ApplicationStatus>;
  /**
   * The time of the status, ISO 8601 in UTC. Also moves on when one of the codes of `reason` begins
   * or ends.
   */
  updatedAt: string;
  /** The URL for the user, only while the status is `requires_action`. A capability: never log it. */
  actionUrl?: string;
  /**
   * The reason in the department's words; absent when it gave none. While the status is
   * `pending_review`, one of three codes with which the state does not review the application now:
   * `not_filed`, it is not filed yet; `waits_for_fingerprints`, the department waits for the
   * fingerprints of the user; `waits_for_correction`, the operator corrects what the department
   * returned. Do not call it in review then. No webhook reports the codes.
   */
  reason?: string;
  /** The number of the license that an approval issued; absent when it was not entered. */
  licenseNumber?: string;
  /** The day on which the license was issued, as `YYYY-MM-DD`. */
  issuedOn?: string;
  /** The day on which the license expires, as `YYYY-MM-DD`. */
  expiresOn?: string;
  /** The lines of authority of the license, such as `life`: ids of the catalogue. */
  lines?: string[];
}

/** The response of each operation as a caller receives it. */
export interface ReceivedTypes {
  login: LoginResponse;
  updateAccount: ReceivedAccount;
  createAccountCredential: AgencyCredential;
  resetCredential: CredentialReset;
  onboardProducer: ReceivedProducerDetail;
  listActiveLicenses: ReceivedActiveLicenses[];
  lookUpNpn: NpnLookUp;
  getSubscriptionUpdate: ReceivedSubscriptionUpdate;
  subscribe: Subscription;
  unsubscribe: Subscription;
  getBulkDetails: ReceivedBulkDetails;
  startBulkOnboarding: BulkStart;
  getBulkStatus: ReceivedBulkStatus;
  assignTerritory: TerritoryAssignment;
  unassignTerritory: TerritoryUnassignment;
  listTerritories: ReceivedTerritoryList;
  syncProfile: ReceivedUserLicensingProfile;
  createSession: ReceivedSession;
  getApplication: ReceivedApplication;
  completeApplication: ReceivedApplication;
  decideState: ReceivedApplication;
}
