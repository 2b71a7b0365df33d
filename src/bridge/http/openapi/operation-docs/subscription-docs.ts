import type { DocsOf } from './docs.js';
import { exampleProducer } from './example-producer.js';

const agencyId = 'agc_5b6c7d8e9f';
const addedAt = '2026-03-02T09:40:00.000Z';

/** Operations 11 to 13. */
export const subscriptionDocs: DocsOf<'getSubscriptionUpdate' | 'subscribe' | 'unsubscribe'> = {
  getSubscriptionUpdate: {
    tag: 'Subscriptions',
    description:
      'Answers with the most recent update up to and including the given day. An NPN without a subscription is 400, as is ' +
      'one without any update by that day.',
    answer: 'The update.',
    bodies: { 'Up to the first of March': { npn: '9000000001', reportDate: '2026-03-01' } },
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
    answer: 'The touched targets.',
    bodies: { 'Two producers': { npns: ['9000000001', '9000000002'] } },
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
    answer: 'The removed targets.',
    bodies: { 'One producer': { npns: ['9000000002'] } },
    answers: { removed: { agencyId, npns: [{ npn: '9000000002', addedAt }] } },
  },
};
