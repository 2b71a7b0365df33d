import type { ProducerDetail } from '../../../src/contract/index.js';
import { sampleLicense, sampleProducer } from '../../support/sample-producer.js';

const { npn: _, ...stored } = sampleProducer('9000000001');

/** A producer with at least one of everything, as this bridge returns it. */
export const producerBody: ProducerDetail = {
  id: 'prd_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  ...stored,
  biographic: {
    ...stored.biographic,
    otherNames: [{ state: 'TX', firstName: 'Avery', lastName: 'Specimen', middleName: '', nameType: 'Alias' }],
  },
  regulatoryActions: [
    {
      state: 'TX',
      regulatoryAction: {
        ...{ actionId: '7', dateOfAction: '01/02/2019', disposition: 'Fine', effectiveDate: '01/02/2019' },
        ...{ enterDate: '01/03/2019', fileRef: 'A-7', lengthOfOrder: '', originOfAction: 'Complaint' },
        ...{ penaltyFineForfeiture: '100.00', reasonForAction: 'Late filing' },
      },
    },
  ],
  licenseInformation: [
    {
      state: 'TX',
      licenses: [sampleLicense('1000001')],
      appointments: [
        {
          ...{ companyName: 'Example Mutual', coCode: '12345', fein: '000000001', loa: 'Life', loaCode: 16 },
          ...{ status: 'Appointed', agencyAffiliations: '', appointRenewalDate: '01/31/2028', branchID: '' },
          ...{ county: '', statusReasonDate: '01/02/2010', terminationReason: '' },
        },
      ],
    },
  ],
};
