import { z } from 'zod';
import type { SubscriptionRequest, SubscriptionUpdateRequest } from '../../../contract/index.js';
import { npnPlacesSchema, npnSchema } from './npn.js';

/** Body of operations 12 and 13. */
export const subscriptionRequestSchema = z.strictObject({
  npns: npnPlacesSchema,
}) satisfies z.ZodType<SubscriptionRequest>;

const dayError = 'expected a day as YYYY-MM-DD';

/** Body of operation 11. */
export const subscriptionUpdateRequestSchema = z.strictObject({
  npn: npnSchema,
  reportDate: z.iso.date({ error: dayError }),
}) satisfies z.ZodType<SubscriptionUpdateRequest>;
