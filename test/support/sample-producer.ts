import type { License } from '../../src/contract/index.js';
import { emptyProducer, type ProducerRecord } from '../../src/bridge/registry/producer-record.js';
import type { StoredProducer } from '../../src/bridge/store/tables/producer-tables.js';

/** A complete record of a synthetic producer, like an imported one. */
export type SampleProducer = StoredProducer & ProducerRecord;

/**
 * A producer with a resident license in Texas, a non-resident one in California and no SSN;
 * sections can be replaced.
 */
export function sampleProducer(npn: string, overrides: Partial<SampleProducer> = {}): SampleProducer {
  const date = '01/02/2024';
  const address = { addressLine1: '100 Example Street', addressLine2: '', addressLine3: '', country: 'USA' };
  return {
    ...emptyProducer(),
    npn,
    transactionType: 'Individual',
    biographic: {
      ...emptyProducer().biographic,
      npn,
      firstName: 'Sample',
      lastName: `Producer ${npn}`,
      dateOfBirth: '04/12/1988',
      stateDomicile: 'TX',
    },
    addresses: [
      {
        state: 'TX',
        addresses: [
          {
            ...address,
            addressType: 'Business',
            addressTypeCode: 1,
            city: 'Sampleton',
            lastUpdatedDate: date,
            state: 'TX',
            zip: '75000',
          },
        ],
      },
    ],
    contactInfos: [
      {
        state: 'TX',
        contactInfo: [
          {
            businessEmail: `producer-${npn}@example.com`,
            businessEmailLastUpdatedDate: date,
            businessPhone: '512-555-0100',
            businessPhoneLastUpdatedDate: date,
          },
        ],
      },
    ],
    licenseInformation: [
      { state: 'TX', licenses: [sampleLicense(`TX${npn}`)], appointments: [] },
      { state: 'CA', licenses: [sampleLicense(`CA${npn}`, { residencyStatus: 'NR' })], appointments: [] },
    ],
    ...overrides,
  };
}

/** An active resident license for life insurance; fields can be replaced. */
export function sampleLicense(licenseNumber: string, overrides: Partial<License> = {}): License {
  const date = '01/02/2024';
  return {
    licenseNumber,
    lastUpdatedDate: date,
    licenseOriginalIssueDate: date,
    licenseExpiryDate: '01/31/2028',
    licenseClass: 'Insurance Producer',
    licenseClassCode: 1,
    residencyStatus: 'R',
    active: true,
    details: [
      {
        loa: 'Life',
        loaCode: 16,
        authorityIssueDate: date,
        ceCompliance: '',
        ceCreditsNeeded: 0,
        ceRenewalDate: '',
        status: 'Active',
        statusReason: '',
        statusReasonDate: date,
      },
    ],
    ...overrides,
  };
}
