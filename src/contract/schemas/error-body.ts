import { z } from 'zod';
import { failures } from '../index.js';

const codes = Object.values(failures).map(([code]) => code);

/** The error body of every failure of every route. */
export const errorBody = z
  .object({
    code: z
      .int()
      .min(Math.min(...codes))
      .max(Math.max(...codes))
      .describe('Stable catalogue number: HTTP status × 100 + a running number. See `failures`.'),
    details: z.string().describe('The path of the wrong field and the expectation; with 500, the id of the request.'),
    errorMessage: z.string().describe('A sentence for people.'),
  })
  .meta({ id: 'ErrorBody', description: 'The error body of every failure of every route.' });
