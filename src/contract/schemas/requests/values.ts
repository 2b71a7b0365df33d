import { z } from 'zod';
import { textLimits, isPartnerUrl, maxNpnsPerRequest, partnerUrlPattern } from '../../index.js';

/* The values of requests. Each has an error, which the bridge returns. */

/** Names contain no control characters, and PostgreSQL refuses NUL. */
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Marks that change the direction of a text, so that a name reads differently on a page and in a
 * filing.
 */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** An unpaired surrogate: JSON allows it, PostgreSQL cannot store it. */
const loneSurrogate = /\p{Surrogate}/u;

/** A line of text that can be stored and shown everywhere. */
export function plainText(maxLength: number): z.ZodString {
  const error = `expected a text of 1 to ${maxLength} characters on one line`;
  return z
    .string({ error })
    .min(1, { error })
    .max(maxLength, { error })
    .refine((text) => text.trim() !== '' && !controlCharacter.test(text) && !loneSurrogate.test(text), { error })
    .refine((text) => !directionMark.test(text), { error: 'expected a text without marks of direction' });
}

const emailError = 'expected an e-mail address';

/** An e-mail address. */
export const emailSchema = z.email({ error: emailError }).max(textLimits.email.max, { error: emailError });

const phoneError = 'expected a phone number of 7 to 15 digits';

/** A phone number in any usual form. */
export const phoneSchema = z
  .string({ error: phoneError })
  .max(textLimits.phone.max, { error: phoneError })
  .regex(/^[+0-9(][0-9 ().\-/]*( ?([xX]|[eE][xX][tT]\.?) ?[0-9]{1,6})?$/, { error: phoneError })
  // Without the extension. `s` flag: otherwise each x of a long text would be tried up to the end
  // of its line.
  .refine((text) => /^\d{7,15}/.test(text.replace(/[xe].*$/is, '').replace(/\D/g, '')), { error: phoneError });

const ssnError = 'expected nine digits, or 3-2-4 with dashes';

/** An SSN. Output: nine digits. */
export const ssnSchema = z
  .string({ error: ssnError })
  .regex(/^([0-9]{9}|[0-9]{3}-[0-9]{2}-[0-9]{4})$/, { error: ssnError })
  .transform((ssn) => ssn.replaceAll('-', ''))
  .meta({ id: 'Ssn', description: 'Nine digits, or 3-2-4 with dashes.', writeOnly: true });

const urlError = 'expected an https address in ASCII (or http on localhost in test mode) without user or password';

/** A URL that a partner may use, at least in test mode. */
export const partnerUrlSchema = z
  .string({ error: urlError })
  .refine(isPartnerUrl, { error: urlError })
  .meta({
    id: 'PartnerUrl',
    description:
      'An https address, or in test mode http on localhost, which is `localhost`, `*.localhost`, `127.0.0.1` or `[::1]`. ' +
      'It holds no user name or password.',
    format: 'uri',
    pattern: partnerUrlPattern.source,
  });

const npnError = 'expected 1 to 10 digits that are not all zero';

/** A national producer number as a string, with any leading zeros. */
const npnDigitsSchema = z
  .string({ error: npnError })
  .max(10, { error: npnError })
  .regex(/^0*[1-9][0-9]*$/, { error: npnError })
  .meta({
    id: 'NpnDigits',
    description: 'National producer number, 1 to 10 digits. Leading zeros do not count.',
  });

const npnNumberSchema = z
  .number()
  .int({ error: npnError })
  .min(1, { error: npnError })
  .max(9_999_999_999, { error: npnError });

/**
 * A national producer number in a request: digits or an integer. Output: digits without leading
 * zeros.
 */
export const npnSchema = z
  .union([npnDigitsSchema, npnNumberSchema], { error: npnError })
  .transform(withoutLeadingZeros)
  .meta({ id: 'NpnInput', description: 'National producer number, as digits or as a whole number.' });

/** A national producer number in a path. */
export const npnInPathSchema = npnDigitsSchema.transform(withoutLeadingZeros);

function withoutLeadingZeros(npn: string | number): string {
  return String(npn).replace(/^0+/, '');
}

const npnListError = `expected 1 to ${maxNpnsPerRequest} NPNs`;

/** The NPNs of a request with their positions, for error messages. */
export const npnPlacesSchema = z
  .array(z.unknown(), { error: npnListError })
  .min(1, { error: npnListError })
  .max(maxNpnsPerRequest, { error: npnListError })
  // Each item is checked below, which JSON Schema cannot express.
  .meta({ items: { $ref: '#/$defs/NpnInput' }, tsType: 'readonly (string | number)[]' })
  .transform((items, check) => {
    const npns: string[] = [];
    const malformed: number[] = [];
    for (const [index, item] of items.entries()) {
      const { success, data } = npnSchema.safeParse(item);
      if (success) npns.push(data);
      else malformed.push(index);
      // More would not help.
      if (malformed.length === 10) break;
    }
    // By position, because the value may be anything, including an SSN.
    for (const index of malformed) check.addIssue({ code: 'custom', path: [index], message: npnError });
    return npns;
  });

/** The NPNs of a request without duplicates, in order of the first position. */
export const npnListSchema = npnPlacesSchema.transform((npns) => [...new Set(npns)]);
