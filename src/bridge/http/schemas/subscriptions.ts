import { z } from 'zod';
import type {
  Subscription,
  SubscriptionRequest,
  SubscriptionTarget,
  SubscriptionUpdate,
  SubscriptionUpdateRequest,
} from '../../../contract/index.js';
import { npnPlacesSchema, npnSchema } from '../../domain/values.js';
import type { EntriesOf } from './operation-entry.js';
import { exampleProducer, producerDetail } from './producer-detail.js';
import { npn, timestamp } from './values.js';

const subscriptionRequest = z
  .strictObject({ npns: npnPlacesSchema })
  .meta({ id: 'SubscriptionRequest' }) satisfies z.ZodType<SubscriptionRequest>;

const subscriptionTarget = z
  .object({ npn, addedAt: timestamp })
  .meta({ id: 'SubscriptionTarget' }) satisfies z.ZodType<SubscriptionTarget>;

const subscription = z
  .object({ agencyId: z.string(), npns: z.array(subscriptionTarget) })
  .meta({ id: 'Subscription' }) satisfies z.ZodType<Subscription>;

const subscriptionUpdateRequest = z
  .strictObject({ npn: npnSchema, reportDate: z.iso.date({ error: 'expected a day as YYYY-MM-DD' }) })
  .meta({ id: 'SubscriptionUpdateRequest' }) satisfies z.ZodType<SubscriptionUpdateRequest>;

const subscriptionUpdate = z
  .object({
    npn,
    reportDate: z.iso.date(),
    updatedAt: timestamp,
    changes: z.array(z.string()),
    producer: producerDetail,
  })
  .meta({ id: 'SubscriptionUpdate' }) satisfies z.ZodType<SubscriptionUpdate>;

const agencyId = 'agc_5b6c7d8e9f';
const addedAt = '2026-03-02T09:40:00.000Z';

/** Operations 11 to 13. */
export const subscriptionEntries = {
  getSubscriptionUpdate: {
    tag: 'Subscriptions',
    description:
      'Answers with the most recent update up to and including the given day. An NPN without a subscription is 400, as is ' +
      'one without any update by that day.',
    body: subscriptionUpdateRequest,
    bodies: { 'Up to the first of March': { npn: '9000000001', reportDate: '2026-03-01' } },
    response: subscriptionUpdate,
    answer: 'The update.',
    answers: {
      update: {
        npn: '9000000001',
        reportDate: '2026-03-01',
        updatedAt: '2026-02-27T04:00:00.000Z',
        changes: ['contactInfos'],
        producer: exampleProducer,
      },
    },
  },

  subscribe: {
    tag: 'Subscriptions',
    description:
      'Takes up to 10,000 NPNs; one that no producer has is 400. Answers with those that the call touched, each with the ' +
      '`addedAt` of its first time.',
    body: subscriptionRequest,
    bodies: { 'Two producers': { npns: ['9000000001', '9000000002'] } },
    response: subscription,
    answer: 'The touched targets.',
    answers: {
      touched: {
        agencyId,
        npns: [
          { npn: '9000000001', addedAt },
          { npn: '9000000002', addedAt },
        ],
      },
    },
  },

  unsubscribe: {
    tag: 'Subscriptions',
    description:
      'A DELETE that carries a JSON body, with up to 10,000 NPNs. Answers with those that the call removed; one that was ' +
      'not subscribed is left out.',
    body: subscriptionRequest,
    bodies: { 'One producer': { npns: ['9000000002'] } },
    response: subscription,
    answer: 'The removed targets.',
    answers: { removed: { agencyId, npns: [{ npn: '9000000002', addedAt }] } },
  },
} satisfies EntriesOf<'getSubscriptionUpdate' | 'subscribe' | 'unsubscribe'>;
