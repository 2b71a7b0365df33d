import type {
  Appointment,
  License,
  LicenseDetail,
  LicenseInfo,
  StateCode,
  StateRegulatoryAction,
} from '../../../contract/index.js';
import type { Prng } from './prng.js';
import { nameBeginnings } from './words.js';

/** The licenses and appointments of one producer in one state. */
export function someLicenseInfo(prng: Prng, state: StateCode, kind: LicenseKind, isResident: boolean): LicenseInfo {
  const license = someLicense(prng, state, kind, isResident);
  const count = license.active ? prng.below(3) : 0;
  return {
    state,
    licenses: [license],
    appointments: Array.from({ length: count }, () => someAppointment(prng, prng.pick(kind.lines))),
  };
}

function someLicense(prng: Prng, state: StateCode, kind: LicenseKind, isResident: boolean): License {
  // Fixed years, so that records do not depend on the current date.
  const active = prng.happens(isResident ? 96 : 85);
  const expiry = active ? prng.day(2028, 2030) : prng.day(2019, 2025);
  const issued = prng.day(2004, 2018);
  return {
    licenseNumber: `${state}-${prng.digits(7)}`,
    lastUpdatedDate: active ? prng.day(2024, 2025) : expiry,
    licenseOriginalIssueDate: issued,
    licenseExpiryDate: expiry,
    licenseClass: kind.licenseClass,
    licenseClassCode: kind.licenseClassCode,
    residencyStatus: isResident ? 'R' : 'NR',
    active,
    details: kind.lines.map((line) => someDetail(prng, line, { issued, expiry, active, isResident })),
  };
}

function someDetail(
  prng: Prng,
  { loa, loaCode }: Line,
  license: { issued: string; expiry: string; active: boolean; isResident: boolean },
): LicenseDetail {
  const isCancelled = !license.active && prng.happens(30);
  const needsCredits = license.active && license.isResident && prng.happens(25);
  return {
    loa,
    loaCode,
    authorityIssueDate: license.issued,
    // States require continuing education of residents.
    ceCompliance: !license.isResident ? '' : needsCredits ? 'No' : 'Yes',
    ceCreditsNeeded: needsCredits ? prng.between(1, 24) : 0,
    ceRenewalDate: license.isResident ? license.expiry : '',
    status: license.active ? 'Active' : isCancelled ? 'Cancelled' : 'Inactive',
    statusReason: license.active ? '' : isCancelled ? 'Voluntary surrender' : 'Not renewed',
    statusReasonDate: license.active ? license.issued : license.expiry,
  };
}

const carrierKinds = ['Life', 'Mutual', 'Casualty', 'Fidelity', 'Assurance'] as const;

/** Unassigned company and employer numbers: from 99000 up, and with the prefix 00. */
function someCarrier(prng: Prng): Pick<Appointment, 'companyName' | 'coCode' | 'fein'> {
  const place = prng.below(nameBeginnings.length);
  const kind = prng.below(carrierKinds.length);
  const number = String(place * carrierKinds.length + kind).padStart(3, '0');
  return {
    companyName: `${nameBeginnings[place] ?? ''} ${carrierKinds[kind] ?? ''} Insurance Company`,
    coCode: `99${number}`,
    fein: `00-0000${number}`,
  };
}

function someAppointment(prng: Prng, { loa, loaCode }: Line): Appointment {
  const isTerminated = prng.happens(15);
  return {
    ...someCarrier(prng),
    loa,
    loaCode,
    status: isTerminated ? 'Terminated' : 'Appointed',
    agencyAffiliations: '',
    appointRenewalDate: isTerminated ? '' : prng.day(2028, 2029),
    branchID: '',
    county: '',
    statusReasonDate: prng.day(2019, 2025),
    terminationReason: isTerminated
      ? prng.pick(['Voluntary', 'Inadequate production', 'Carrier withdrew'] as const)
      : '',
  };
}

/**
 * A line of authority. The names and numbers are similar to the national database's, but synthetic.
 */
export interface Line {
  loa: string;
  loaCode: number;
}

/** A kind of license, with the lines it can have. */
export interface LicenseKind {
  licenseClass: string;
  licenseClassCode: number;
  lines: readonly [Line, ...Line[]];
}

const life: Line = { loa: 'Life', loaCode: 16 };
const health: Line = { loa: 'Accident and Health or Sickness', loaCode: 17 };
const variable: Line = { loa: 'Variable Life and Variable Annuity', loaCode: 18 };
const property: Line = { loa: 'Property', loaCode: 22 };
const casualty: Line = { loa: 'Casualty', loaCode: 23 };
const personal: Line = { loa: 'Personal Lines', loaCode: 24 };
const crop: Line = { loa: 'Crop', loaCode: 31 };
const surplus: Line = { loa: 'Surplus Lines', loaCode: 42 };
const title: Line = { loa: 'Title', loaCode: 51 };

const producer = { licenseClass: 'Insurance Producer', licenseClassCode: 1 };

/** The occupations of producers, repeated by frequency. */
const trades: readonly [LicenseKind, ...LicenseKind[]] = [
  { ...producer, lines: [life, health] },
  { ...producer, lines: [life, health] },
  { ...producer, lines: [life, health, variable] },
  { ...producer, lines: [health] },
  { ...producer, lines: [property, casualty] },
  { ...producer, lines: [property, casualty] },
  { ...producer, lines: [property, casualty, personal] },
  { ...producer, lines: [personal] },
  { ...producer, lines: [life, health, property, casualty] },
  { ...producer, lines: [casualty, crop] },
  { licenseClass: 'Surplus Lines Broker', licenseClassCode: 7, lines: [surplus] },
  { licenseClass: 'Title Agent', licenseClassCode: 9, lines: [title] },
];

/** An occupation. */
export function someTrade(prng: Prng): LicenseKind {
  return prng.pick(trades);
}

const causes = [
  { originOfAction: 'Market conduct examination', reasonForAction: 'Failure to keep records' },
  { originOfAction: 'Consumer complaint', reasonForAction: 'Late remittance of premium' },
  { originOfAction: 'Renewal application', reasonForAction: 'Failure to report an address' },
  { originOfAction: 'Action of another state', reasonForAction: 'Failure to report the action' },
] as const;

const outcomes = [
  { disposition: 'Fined', lengthOfOrder: '' },
  { disposition: 'Probation', lengthOfOrder: '12 months' },
  { disposition: 'Consent order', lengthOfOrder: '' },
  { disposition: 'Reprimand', lengthOfOrder: '' },
] as const;

/** A regulatory action of a state. */
export function someRegulatoryAction(prng: Prng, state: StateCode): StateRegulatoryAction {
  const { originOfAction, reasonForAction } = prng.pick(causes);
  const { disposition, lengthOfOrder } = prng.pick(outcomes);
  const date = prng.day(2012, 2024);
  const fine = disposition === 'Fined' ? `$${prng.between(1, 20) * 250}.00` : '';
  return {
    state,
    regulatoryAction: {
      actionId: prng.digits(6),
      dateOfAction: date,
      disposition,
      effectiveDate: date,
      enterDate: date,
      fileRef: `${state}-${date.slice(-4)}-${prng.digits(4)}`,
      lengthOfOrder,
      originOfAction,
      penaltyFineForfeiture: fine,
      reasonForAction,
    },
  };
}
