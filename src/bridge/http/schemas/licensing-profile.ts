import { z } from 'zod';
import type { LicensingProfile, ResidentialAddress } from '../../../contract/index.js';
import { npnSchema } from './npn.js';
import { emailSchema, phoneSchema, plainText, stateCodeSchema } from './text.js';

const dayError = 'expected a day as YYYY-MM-DD, or null';
const day = z.iso.date({ error: dayError }).refine((text) => text >= '1900-01-01', { error: dayError });

const zipError = 'expected five digits, or five and four';

/** A ZIP code. */
export const zipSchema = z.string({ error: zipError }).regex(/^[0-9]{5}(-[0-9]{4})?$/, { error: zipError });

/** Where a user lives. */
export const residentialAddressSchema = z.strictObject({
  street: plainText(200),
  city: plainText(100),
  state: stateCodeSchema,
  zip: zipSchema,
}) satisfies z.ZodType<ResidentialAddress>;

/** Body of operation 17. */
export const licensingProfileSchema = z.strictObject({
  npn: npnSchema.nullable().exactOptional(),
  firstName: plainText(100).nullable().exactOptional(),
  lastName: plainText(100).nullable().exactOptional(),
  email: emailSchema.nullable().exactOptional(),
  phone: phoneSchema.nullable().exactOptional(),
  dateOfBirth: day.nullable().exactOptional(),
  residentialAddress: residentialAddressSchema.nullable().exactOptional(),
}) satisfies z.ZodType<LicensingProfile>;
