import { z } from 'zod';
import { failures, type ErrorBody } from '../../../../contract/index.js';

const codes = Object.values(failures).map(([code]) => code);

/** The one shape of every failure. */
export const errorBody = z.object({
  code: z
    .int()
    .min(Math.min(...codes))
    .max(50_099),
  details: z.string(),
  errorMessage: z.string(),
}) satisfies z.ZodType<ErrorBody>;
