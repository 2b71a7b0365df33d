import type { ApplicationStatus, ProgressStep } from './application.js';
import type {
  Account,
  ActiveLicense,
  Appointment,
  BulkDetails,
  BulkStatus,
  License,
  LicenseDetail,
  ProducerDetail,
  ResidentialAddress,
  Session,
  Territory,
  TerritoryLicense,
  TerritoryList,
  TerritoryLoa,
  TerritoryState,
} from './generated.js';
import type { AppointmentStatus, LoaStatus, ResidencyStatus, WebhookPreference } from './values.js';

/*
 * The responses as a caller receives them. This bridge sends exactly the other interfaces. Other
 * hosts may send more or less: here a field that a host may omit is optional, and an unknown value
 * is kept as a string.
 */

/** One of the `Known` values, or another string that a host has added since. */
export type OpenUnion<Known extends string> = Known | (string & Record<never, never>);

/** Response of updateAccount (operation 2). */
export interface ReceivedAccount extends Omit<Account, 'preference'> {
  /** The notifications that the agency chose; "" when the answer has none. */
  preference: OpenUnion<WebhookPreference>;
}

/**
 * A producer (operations 5, 6 and 11). A value that the host leaves out is "", 0, `false` or an
 * empty list.
 */
export interface ReceivedProducer extends Omit<ProducerDetail, 'licenseInformation'> {
  /** Licenses and appointments, by state. */
  licenseInformation: ReceivedLicenseInfo[];
}

/** Licenses and appointments of a producer in one state. */
export interface ReceivedLicenseInfo {
  /** State code. */
  state: string;
  /** The licenses. */
  licenses: ReceivedLicense[];
  /** The appointments by carriers. */
  appointments: ReceivedAppointment[];
}

/** A license in one state. */
export interface ReceivedLicense extends Omit<License, 'residencyStatus' | 'details'> {
  /** Whether the state is the producer's home state. */
  residencyStatus: OpenUnion<ResidencyStatus>;
  /** Its lines of authority. */
  details: ReceivedLicenseDetail[];
}

/** One line of authority of a license. */
export interface ReceivedLicenseDetail extends Omit<LicenseDetail, 'status'> {
  /** Whether it is in force. */
  status: OpenUnion<LoaStatus>;
}

/** A carrier's appointment of a producer. */
export interface ReceivedAppointment extends Omit<Appointment, 'status'> {
  /** Whether it is in force. */
  status: OpenUnion<AppointmentStatus>;
}

/** One item of the response of listActiveLicenses (operation 9). */
export interface ReceivedActiveLicenses {
  /** State code. */
  state: string;
  /** The licenses; empty where there is none. */
  licenseInfo: ReceivedActiveLicense[];
}

/** An active license. */
export interface ReceivedActiveLicense extends Omit<ActiveLicense, 'residencyStatus'> {
  /** Whether the state is the producer's home state. */
  residencyStatus: OpenUnion<ResidencyStatus>;
}

/** Response of getBulkDetails (operation 6). */
export interface ReceivedBulkDetails extends Omit<BulkDetails, 'details'> {
  /** The producers of this page. */
  details: ReceivedProducer[];
}

/** Response of getBulkStatus (operation 8). Of a running job, only the two counts are certain. */
export interface ReceivedBulkStatus extends Omit<BulkStatus, 'failureReason'> {
  /** One record per failed NPN. */
  failureReason: ReceivedBulkFailure[];
}

/** The failure of one NPN. */
export interface ReceivedBulkFailure {
  /** The NPN. */
  npn: string;
  /** Number of the host's error catalogue. */
  code?: number;
  /** A sentence for people. */
  reason?: string;
}

/**
 * Response of getSubscriptionUpdate (operation 11). The service does not publish its shape, so
 * nothing is certain.
 */
export interface ReceivedSubscriptionUpdate {
  /** National producer number. */
  npn?: string;
  /** The requested day. */
  reportDate?: string;
  /** The time of the update. */
  updatedAt?: string;
  /** The changed sections of `producer`, such as `licenseInformation`. */
  changes?: string[];
  /** The producer as of that update. */
  producer?: ReceivedProducer;
}

/** Response of listTerritories (operation 16). */
export interface ReceivedTerritoryList extends Omit<TerritoryList, 'data'> {
  /** One page. */
  data: ReceivedTerritoryPage;
}

/** One page of territories. */
export interface ReceivedTerritoryPage extends Omit<TerritoryList['data'], 'territories'> {
  /** The territories of this page. */
  territories: ReceivedTerritory[];
}

/** An area of an agency's. */
export interface ReceivedTerritory extends Omit<Territory, 'states'> {
  /** Its states. */
  states: ReceivedTerritoryState[];
}

/** A state of a territory. */
export interface ReceivedTerritoryState extends Omit<TerritoryState, 'licenses'> {
  /** The licenses in the state. */
  licenses: ReceivedTerritoryLicense[];
}

/** A class of license that counts in a territory. */
export interface ReceivedTerritoryLicense extends Omit<TerritoryLicense, 'loas'> {
  /** Its lines of authority. */
  loas: ReceivedTerritoryLoa[];
}

/** A line of authority that counts in a territory. */
export interface ReceivedTerritoryLoa extends Omit<TerritoryLoa, 'residencyType'> {
  /** The producers of the territory. */
  residencyType: OpenUnion<TerritoryLoa['residencyType']>;
}

/** Response of `syncProfile` (operation 17): the merged profile, which a host may omit. */
export interface ReceivedProfile {
  /** The partner's own id for the user. */
  userId?: string;
  /** National producer number. */
  npn?: string;
  /** Given name. */
  firstName?: string;
  /** Family name. */
  lastName?: string;
  /** E-mail address. */
  email?: string;
  /** Phone number. */
  phone?: string;
  /** A day as `YYYY-MM-DD`. */
  dateOfBirth?: string;
  /** Home address. */
  residentialAddress?: Omit<ResidentialAddress, 'state'> & { state: string };
  /** The time of the last change. */
  updatedAt?: string;
}

/** Response of createSession (operation 18). */
export interface ReceivedSession extends Omit<Session, 'expiresAt'> {
  /** When `applicationUrl` stops working, ISO 8601; absent when the host does not say. */
  expiresAt?: string;
}

/** Response of getApplication (operation 19). Only the id and the states are certain. */
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
  /** The time of the submission; absent before. */
  submittedAt?: string;
  /** The progress of the user. */
  progress?: ReceivedProgress;
  /** The status of each state; empty until submitted. */
  states: ReceivedApplicationState[];
}

/** The progress of a user. */
export interface ReceivedProgress {
  /** The current step. */
  step: OpenUnion<ProgressStep>;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. */
  index: number;
  /** The number of steps. */
  count: number;
}

/** The status of one state. */
export interface ReceivedApplicationState {
  /** State code. */
  state: string;
  /** The last status of the department. */
  status: OpenUnion<ApplicationStatus>;
  /** The time of the status; "" when the host omits it. */
  updatedAt: string;
  /**
   * The URL for the user while the status is `requires_action`: http or https. A capability: never
   * log it.
   */
  actionUrl?: string;
  /** The reason in the department's words. */
  reason?: string;
}
