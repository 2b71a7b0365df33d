import { z } from 'zod';
import { stateCodes } from '../index.js';

/*
 * The values of responses. Some also occur in requests. A schema with an `id` has this name in
 * `/openapi.json`.
 */

/** An upper-case state code. */
export const stateCodeSchema = z
  .enum(stateCodes, { error: 'expected a state code in upper case, such as TX' })
  .meta({ id: 'StateCode', description: 'One of the 50 states, DC, or the territories AS, GU, MP, PR and VI.' });

const zipError = 'expected five digits, or five and four';

/** A ZIP code. */
export const zip = z
  .string({ error: zipError })
  .regex(/^[0-9]{5}(-[0-9]{4})?$/, { error: zipError })
  .meta({ id: 'Zip', description: 'Five digits, or five and four.' });

const slugError = 'expected a lower-case word such as life_health';

/** The type of an application or a license. */
export const slug = z
  .string({ error: slugError })
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: slugError })
  .meta({
    id: 'Slug',
    description: 'A lower-case word such as `new` or `life_health`. The set of values is not closed.',
  });

/** A time. */
export const timestamp = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'A time, ISO 8601 in UTC.',
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
  currentPage: z.int().min(1).describe('The requested page.'),
  pageSize: z.int().min(1),
  totalCount: count,
  // A loop over the pages would otherwise end too early.
  hasNextPage: z.boolean().meta({ received: 'required', description: 'Whether there is a page after this one.' }),
  hasPreviousPage: z.boolean().describe('Whether there is a page before this one.'),
};
