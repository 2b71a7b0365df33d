import type { DocsOf } from './docs.js';
import { exampleProducer } from './example-producer.js';

/** Operations 5, 9 and 10. */
export const producerDocs: DocsOf<'onboardProducer' | 'listActiveLicenses' | 'lookUpNpn'> = {
  onboardProducer: {
    tag: 'Producers',
    description:
      '`lookup` only reads and changes nothing. `subscribe` and `team` make the NPN a subscription target as well; the ' +
      'fields of a team member belong to `team` alone. An unknown NPN is 400. 403 means that the agency is deactivated or ' +
      'may not use this onboard type.',
    answer: 'What the registry holds about the producer.',
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
    answers: { producer: exampleProducer },
  },

  listActiveLicenses: {
    tag: 'Producers',
    description:
      'Covers the producers that the agency onboarded. The answer holds one record for each requested state, in the order ' +
      'of the request; a state without licenses has an empty list, and one that is named twice counts once.',
    answer: 'One record for each requested state.',
    bodies: {},
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
    answer: 'The number that was found.',
    bodies: { 'By last name and SSN': { lastName: 'Sample', ssn: '000-12-3456' } },
    answers: { found: { message: 'A producer was found.', data: { npn: '9000000001' } } },
  },
};
