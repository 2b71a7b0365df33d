import type { Appointment, License, LicenseDetail, LicenseInfo, StateCode } from '../../../contract/index.js';
import type { Dice } from './dice.js';
import type { LicenseKind, Line } from './lines.js';
import { nameBeginnings } from './words.js';

/** The licenses and appointments of one producer in one state. */
export function someLicenseInfo(dice: Dice, state: StateCode, kind: LicenseKind, isResident: boolean): LicenseInfo {
  const license = someLicense(dice, state, kind, isResident);
  const count = license.active ? dice.below(3) : 0;
  return {
    state,
    licenses: [license],
    appointments: Array.from({ length: count }, () => someAppointment(dice, dice.pick(kind.lines))),
  };
}

function someLicense(dice: Dice, state: StateCode, kind: LicenseKind, isResident: boolean): License {
  // Fixed years: records that depend on today would not be the same tomorrow.
  const active = dice.happens(isResident ? 96 : 85);
  const expiry = active ? dice.day(2028, 2030) : dice.day(2019, 2025);
  const issued = dice.day(2004, 2018);
  return {
    licenseNumber: `${state}-${dice.digits(7)}`,
    lastUpdatedDate: active ? dice.day(2024, 2025) : expiry,
    licenseOriginalIssueDate: issued,
    licenseExpiryDate: expiry,
    licenseClass: kind.licenseClass,
    licenseClassCode: kind.licenseClassCode,
    residencyStatus: isResident ? 'R' : 'NR',
    active,
    details: kind.lines.map((line) => someDetail(dice, line, { issued, expiry, active, isResident })),
  };
}

function someDetail(
  dice: Dice,
  { loa, loaCode }: Line,
  license: { issued: string; expiry: string; active: boolean; isResident: boolean },
): LicenseDetail {
  const isCancelled = !license.active && dice.happens(30);
  const needsCredits = license.active && license.isResident && dice.happens(25);
  return {
    loa,
    loaCode,
    authorityIssueDate: license.issued,
    // A state asks for continuing education of its own residents.
    ceCompliance: !license.isResident ? '' : needsCredits ? 'No' : 'Yes',
    ceCreditsNeeded: needsCredits ? dice.between(1, 24) : 0,
    ceRenewalDate: license.isResident ? license.expiry : '',
    status: license.active ? 'Active' : isCancelled ? 'Cancelled' : 'Inactive',
    statusReason: license.active ? '' : isCancelled ? 'Voluntary surrender' : 'Not renewed',
    statusReasonDate: license.active ? license.issued : license.expiry,
  };
}

const carrierKinds = ['Life', 'Mutual', 'Casualty', 'Fidelity', 'Assurance'] as const;

/** Company numbers and employer numbers that are given to nobody: from 99000 up, and with the prefix 00. */
function someCarrier(dice: Dice): Pick<Appointment, 'companyName' | 'coCode' | 'fein'> {
  const place = dice.below(nameBeginnings.length);
  const kind = dice.below(carrierKinds.length);
  const number = String(place * carrierKinds.length + kind).padStart(3, '0');
  return {
    companyName: `${nameBeginnings[place] ?? ''} ${carrierKinds[kind] ?? ''} Insurance Company`,
    coCode: `99${number}`,
    fein: `00-0000${number}`,
  };
}

function someAppointment(dice: Dice, { loa, loaCode }: Line): Appointment {
  const isTerminated = dice.happens(15);
  return {
    ...someCarrier(dice),
    loa,
    loaCode,
    status: isTerminated ? 'Terminated' : 'Appointed',
    agencyAffiliations: '',
    appointRenewalDate: isTerminated ? '' : dice.day(2028, 2029),
    branchID: '',
    county: '',
    statusReasonDate: dice.day(2019, 2025),
    terminationReason: isTerminated
      ? dice.pick(['Voluntary', 'Inadequate production', 'Carrier withdrew'] as const)
      : '',
  };
}
