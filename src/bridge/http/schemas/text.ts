import { z } from 'zod';
import { stateCodes } from '../../../contract/index.js';

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
