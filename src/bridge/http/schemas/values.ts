import { z } from 'zod';

/* The values of answers. Those of requests are in `domain/values.ts`. */

/** A moment. */
export const timestamp = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'A moment, as ISO 8601 in UTC.',
  // Simpler than the pattern of zod, which knows the lengths of months.
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|\\+00:00)$',
});

/** A day of producer data. */
export const producerDate = z
  .string()
  .regex(/^([0-9]{1,2}\/[0-9]{1,2}\/[0-9]{4})?$/)
  .meta({ id: 'ProducerDate', description: 'A day, as month/day/year. Empty when there is none.' });

/** A national producer number as answers write it. */
export const npn = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .meta({ id: 'Npn', description: 'National producer number, without leading zeros.' });

/** An address of the hosted application. */
export const uri = z.string().meta({ format: 'uri' });

/** How many there are. */
export const count = z.int().min(0);

/** What each page says of itself. */
export const page = {
  currentPage: z.int().min(1),
  pageSize: z.int().min(1),
  totalCount: count,
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
};
