import { z } from 'zod';
import { stateCodes } from '../../../contract/index.js';
import { isPartnerUrl, partnerUrlPattern } from '../../domain/sessions/partner-url.js';

/** Control characters have no place in names, and PostgreSQL refuses NUL. */
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** Half of a character: JSON can spell it, PostgreSQL cannot store it. */
const loneSurrogate = /\p{Surrogate}/u;

/** A line of text that any part of the system can store and show. */
export function plainText(maxLength: number): z.ZodString {
  const error = `expected a text of 1 to ${String(maxLength)} characters on one line`;
  return z
    .string({ error })
    .min(1, { error })
    .max(maxLength, { error })
    .refine((text) => text.trim() !== '' && !controlCharacter.test(text) && !loneSurrogate.test(text), { error });
}

/** An upper-case state code. */
export const stateCodeSchema = z.enum(stateCodes, { error: 'expected a state code in upper case, such as TX' });

const emailError = 'expected an e-mail address';

/** An e-mail address. */
export const emailSchema = z.email({ error: emailError }).max(254, { error: emailError });

const phoneError = 'expected a phone number of 7 to 15 digits';

/** A phone number in any usual form. */
export const phoneSchema = z
  .string({ error: phoneError })
  .max(40, { error: phoneError })
  .regex(/^[+0-9(][0-9 ().\-/]*( ?([xX]|[eE][xX][tT]\.?) ?[0-9]{1,6})?$/, { error: phoneError })
  // Without the extension. Over the ends of lines, or each x of a text that is no number is tried again to its end.
  .refine((text) => /^\d{7,15}/.test(text.replace(/[xe].*$/is, '').replace(/\D/g, '')), { error: phoneError });

const ssnError = 'expected nine digits, or 3-2-4 with dashes';

/** An SSN. Comes out as nine digits. */
export const ssnSchema = z
  .string({ error: ssnError })
  .regex(/^([0-9]{9}|[0-9]{3}-[0-9]{2}-[0-9]{4})$/, { error: ssnError })
  .transform((ssn) => ssn.replaceAll('-', ''))
  .meta({ writeOnly: true });

const urlError = 'expected an https address in ASCII (or http on localhost in test mode) without user or password';

/** An address that a partner may give, in test mode at least. */
export const partnerUrlSchema = z
  .string({ error: urlError })
  .refine(isPartnerUrl, { error: urlError })
  .meta({ format: 'uri', pattern: partnerUrlPattern.source });

/** What takes a value away. */
export const cleared = z.literal(['', null]);
