import { z } from 'zod';
import type { LicensingProfile, ResidentialAddress } from '../../../contract/index.js';
import { plainText, stateCodeSchema } from './text.js';

const npnError = 'expected 1 to 10 digits that are not all zero, or null';
const npn = z.union(
  [
    z.string().regex(/^(?=.{1,10}$)0*[1-9][0-9]*$/, { error: npnError }),
    z.number().int({ error: npnError }).min(1, { error: npnError }).max(9_999_999_999, { error: npnError }),
  ],
  { error: npnError },
);

const phoneError = 'expected a phone number of 7 to 15 digits, or null';
const phone = z
  .string({ error: phoneError })
  .max(40, { error: phoneError })
  .regex(/^[+0-9(][0-9 ().\-/]*( ?(x|ext\.?) ?[0-9]{1,6})?$/i, { error: phoneError })
  .refine((text) => /^\d{7,15}/.test(text.replace(/(x|ext).*$/i, '').replace(/\D/g, '')), { error: phoneError });

const dayError = 'expected a day as YYYY-MM-DD, or null';
const day = z.iso.date({ error: dayError }).refine((text) => text >= '1900-01-01', { error: dayError });

const residentialAddress = z.strictObject({
  street: plainText(200),
  city: plainText(100),
  state: stateCodeSchema,
  zip: z
    .string({ error: 'expected five digits, or five and four' })
    .regex(/^\d{5}(-\d{4})?$/, { error: 'expected five digits, or five and four' }),
}) satisfies z.ZodType<ResidentialAddress>;

const email = z
  .email({ error: 'expected an e-mail address, or null' })
  .max(254, { error: 'expected an e-mail address, or null' });

/** Body of operation 17. */
export const licensingProfileSchema = z.strictObject({
  npn: npn.nullable().exactOptional(),
  firstName: plainText(100).nullable().exactOptional(),
  lastName: plainText(100).nullable().exactOptional(),
  email: email.nullable().exactOptional(),
  phone: phone.nullable().exactOptional(),
  dateOfBirth: day.nullable().exactOptional(),
  residentialAddress: residentialAddress.nullable().exactOptional(),
}) satisfies z.ZodType<LicensingProfile>;
