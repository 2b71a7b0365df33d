import { z } from 'zod';
import type { Subscription, SubscriptionTarget, SubscriptionUpdate } from '../../../../contract/index.js';
import { producerDetail } from './producer.js';
import { npn, timestamp } from './values.js';

/** An NPN whose updates an agency follows. */
export const subscriptionTarget = z.object({ npn, addedAt: timestamp }) satisfies z.ZodType<SubscriptionTarget>;

/** Answer of operations 12 and 13. */
export const subscription = z.object({
  agencyId: z.string(),
  npns: z.array(subscriptionTarget),
}) satisfies z.ZodType<Subscription>;

/** Answer of operation 11. */
export const subscriptionUpdate = z.object({
  npn,
  reportDate: z.iso.date(),
  updatedAt: timestamp,
  changes: z.array(z.string()),
  producer: producerDetail,
}) satisfies z.ZodType<SubscriptionUpdate>;
