import type { ProducerDetail } from '../../../src/contract/index.js';

/** A producer with at least one of everything, as this bridge returns it. */
export const producerBody: ProducerDetail = {
  id: 'prd_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  isBetaResponse: false,
  transactionType: 'Individual',
  biographic: {
    companyName: '',
    dateOfBirth: '01/02/1980',
    fein: '',
    firstName: 'Avery',
    lastName: 'Sample',
    middleName: '',
    npn: '9000000001',
    otherNames: [{ state: 'TX', firstName: 'Avery', lastName: 'Specimen', middleName: '', nameType: 'Alias' }],
    stateCoID: '',
    stateDomicile: 'TX',
    suffix: '',
  },
  clearanceCertificationInfo: '',
  nasdExamDetails: '',
  addresses: [
    {
      state: 'TX',
      addresses: [
        {
          ...{ addressLine1: '1 Example Street', addressLine2: '', addressLine3: '', addressType: 'Business' },
          ...{ addressTypeCode: 1, city: 'Austin', country: 'USA', lastUpdatedDate: '01/02/2020', state: 'TX' },
          ...{ zip: '78701' },
        },
      ],
    },
  ],
  contactInfos: [
    {
      state: 'TX',
      contactInfo: [
        {
          businessEmail: 'avery.sample@agency.example',
          businessEmailLastUpdatedDate: '01/02/2020',
          businessPhone: '5125550100',
          businessPhoneLastUpdatedDate: '01/02/2020',
        },
      ],
    },
  ],
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
      licenses: [
        {
          licenseNumber: '1000001',
          lastUpdatedDate: '01/02/2020',
          licenseOriginalIssueDate: '01/02/2010',
          licenseExpiryDate: '01/31/2028',
          licenseClass: 'General Lines Agent',
          licenseClassCode: 12,
          residencyStatus: 'R',
          active: true,
          details: [
            {
              ...{ loa: 'Life', loaCode: 16, authorityIssueDate: '01/02/2010', ceCompliance: 'Compliant' },
              ...{ ceCreditsNeeded: 4, ceRenewalDate: '01/31/2028', status: 'Active', statusReason: 'Licensed' },
              ...{ statusReasonDate: '01/02/2010' },
            },
          ],
        },
      ],
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
