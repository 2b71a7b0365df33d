// Generated from src/contract/schemas by `npm run docs`.

import type { ApplicationStatus, ProgressStep } from './application.js';
import type { StateCode } from './states.js';
import type {
  AppointmentStatus,
  BulkOnboardType,
  LoaStatus,
  PaymentMethod,
  PaymentResponsibility,
  ResidencyStatus,
  WebhookPreference,
} from './values.js';

/** The error body of every failure of every route. */
export interface ErrorBody {
  /** Stable catalogue number: HTTP status × 100 + a running number. See `failures`. */
  code: number;
  /** The path of the wrong field and the expectation; with 500, the id of the request. */
  details: string;
  /** A sentence for people. */
  errorMessage: string;
}

/** The user opened the application. */
export interface SessionStartedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'application.session_started';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The application. */
  data: WebhookEventData;
}

/** The fields of every event of an application. */
export interface WebhookEventData {
  /** The id of the application. */
  applicationId: string;
  /** The id of the newest session of the application. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
}

/** The user completed a step. */
export interface ProgressUpdatedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'application.progress_updated';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The application and the completed step, not the next one. */
  data: {
    /** The id of the application. */
    applicationId: string;
    /** The id of the newest session of the application. */
    sessionId: string;
    /** The partner's own id for the user. */
    userId: string;
    /** The current step. */
    step: ProgressStep;
    /** Counts from 1; 0 before the link was opened; `count` once submitted. */
    index: number;
    /** The number of steps: 6, or 5 without payment. */
    count: number;
  };
}

/** The application went to the states. */
export interface SubmittedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'application.submitted';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The application. */
  data: WebhookEventData;
}

/** One or more states approved, denied or updated the application. */
export interface StatusChangedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'application.status_changed';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The application and the states with a new status. */
  data: {
    /** The id of the application. */
    applicationId: string;
    /** The id of the newest session of the application. */
    sessionId: string;
    /** The partner's own id for the user. */
    userId: string;
    /** Only the states with a new status. */
    states: {
      /** The state. */
      state: StateCode;
      /** Its new status. */
      status: ApplicationStatus;
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
export interface RequiresActionEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'application.requires_action';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The application and the required action. */
  data: {
    /** The id of the application. */
    applicationId: string;
    /** The id of the newest session of the application. */
    sessionId: string;
    /** The partner's own id for the user. */
    userId: string;
    /** The URL for the user. A capability: never log it. */
    actionUrl: string;
    /** The state that requires an action. */
    state: StateCode;
    /** The reason in the department's words; "" when it gave none. */
    reason: string;
  };
}

/** The record of a producer that the agency subscribes to changed. */
export interface ProducerUpdatedEvent {
  /** The id of the event, as in the header `webhook-id`. The same in every retry. */
  id: string;
  /** The type of the event. */
  type: 'producer.updated';
  /** The time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** The producer and what changed. */
  data: {
    /** National producer number without leading zeros. */
    npn: string;
    /** The day of the update in UTC, with which getSubscriptionUpdate (operation 11) returns it. */
    reportDate: string;
    /**
     * The sections of the record that changed, such as `licenseInformation`. Changes that had not been
     * delivered yet are included.
     */
    changes: string[];
    /** The record. Only with the account's `webhookPreference` `entity-info`. */
    producer?: ProducerDetail;
  };
}

/**
 * The registry's record of a producer, in onboardProducer (operation 5), getBulkDetails (operation
 * 6) and getSubscriptionUpdate (operation 11). Dates are `MM/DD/YYYY`. An empty string is "", an
 * empty number 0; nothing is null or absent.
 */
export interface ProducerDetail {
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
  licenseInformation: LicenseInfo[];
}

/** Another name of a producer and the state that has it on file. */
export interface StateAlias {
  /** State code. */
  state: string;
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** Middle name. */
  middleName: string;
  /** Kind of name, such as `Alias` or `Maiden name`. */
  nameType: string;
}

/** The identity of a producer. */
export interface Biographic {
  /** Name of the company; "" for a person. */
  companyName: string;
  /** `MM/DD/YYYY`. */
  dateOfBirth: string;
  /** Employer identification number; "" for a person. */
  fein: string;
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** Middle name. */
  middleName: string;
  /** The state's own number of a company. */
  stateCoID: string;
  /** State code of the domicile. */
  stateDomicile: string;
  /** Such as `Jr`. */
  suffix: string;
  /** National producer number without leading zeros. */
  npn: string;
  /** Other names that states have on file. */
  otherNames: StateAlias[];
}

/** The addresses that one state has on file. */
export interface AddressStateGroup {
  /** State code. */
  state: string;
  /** The addresses. */
  addresses: Address[];
}

/** An address of a producer. */
export interface Address {
  /** First line. */
  addressLine1: string;
  /** Second line. */
  addressLine2: string;
  /** Third line. */
  addressLine3: string;
  /** Such as `Business`, `Mailing` or `Residence`. */
  addressType: string;
  /** The national database's number of the address type. */
  addressTypeCode: number;
  /** City. */
  city: string;
  /** Country. */
  country: string;
  /** `MM/DD/YYYY`. */
  lastUpdatedDate: string;
  /** State code. */
  state: string;
  /** ZIP code. */
  zip: string;
}

/** The contact data that one state has on file. */
export interface ContactStateGroup {
  /** State code. */
  state: string;
  /** The contact data. */
  contactInfo: Contact[];
}

/** A producer's contact data at work. */
export interface Contact {
  /** E-mail address. */
  businessEmail: string;
  /** `MM/DD/YYYY`. */
  businessEmailLastUpdatedDate: string;
  /** Phone number. */
  businessPhone: string;
  /** `MM/DD/YYYY`. */
  businessPhoneLastUpdatedDate: string;
}

/** A regulatory action and the state that took it. */
export interface StateRegulatoryAction {
  /** State code. */
  state: string;
  /** The action. */
  regulatoryAction: RegulatoryAction;
}

/** An action of a regulator against a producer. */
export interface RegulatoryAction {
  /** The state's number of the action. */
  actionId: string;
  /** `MM/DD/YYYY`. */
  dateOfAction: string;
  /** The result of the action. */
  disposition: string;
  /** `MM/DD/YYYY`. */
  effectiveDate: string;
  /** `MM/DD/YYYY`. */
  enterDate: string;
  /** The state's file reference. */
  fileRef: string;
  /** The duration of the order. */
  lengthOfOrder: string;
  /** The event that started it. */
  originOfAction: string;
  /** The penalty, fine or forfeiture. */
  penaltyFineForfeiture: string;
  /** The reason for the action. */
  reasonForAction: string;
}

/** Licenses and appointments of a producer in one state. */
export interface LicenseInfo {
  /** State code. */
  state: string;
  /** The licenses. */
  licenses: License[];
  /** The appointments by carriers. */
  appointments: Appointment[];
}

/** A license in one state. */
export interface License {
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
  residencyStatus: ResidencyStatus;
  /** Whether the license is in force. */
  active: boolean;
  /** Its lines of authority. */
  details: LicenseDetail[];
}

/** One line of authority of a license. */
export interface LicenseDetail {
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
  status: LoaStatus;
}

/** A carrier's appointment of a producer. */
export interface Appointment {
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
  status: AppointmentStatus;
}

/** Body of login (operation 1). */
export interface LoginRequest {
  /**
   * The id that createAccountCredential (operation 3) issued. Unknown ids and wrong secrets are
   * answered alike.
   */
  clientId: string;
  /** The live or the test secret. It selects the mode of the token. */
  clientSecret: string;
}

/** Response of login (operation 1). It has no other key: the spec shows none. */
export interface LoginResponse {
  /** An opaque bearer token. Its lifetime is not part of the contract: log in again after a 401. */
  accessToken: string;
}

/** Body of updateAccount (operation 2). A field that is absent keeps its value. */
export interface AccountUpdateRequest {
  /** E-mail address of the agency; `null` or "" clears it. */
  businessEmail?: string | null;
  /** The notifications that the agency chooses. Default: `PDB-update`. */
  webhookPreference?: WebhookPreference;
  /**
   * The URL for webhooks of sessions without a `webhookUrl`. `null` or "" clears it. https, or http
   * on localhost in test mode.
   */
  webhookUrl?: string | null;
}

/** Response of updateAccount (operation 2): the settings of the token's mode after the change. */
export interface Account {
  /** E-mail address of the agency; "" when there is none. */
  businessEmail: string;
  /** The notifications that the agency chose. */
  preference: WebhookPreference;
  /** The id of the credential that the token was issued with. */
  userId: string;
  /** The URL for webhooks of sessions without a `webhookUrl`; "" for none. */
  webhookUrl: string;
}

/** Query of createAccountCredential (operation 3). */
export interface CreateAccountCredentialQuery {
  /** The id that the operator handed over when the agency was set up. */
  agencyId: string;
}

/**
 * Response of createAccountCredential (operation 3): the credential of an agency. The only time
 * both secrets can be read.
 */
export interface AgencyCredential {
  /** The id of the agency. */
  agencyId: string;
  /** The name given by the operator. */
  agencyName: string;
  /** The `clientId` for `login` (operation 1). */
  clientId: string;
  /** The time of the issue, ISO 8601 in UTC. */
  createdAt: string;
  /** The time of the replacement, ISO 8601 in UTC; "" while the credential is active. */
  deactivatedAt: string;
  /** The id of the credential, which operations 2 and 4 call `userId`. */
  id: string;
  /** Whether a login with this credential works. */
  isActive: boolean;
  /** The secret for live tokens. Shown once, stored only as a keyed hash. */
  liveClientSecret: string;
  /** The secret for test tokens. Shown once, stored only as a keyed hash. */
  testClientSecret: string;
  /** The time of the last change, ISO 8601 in UTC. */
  updatedAt: string;
}

/** Response of resetCredential (operation 4). The only time both secrets can be read. */
export interface CredentialReset {
  /** The new secret for live tokens. */
  liveClientSecret: string;
  /** The new secret for test tokens. */
  testClientSecret: string;
  /** The id of the credential. */
  userId: string;
}

/**
 * Body of onboardProducer (operation 5). The fields of a team member belong to the onboard type
 * `team` alone.
 */
export type ProducerOnboardRequest = PlainOnboardRequest | TeamOnboardRequest;

/** Body of onboardProducer (operation 5) for `lookup`, which changes nothing, and `subscribe`. */
export interface PlainOnboardRequest {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn: string | number;
  /** The action. */
  onboardType: BulkOnboardType;
}

/** Body of onboardProducer (operation 5) for `team`. */
export interface TeamOnboardRequest {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn: string | number;
  /** The action. */
  onboardType: 'team';
  /** The payer of the fees. */
  paymentResponsibility: PaymentResponsibility;
  /** E-mail address. */
  email: string;
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** Phone number, in any usual form. */
  phone?: string;
  /** As the producer states it. */
  gender?: string;
  /**
   * Nine digits, or 3-2-4 with dashes. Compared with the registry, never stored and never answered.
   */
  ssn?: string;
}

/** Query of listActiveLicenses (operation 9). */
export interface ActiveLicensesQuery {
  /**
   * The states to report. Repeat the parameter (`stateCode=TX&stateCode=CA`) or join the codes with
   * commas (`stateCode=TX,CA`); both mean the same. The codes are taken in either case. Anything
   * else, an empty item too, is 400. @minItems 1
   */
  stateCode: readonly string[];
}

/**
 * One item of the response of listActiveLicenses (operation 9): the active licenses in one state of
 * the onboarded producers.
 */
export interface ActiveLicenses {
  /** State code in upper case. */
  state: StateCode;
  /** The licenses; empty where there is none. */
  licenseInfo: ActiveLicense[];
}

/** An active license. */
export interface ActiveLicense {
  /** The state's number of the license. */
  licenseNumber: string;
  /** The producer of the license. */
  npn: string;
  /** Whether the state is the producer's home state. */
  residencyStatus: ResidencyStatus;
}

/** Body of lookUpNpn (operation 10). */
export interface NpnLookUpRequest {
  /** Family name; upper and lower case are the same. */
  lastName: string;
  /** Social security number: nine digits, or 3-2-4 with dashes. */
  ssn: string;
}

/** Response of lookUpNpn (operation 10). */
export interface NpnLookUp {
  /** One sentence for people. */
  message: string;
  /** The producer that was found. */
  data: {
    /** National producer number without leading zeros. */
    npn: string;
  };
}

/** Body of getSubscriptionUpdate (operation 11). */
export interface SubscriptionUpdateRequest {
  /** A subscribed national producer number. */
  npn: string | number;
  /** A day as `YYYY-MM-DD`. */
  reportDate: string;
}

/** Response of getSubscriptionUpdate (operation 11): the newest update on or before a day. */
export interface SubscriptionUpdate {
  /** National producer number without leading zeros. */
  npn: string;
  /** The requested day, unchanged. */
  reportDate: string;
  /** The time of the update, ISO 8601 in UTC. */
  updatedAt: string;
  /** The changed sections of `producer`, such as `licenseInformation`. */
  changes: string[];
  /** The producer as of that update. */
  producer: ProducerDetail;
}

/** Body of operations 12 and 13. */
export interface SubscriptionRequest {
  /**
   * 1–10,000 national producer numbers, as strings or numbers. @minItems 1 @maxItems 10000
   */
  npns: readonly (string | number)[];
}

/** Response of operations 12 and 13: the subscriptions that the call changed. */
export interface Subscription {
  /** The agency of the subscriptions. */
  agencyId: string;
  /** The NPNs, in the order of the request. */
  npns: SubscriptionTarget[];
}

/** A subscribed NPN. */
export interface SubscriptionTarget {
  /** National producer number without leading zeros. */
  npn: string;
  /** The time of the first addition, ISO 8601 in UTC. */
  addedAt: string;
}

/** Query of getBulkDetails (operation 6). */
export interface BulkDetailsQuery {
  /** Which page to read, counted from 1. */
  page?: number;
}

/** Response of getBulkDetails (operation 6). */
export interface BulkDetails {
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
  details: ProducerDetail[];
}

/** Body of startBulkOnboarding (operation 7). */
export interface BulkOnboardRequest {
  /**
   * 1–10,000 national producer numbers, as strings or numbers; duplicates count once. @minItems 1
   * @maxItems 10000
   */
  npn: readonly (string | number)[];
  /** The action for each producer. */
  onboardType: BulkOnboardType;
}

/** Response of startBulkOnboarding (operation 7). */
export interface BulkStart {
  /** A UUID for operations 6 and 8. */
  id: string;
  /** A sentence for people. */
  message: string;
}

/**
 * Response of getBulkStatus (operation 8). While the job runs, only `totalCount` counts and the
 * lists are empty.
 */
export interface BulkStatus {
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
  failureReason: BulkFailure[];
}

/** The failure of one NPN. */
export interface BulkFailure {
  /** The NPN. */
  npn: string;
  /** The number in the error catalogue. */
  code: number;
  /** A sentence for people. */
  reason: string;
}

/** Body of assignTerritory (operation 14). */
export interface TerritoryAssignRequest {
  /** A territory of the agency. */
  territoryId: string;
}

/** Response of assignTerritory (operation 14). */
export interface TerritoryAssignment {
  /** A sentence for people. */
  message: string;
  /** The assignment. */
  data: {
    /** The time of the first assignment, ISO 8601 in UTC. */
    assignedAt: string;
    /** The NPN of the producer. */
    npn: string;
    /** The id of the territory. */
    territoryId: string;
    /** Its name. */
    territoryName: string;
  };
}

/** Response of unassignTerritory (operation 15). */
export interface TerritoryUnassignment {
  /** A sentence for people. */
  message: string;
  /** The removed assignment. */
  data: {
    /** The NPN of the producer. */
    npn: string;
    /** The id of the territory. */
    territoryId: string;
    /** The time of the removal, ISO 8601 in UTC. */
    unassignedAt: string;
  };
}

/** Query of listTerritories (operation 16). */
export interface TerritoriesQuery {
  /** Which page to read, counted from 1. */
  page?: number;
  /** Territories per page. */
  pageSize?: number;
}

/** Response of listTerritories (operation 16). */
export interface TerritoryList {
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
    territories: Territory[];
  };
}

/** A territory of an agency, created by the operator. */
export interface Territory {
  /** `ter_…` */
  id: string;
  /** Its name in the agency. */
  name: string;
  /** Its states. */
  states: TerritoryState[];
  /** Its producers, in the token's mode. */
  assignedProducers: AssignedProducer[];
}

/** A state of a territory. */
export interface TerritoryState {
  /** State code in upper case. */
  stateCode: string;
  /** The licenses in the state. */
  licenses: TerritoryLicense[];
}

/** A class of license in a territory. */
export interface TerritoryLicense {
  /** The name of the class. */
  licenseClass: string;
  /** The number of the class, as a string. */
  licenseClassCode: string;
  /** Its lines of authority. */
  loas: TerritoryLoa[];
}

/** A line of authority in a territory. */
export interface TerritoryLoa {
  /** The number of the line, as a string. */
  code: string;
  /** The name of the line. */
  name: string;
  /** The producers of the territory. */
  residencyType: 'resident' | 'non-resident';
}

/** A producer of a territory. */
export interface AssignedProducer {
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** National producer number without leading zeros. */
  npn: string;
}

/**
 * Body of `syncProfile` (operation 17): the partner's data about a user. A field that is absent
 * keeps its value, `null` removes it, `residentialAddress` is replaced as a whole. SSNs and answers
 * are refused: they are typed in the hosted application only.
 */
export interface LicensingProfile {
  /** National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped. */
  npn?: string | number | null;
  /** Given name. */
  firstName?: string | null;
  /** Family name. */
  lastName?: string | null;
  /** E-mail address. */
  email?: string | null;
  /** Phone number, in any usual form. */
  phone?: string | null;
  /** A day as `YYYY-MM-DD`, from 1900 on and not in the future. */
  dateOfBirth?: string | null;
  /** Home address. */
  residentialAddress?: ResidentialAddress | null;
}

/** The home address of a user. All four parts are required and not empty. */
export interface ResidentialAddress {
  /** Street and number. */
  street: string;
  /** City or town. */
  city: string;
  /** State code in upper case. */
  state: StateCode;
  /** Five digits, or five, a dash and four. */
  zip: string;
}

/**
 * Response of syncProfile (operation 17): the profile after the merge. Fields without a value are
 * absent.
 */
export interface UserLicensingProfile {
  /** The partner's own id for the user. */
  userId: string;
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
  residentialAddress?: ResidentialAddress;
  /** The time of the last change, ISO 8601 in UTC. */
  updatedAt: string;
}

/** Body of createSession (operation 18). */
export interface CreateSessionRequest {
  /**
   * The partner's own id for the user, as in syncProfile (operation 17). One that syncProfile
   * (operation 17) never saw is accepted.
   */
  userId: string;
  /**
   * The type of the application: `new`, `renewal`, `reinstatement` or `amendment`. Another is 400.
   */
  applicationType: string;
  /**
   * The license type, a lower-case slug of the catalogue such as `life_health`. Another is 400, and
   * `details` has all.
   */
  licenseType: string;
  /**
   * 1–56 distinct state codes in upper case. The user can leave some out before the signature.
   * @minItems 1 @maxItems 56
   */
  states: StateCode[];
  /** Default: `user_pays`. */
  paymentMethod?: PaymentMethod;
  /**
   * The URL of the return, with `status` added to the query. https, or http on localhost in test
   * mode.
   */
  returnUrl: string;
  /** The URL for webhooks of this session. Default: the account's URL. */
  webhookUrl?: string;
}

/** Response of createSession (operation 18). */
export interface Session {
  /** The id of the session. */
  sessionId: string;
  /** The id that getApplication (operation 19) takes. */
  applicationId: string;
  /** The URL for the user. Everyone with this link can act as the user: never log it. */
  applicationUrl: string;
  /** The time at which `applicationUrl` expires, ISO 8601 in UTC. */
  expiresAt: string;
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

/** Response of getApplication (operation 19). */
export interface Application {
  /** The id of the application. */
  applicationId: string;
  /** Its newest session. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
  /** As in createSession (operation 18). */
  applicationType: string;
  /** As in createSession (operation 18). */
  licenseType: string;
  /** The time of the submission, ISO 8601 in UTC; absent before. */
  submittedAt?: string;
  /**
   * The short number on the receipt, such as `4F7K-22QP`; absent before the submission. Gives no
   * access.
   */
  receiptNumber?: string;
  /** The progress of the user in the application. */
  progress: Progress;
  /** The status of each state; empty until submitted. */
  states: ApplicationState[];
}

/** The progress of the user. */
export interface Progress {
  /** The current step. */
  step: ProgressStep;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. */
  index: number;
  /** The number of steps: 6, or 5 without payment. */
  count: number;
}

/** The status of one state. */
export interface ApplicationState {
  /** The state. */
  state: StateCode;
  /** Its latest status. */
  status: ApplicationStatus;
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

/** Body of the test helper operation: the application is completed with sample data. */
export interface CompleteApplicationRequest {
  /**
   * The first decision of the simulated departments, at once. After `requires_action`, the answer of
   * the user is approved. Default: each approves after three seconds.
   */
  outcome?: ApplicationStatus;
}

/** Body of the test helper operation: the simulated department decides. */
export interface DecideStateRequest {
  /** The new status. */
  status: ApplicationStatus;
  /** The reason, shown to the user with `requires_action`. */
  reason?: string;
  /** The number of the issued license, with `approved`. */
  licenseNumber?: string;
  /** The day of its issue as `YYYY-MM-DD`, not in the future. */
  issuedOn?: string;
  /** The day on which it expires, not before `issuedOn`. */
  expiresOn?: string;
  /**
   * Its lines of authority, such as `life`: those of the state for the license type. @maxItems 50
   */
  lines?: string[];
}
