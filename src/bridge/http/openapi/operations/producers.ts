import { exampleProducer } from './example-producer.js';
import type { EntriesOf } from './operation-entry.js';

const agencyId = 'agc_5b6c7d8e9f';
const addedAt = '2026-03-02T09:40:00.000Z';

/** Operations 5 and 9 to 13. */
export const producerEntries = {
  onboardProducer: {
    tag: 'Producers',
    description:
      '`lookup` only reads and changes nothing. `subscribe` and `team` make the NPN a subscription target as well; the ' +
      'fields of a team member belong to `team` alone. An unknown NPN is 400. 403 means that the agency is deactivated or ' +
      'may not use this onboard type.',
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
    answer: 'What the registry holds about the producer.',
    answers: { producer: exampleProducer },
  },

  listActiveLicenses: {
    tag: 'Producers',
    description:
      'Covers the producers that the agency onboarded. The answer holds one record for each requested state, in the order ' +
      'of the request; a state without licenses has an empty list, and one that is named twice counts once.',
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
    description: 'No match is 400, and the answer does not tell which of the two values was wrong.',
    bodies: { 'By last name and SSN': { lastName: 'Sample', ssn: '000-12-3456' } },
    answer: 'The number that was found.',
    answers: { found: { message: 'A producer was found.', data: { npn: '9000000001' } } },
  },

  getSubscriptionUpdate: {
    tag: 'Subscriptions',
    description:
      'Answers with the most recent update up to and including the given day. An NPN without a subscription is 400, as is ' +
      'one without any update by that day.',
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
      'Takes up to 10,000 NPNs; one that no producer has is 400. Answers with those that the call touched, each with the ' +
      '`addedAt` of its first time.',
    bodies: { 'Two producers': { npns: ['9000000001', '9000000002'] } },
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
    bodies: { 'One producer': { npns: ['9000000002'] } },
    answer: 'The removed targets.',
    answers: { removed: { agencyId, npns: [{ npn: '9000000002', addedAt }] } },
  },
} satisfies EntriesOf<
  'onboardProducer' | 'listActiveLicenses' | 'lookUpNpn' | 'getSubscriptionUpdate' | 'subscribe' | 'unsubscribe'
>;
