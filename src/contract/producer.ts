import type { StateCode } from './states.js';

/**
 * The registry's record of a producer, in onboardProducer (operation 5), getBulkDetails (operation
 * 6) and getSubscriptionUpdate (operation 11). Dates are `MM/DD/YYYY`. A text without a value is
 * "", a whole number 0; nothing is null or absent.
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

/** The sections of {@link ProducerDetail} that an update can name as changed (operation 11). */
export const producerSections = [
  'transactionType',
  'biographic',
  'clearanceCertificationInfo',
  'nasdExamDetails',
  'addresses',
  'contactInfos',
  'regulatoryActions',
  'licenseInformation',
] as const satisfies readonly (keyof ProducerDetail)[];

/** One of {@link producerSections}. */
export type ProducerSection = (typeof producerSections)[number];

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
  /** National producer number without leading zeros. */
  npn: string;
  /** Other names that states have on file. */
  otherNames: StateAlias[];
  /** The state's own number of a company. */
  stateCoID: string;
  /** State code of the domicile. */
  stateDomicile: string;
  /** Such as `Jr`. */
  suffix: string;
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

/** `R` for resident, `NR` for non-resident. */
export type ResidencyStatus = 'R' | 'NR';

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

/** The kinds of a line of authority. */
export const loaStatuses = ['Active', 'Inactive', 'Cancelled'] as const;

/** One of {@link loaStatuses}. */
export type LoaStatus = (typeof loaStatuses)[number];

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
  /** Whether it is in force. */
  status: LoaStatus;
  /** The reason for the status. */
  statusReason: string;
  /** `MM/DD/YYYY`. */
  statusReasonDate: string;
}

/** The statuses of an appointment. */
export const appointmentStatuses = ['Appointed', 'Terminated'] as const;

/** One of {@link appointmentStatuses}. */
export type AppointmentStatus = (typeof appointmentStatuses)[number];

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
  /** Whether it is in force. */
  status: AppointmentStatus;
  /** Agencies through which the carrier appointed. */
  agencyAffiliations: string;
  /** `MM/DD/YYYY`. */
  appointRenewalDate: string;
  /** The carrier's branch. */
  branchID: string;
  /** The county that it holds for. */
  county: string;
  /** `MM/DD/YYYY`. */
  statusReasonDate: string;
  /** The reason for the end. */
  terminationReason: string;
}

/** Query of listActiveLicenses (operation 9). */
export interface ActiveLicensesQuery {
  /** State codes in either case; duplicates count once. */
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
