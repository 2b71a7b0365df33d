import { exampleProducer } from './example-producer.js';
import type { EntriesOf } from './operation-entry.js';

const agencyId = 'agc_5b6c7d8e9f';
const addedAt = '2026-03-02T09:40:00.000Z';

/** Operations 5 and 9 to 13. */
export const producerEntries = {
  onboardProducer: {
    tag: 'Producers',
    description:
      '`lookup` only reads. `subscribe` and `team` also subscribe to the NPN. The fields of a team member are ' +
      'allowed with `team` only. An unknown NPN is 400. 403: the agency is deactivated or has no right to this ' +
      'onboard type.',
    bodies: {
      'Read only': { npn: '9000000001', onboardType: 'lookup' },
      'A member of the team': {
        npn: '9000000001',
        onboardType: 'team',
        paymentResponsibility: 'agency',
        email: 'avery.sample@example.com',
        firstName: 'Avery',
        lastName: 'Sample',
        phone: '512-555-0142',
      },
    },
    answer: 'The data of the registry about the producer.',
    answers: { producer: exampleProducer },
  },

  listActiveLicenses: {
    tag: 'Producers',
    description:
      'Reads the producers that the agency onboarded. The response has one record for each requested state, in the ' +
      'order of the request. A state without licenses has an empty list. A state that is named twice counts once.',
    answer: 'One record for each requested state.',
    answers: {
      'Texas and California': [
        { state: 'TX', licenseInfo: [{ licenseNumber: '1000001', npn: '9000000001', residencyStatus: 'R' }] },
        { state: 'CA', licenseInfo: [] },
      ],
    },
  },

  lookUpNpn: {
    tag: 'Producers',
    description: 'Without a match the response is 400, and does not say which of the two values is wrong.',
    bodies: { 'By last name and SSN': { lastName: 'Sample', ssn: '000-12-3456' } },
    answer: 'The NPN of the match.',
    answers: { found: { message: 'A producer was found.', data: { npn: '9000000001' } } },
  },

  getSubscriptionUpdate: {
    tag: 'Subscriptions',
    description:
      'Reads the newest update on or before the given day. An NPN without a subscription, or without an update on ' +
      'or before that day, is 400.',
    bodies: { 'Up to the first of March': { npn: '9000000001', reportDate: '2026-03-01' } },
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
      'Accepts up to 10,000 NPNs. An unknown NPN is 400. The response lists the changed subscriptions, each with ' +
      'the time of its first subscription in `addedAt`.',
    bodies: { 'Two producers': { npns: ['9000000001', '9000000002'] } },
    answer: 'The changed subscriptions.',
    answers: {
      'Two subscriptions': {
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
      'A DELETE with a JSON body of up to 10,000 NPNs. The response lists the removed subscriptions, without the ' +
      'NPNs that were not subscribed.',
    bodies: { 'One producer': { npns: ['9000000002'] } },
    answer: 'The removed subscriptions.',
    answers: { removed: { agencyId, npns: [{ npn: '9000000002', addedAt }] } },
  },
} satisfies EntriesOf<
  'onboardProducer' | 'listActiveLicenses' | 'lookUpNpn' | 'getSubscriptionUpdate' | 'subscribe' | 'unsubscribe'
>;
