import { z } from 'zod';
import { maxNpnsPerRequest } from '../../../contract/index.js';

const expected = 'expected 1 to 10 digits that are not all zero';

/** A national producer number as a text, leading zeros and all. */
export const npnDigitsSchema = z
  .string({ error: expected })
  .max(10, { error: expected })
  .regex(/^0*[1-9][0-9]*$/, { error: expected });

/** A national producer number as requests may write it: digits or a whole number. Comes out without leading zeros. */
export const npnSchema = z
  .union(
    [
      npnDigitsSchema,
      z.number().int({ error: expected }).min(1, { error: expected }).max(9_999_999_999, { error: expected }),
    ],
    { error: expected },
  )
  .transform(withoutLeadingZeros);

/** A national producer number in a path, where everything is a text. */
export const npnInPathSchema = npnDigitsSchema.transform(withoutLeadingZeros);

function withoutLeadingZeros(npn: string | number): string {
  return String(npn).replace(/^0+/, '');
}

const listError = `expected 1 to ${String(maxNpnsPerRequest)} NPNs`;

/** The NPNs of a request, each in its place, so that a failure can name them by it. */
export const npnPlacesSchema = z
  .array(z.unknown(), { error: listError })
  .min(1, { error: listError })
  .max(maxNpnsPerRequest, { error: listError })
  .transform((items, check) => {
    const npns: string[] = [];
    const malformed: number[] = [];
    for (const [index, item] of items.entries()) {
      const { success, data } = npnSchema.safeParse(item);
      if (success) npns.push(data);
      else malformed.push(index);
    }
    // The first ten: more help nobody. By their place, because what stands there may be anything, an SSN too.
    for (const index of malformed.slice(0, 10)) check.addIssue({ code: 'custom', path: [index], message: expected });
    return npns;
  });

/** The NPNs of a request; duplicates collapse, the first place counts. */
export const npnListSchema = npnPlacesSchema.transform((npns) => [...new Set(npns)]);
