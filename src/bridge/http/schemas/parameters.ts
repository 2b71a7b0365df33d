import { z } from 'zod';
import { stateCodes } from '../../../contract/index.js';
import { npnInPathSchema } from './npn.js';
import { plainText, stateCodeSchema } from './text.js';

/**
 * The parameters in paths. A name means the same in every operation. Ids of ours that are none of the caller's are texts:
 * whether they exist is for the operation to say.
 */
export const pathSchemas = {
  userId: plainText(255),
  npn: npnInPathSchema,
  // Any UUID: whether it has the bits of a version is no reason to call it malformed.
  id: z.guid({ error: 'expected the id of a bulk onboarding, which is a UUID' }),
  territoryId: plainText(255),
  applicationId: z.string(),
  state: stateCodeSchema,
};

function wholeNumber(least: number, most: number, standard: number) {
  // Grouped: nine digits in a row would be taken out of the answer, as an SSN is.
  const error = `expected a whole number from ${String(least)} to ${most.toLocaleString('en-US')}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }))
    .default(standard)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: least, maximum: most, default: standard } });
}

/** Far more pages than anything has. */
const page = wholeNumber(1, 999_999_999, 1);

const stateError = 'expected state codes such as TX,CA';
const stateCode = z
  .string({ error: stateError })
  // Before upper case, which makes an S of a long s.
  .refine((text) => /^[A-Za-z,]*$/.test(text), { error: stateError })
  .transform((text) => text.toUpperCase().split(','))
  .pipe(z.array(z.enum(stateCodes, { error: stateError })))
  .transform((codes) => [...new Set(codes)])
  .meta({ override: { type: 'array', minItems: 1, items: { type: 'string', pattern: stateListPattern() } } });

/** State codes in either case, joined with commas. */
function stateListPattern(): string {
  const seconds = new Map<string, string>();
  for (const [first = '', second = ''] of stateCodes.toSorted()) {
    seconds.set(first, `${seconds.get(first) ?? ''}${second}${second.toLowerCase()}`);
  }
  const code = [...seconds].map(([first, letters]) => `[${first}${first.toLowerCase()}][${letters}]`).join('|');
  return `^(${code})(,(${code}))*$`;
}

/** The query parameters of the operations that have any. Others are ignored. A repeated one arrives joined with commas. */
export const querySchemas = {
  createAccountCredential: z.object({
    agencyId: z
      .string()
      .default('')
      .meta({ override: { default: undefined } }),
  }),
  getBulkDetails: z.object({ page }),
  listActiveLicenses: z.object({ stateCode }),
  listTerritories: z.object({ page, pageSize: wholeNumber(1, 100, 20) }),
};
