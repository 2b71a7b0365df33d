import { z } from 'zod';
import { applicationStatuses, type DecideStateRequest } from '../../../contract/index.js';
import { plainText } from './text.js';

/** Body of the test helper operation. */
export const decideStateRequestSchema = z.strictObject({
  status: z.enum(applicationStatuses, { error: `expected one of ${applicationStatuses.join(', ')}` }),
  reason: plainText(500).exactOptional(),
}) satisfies z.ZodType<DecideStateRequest>;
