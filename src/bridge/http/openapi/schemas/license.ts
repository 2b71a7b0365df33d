import { z } from 'zod';
import {
  appointmentStatuses,
  loaStatuses,
  type ActiveLicense,
  type ActiveLicenses,
  type Appointment,
  type License,
  type LicenseDetail,
  type LicenseInfo,
} from '../../../../contract/index.js';
import { stateCodeSchema } from '../../schemas/text.js';
import { npn, producerDate } from './values.js';

/** Whether a state is the home state. */
export const residencyStatus = z.enum(['R', 'NR']).meta({ description: '`R` is resident, `NR` is non-resident.' });

/** One line of authority of a license. */
export const licenseDetail = z.object({
  loa: z.string(),
  loaCode: z.int(),
  authorityIssueDate: producerDate,
  ceCompliance: z.string(),
  ceCreditsNeeded: z.int(),
  ceRenewalDate: producerDate,
  status: z.enum(loaStatuses),
  statusReason: z.string(),
  statusReasonDate: producerDate,
}) satisfies z.ZodType<LicenseDetail>;

/** A license in one state. */
export const license = z.object({
  licenseNumber: z.string(),
  lastUpdatedDate: producerDate,
  licenseOriginalIssueDate: producerDate,
  licenseExpiryDate: producerDate,
  licenseClass: z.string(),
  licenseClassCode: z.int(),
  residencyStatus,
  active: z.boolean(),
  details: z.array(licenseDetail),
}) satisfies z.ZodType<License>;

/** A carrier's appointment of a producer. */
export const appointment = z.object({
  companyName: z.string(),
  coCode: z.string(),
  fein: z.string(),
  loa: z.string(),
  loaCode: z.int(),
  status: z.enum(appointmentStatuses),
  agencyAffiliations: z.string(),
  appointRenewalDate: producerDate,
  branchID: z.string(),
  county: z.string(),
  statusReasonDate: producerDate,
  terminationReason: z.string(),
}) satisfies z.ZodType<Appointment>;

/** Licenses and appointments in one state. */
export const licenseInfo = z.object({
  state: z.string(),
  licenses: z.array(license),
  appointments: z.array(appointment),
}) satisfies z.ZodType<LicenseInfo>;

/** One of the licenses of operation 9. */
export const activeLicense = z.object({
  licenseNumber: z.string(),
  npn,
  residencyStatus,
}) satisfies z.ZodType<ActiveLicense>;

/** One item of the answer of operation 9. */
export const activeLicenses = z.object({
  state: stateCodeSchema,
  licenseInfo: z.array(activeLicense),
}) satisfies z.ZodType<ActiveLicenses>;
