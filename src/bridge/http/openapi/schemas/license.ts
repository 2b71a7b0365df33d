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
import { producerShape } from '../../schemas/producer-shape.js';
import { stateCodeSchema } from '../../schemas/text.js';
import { npn, producerValues } from './values.js';

const shape = producerShape(producerValues);

/** Whether a state is the home state. */
export const residencyStatus = z.enum(['R', 'NR']).meta({ description: '`R` is resident, `NR` is non-resident.' });

/** One line of authority of a license. */
export const licenseDetail = z.object({
  ...shape.licenseDetail,
  status: z.enum(loaStatuses),
}) satisfies z.ZodType<LicenseDetail>;

/** A license in one state. */
export const license = z.object({
  ...shape.license,
  residencyStatus,
  active: z.boolean(),
  details: z.array(licenseDetail),
}) satisfies z.ZodType<License>;

/** A carrier's appointment of a producer. */
export const appointment = z.object({
  ...shape.appointment,
  status: z.enum(appointmentStatuses),
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
