import { z } from 'zod';

/** A moment. */
export const timestamp = z.iso.datetime().meta({
  override: { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|\\+00:00)$' },
  description: 'A moment, as ISO 8601 in UTC.',
});

/** A day of producer data. */
export const producerDate = z
  .string()
  .regex(/^([0-9]{1,2}\/[0-9]{1,2}\/[0-9]{4})?$/)
  .meta({ description: 'A day, as month/day/year. Empty when there is none.' });

/** What the fields of a producer hold. */
export const producerValues = { text: z.string(), day: producerDate, whole: z.int() };

/** A national producer number as answers write it. */
export const npn = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .meta({ description: 'National producer number, without leading zeros.' });

/** An address of the hosted application. */
export const uri = z.string().meta({ format: 'uri' });

/** How many there are. */
export const count = z.int().min(0);

/** What stands for a text where there is none. */
export const empty = z.literal('');
