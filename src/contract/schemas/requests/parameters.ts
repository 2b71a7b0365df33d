import { z } from 'zod';
import { stateCodes, textLimits } from '../../index.js';
import { stateCodeSchema } from '../values.js';
import { npnInPathSchema, plainText } from './values.js';

/**
 * The parameters in paths. A name has the same meaning in every operation. Ids are any text, so
 * that the operation reports an unknown one.
 */
export const pathSchemas = {
  userId: plainText(textLimits.id.max).meta({
    description: "The partner's own id for the user.",
    example: 'usr_abc123',
  }),
  npn: npnInPathSchema.meta({ description: "The producer's national producer number.", example: '9000000001' }),
  // Any UUID, regardless of its version bits.
  id: z.guid({ error: 'expected the id of a bulk onboarding, which is a UUID' }).meta({
    description: 'The id that `startBulkOnboarding` returned.',
    example: '3f0c8a52-6d1e-4b7a-9c25-0e8f4d2b1a60',
  }),
  territoryId: plainText(textLimits.id.max).meta({
    description: 'The id of the territory to remove.',
    example: 'ter_south',
  }),
  applicationId: z.string().meta({ description: 'The id from `createSession`.', example: 'app_9c8b7a6d' }),
  state: stateCodeSchema.meta({ description: 'The state whose department decides.', example: 'TX' }),
};

function wholeNumber(least: number, most: number, standard: number) {
  // Grouped, because nine digits in a row would be redacted from the response as an SSN.
  const error = `expected a whole number from ${least} to ${most.toLocaleString('en-US')}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.int({ error }).min(least, { error }).max(most, { error }).default(standard),
  );
}

// Far more pages than exist.
const page = wholeNumber(1, 999_999_999, 1).meta({ description: 'Which page to read, counted from 1.', example: 1 });

/** The query of createAccountCredential (operation 3). */
export const createAccountCredentialQuery = z
  .object({
    // Optional here, because the operation reports a missing one with a separate error.
    agencyId: z
      .preprocess((text) => text ?? '', z.string())
      .meta({
        description: 'The id that the operator handed over when the agency was set up.',
        example: 'agc_5b6c7d8e9f',
      }),
  })
  .meta({ id: 'CreateAccountCredentialQuery', description: 'Query of createAccountCredential (operation 3).' });

/** The query of getBulkDetails (operation 6). */
export const bulkDetailsQuery = z
  .object({ page })
  .meta({ id: 'BulkDetailsQuery', description: 'Query of getBulkDetails (operation 6).' });

const stateError = 'expected state codes such as TX,CA';

/** The query of listActiveLicenses (operation 9). */
export const activeLicensesQuery = z
  .object({
    stateCode: z
      .preprocess(
        // Before conversion to upper case, which converts a long s to S.
        (text) => (typeof text === 'string' && /^[A-Za-z,]*$/.test(text) ? text.toUpperCase().split(',') : text),
        z
          .array(z.enum(stateCodes, { error: stateError }), { error: stateError })
          .transform((codes) => [...new Set(codes)]),
      )
      .meta({
        description:
          'The states to report. Repeat the parameter (`stateCode=TX&stateCode=CA`) or join the codes with commas ' +
          '(`stateCode=TX,CA`); both mean the same. The codes are taken in either case. Anything else, an empty item too, is 400.',
        example: ['TX', 'CA'],
        tsType: 'readonly string[]',
        minItems: 1,
        items: { type: 'string', pattern: stateListPattern() },
      }),
  })
  .meta({ id: 'ActiveLicensesQuery', description: 'Query of listActiveLicenses (operation 9).' });

/** The query of listTerritories (operation 16). */
export const territoriesQuery = z
  .object({
    page,
    pageSize: wholeNumber(1, 100, 20).meta({ description: 'Territories per page.', example: 20 }),
  })
  .meta({ id: 'TerritoriesQuery', description: 'Query of listTerritories (operation 16).' });

/** State codes in either case, joined with commas. */
function stateListPattern(): string {
  const seconds = new Map<string, string>();
  for (const [first = '', second = ''] of stateCodes.toSorted()) {
    seconds.set(first, `${seconds.get(first) ?? ''}${second}${second.toLowerCase()}`);
  }
  const code = [...seconds].map(([first, letters]) => `[${first}${first.toLowerCase()}][${letters}]`).join('|');
  return `^(${code})(,(${code}))*$`;
}
