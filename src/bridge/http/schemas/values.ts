import { z } from 'zod';
import { stateCodes } from '../../../contract/index.js';
import { npnInPathSchema, plainText, stateCodeSchema } from '../../domain/values/values.js';
import { characters } from '../../domain/limits/limits.js';

/* The values of responses, and the parameters. Values of bodies are in `domain/values.ts`. */

/** A time. */
export const timestamp = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'A moment, as ISO 8601 in UTC.',
  // Simpler than the pattern of zod, which includes the lengths of months.
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|\\+00:00)$',
});

/** A day of producer data. */
export const producerDate = z
  .string()
  .regex(/^([0-9]{1,2}\/[0-9]{1,2}\/[0-9]{4})?$/)
  .meta({ id: 'ProducerDate', description: 'A day, as month/day/year. Empty when there is none.' });

/** A national producer number in responses. */
export const npn = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .meta({ id: 'Npn', description: 'National producer number, without leading zeros.' });

/** A URL of the hosted application. */
export const uri = z.string().meta({ format: 'uri' });

/** The total number. */
export const count = z.int().min(0);

/** The fields of every page of a list. */
export const page = {
  currentPage: z.int().min(1),
  pageSize: z.int().min(1),
  totalCount: count,
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
};

/**
 * The parameters in paths. A name has the same meaning in every operation. Ids are any text, so
 * that the operation reports an unknown one.
 */
export const pathSchemas = {
  userId: plainText(characters.id.max).meta({
    description: "The partner's own id for the user.",
    example: 'usr_abc123',
  }),
  npn: npnInPathSchema.meta({ description: "The producer's national producer number.", example: '9000000001' }),
  // Any UUID, regardless of its version bits.
  id: z.guid({ error: 'expected the id of a bulk onboarding, which is a UUID' }).meta({
    description: 'The id that `startBulkOnboarding` returned.',
    example: '3f0c8a52-6d1e-4b7a-9c25-0e8f4d2b1a60',
  }),
  territoryId: plainText(characters.id.max).meta({ description: 'The territory to take away.', example: 'ter_south' }),
  applicationId: z.string().meta({ description: 'The id from `createSession`.', example: 'app_9c8b7a6d' }),
  state: stateCodeSchema.meta({ description: 'The state whose department decides.', example: 'TX' }),
};

function wholeNumber(least: number, most: number, standard: number) {
  // Grouped, because nine digits in a row would be redacted from the response as an SSN.
  const error = `expected a whole number from ${String(least)} to ${most.toLocaleString('en-US')}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.int({ error }).min(least, { error }).max(most, { error }).default(standard),
  );
}

const stateError = 'expected state codes such as TX,CA';

/** The query parameters. */
export const queryParameters = {
  // Optional here, because the operation reports a missing one with a separate error.
  agencyId: z
    .preprocess((text) => text ?? '', z.string())
    .meta({
      description: 'The id that the operator handed over when the agency was set up.',
      example: 'agc_5b6c7d8e9f',
    }),
  // Far more pages than exist.
  page: wholeNumber(1, 999_999_999, 1).meta({ description: 'Which page to read, counted from 1.', example: 1 }),
  pageSize: wholeNumber(1, 100, 20).meta({ description: 'Territories per page.', example: 20 }),
  stateCode: z
    .preprocess(
      // Before conversion to upper case, which converts a long s to S.
      (text) => (typeof text === 'string' && /^[A-Za-z,]*$/.test(text) ? text.toUpperCase().split(',') : text),
      z.array(z.enum(stateCodes, { error: stateError }), { error: stateError }),
    )
    .transform((codes) => [...new Set(codes)])
    .meta({
      description:
        'The states to report. Repeat the parameter (`stateCode=TX&stateCode=CA`) or join the codes with commas ' +
        '(`stateCode=TX,CA`); both mean the same. The codes are taken in either case. Anything else, an empty item too, is 400.',
      example: ['TX', 'CA'],
      minItems: 1,
      items: { type: 'string', pattern: stateListPattern() },
    }),
};

/** State codes in either case, joined with commas. */
function stateListPattern(): string {
  const seconds = new Map<string, string>();
  for (const [first = '', second = ''] of stateCodes.toSorted()) {
    seconds.set(first, `${seconds.get(first) ?? ''}${second}${second.toLowerCase()}`);
  }
  const code = [...seconds].map(([first, letters]) => `[${first}${first.toLowerCase()}][${letters}]`).join('|');
  return `^(${code})(,(${code}))*$`;
}
