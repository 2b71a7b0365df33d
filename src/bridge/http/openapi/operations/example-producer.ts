import type { LicenseInfo, ProducerDetail } from '../../../../contract/index.js';

const texasLicenses: LicenseInfo = {
  state: 'TX',
  licenses: [
    {
      licenseNumber: '1000001',
      lastUpdatedDate: '01/15/2026',
      licenseOriginalIssueDate: '02/01/2020',
      licenseExpiryDate: '01/31/2028',
      licenseClass: 'General Lines Agent',
      licenseClassCode: 12,
      residencyStatus: 'R',
      active: true,
      details: [
        {
          loa: 'Life',
          loaCode: 16,
          authorityIssueDate: '02/01/2020',
          ceCompliance: 'Yes',
          ceCreditsNeeded: 0,
          ceRenewalDate: '01/31/2028',
          status: 'Active',
          statusReason: '',
          statusReasonDate: '02/01/2020',
        },
      ],
    },
  ],
  appointments: [
    {
      companyName: 'Fictional Mutual Insurance Company',
      coCode: '99901',
      fein: '00-0000001',
      loa: 'Life',
      loaCode: 16,
      status: 'Appointed',
      agencyAffiliations: '',
      appointRenewalDate: '12/31/2026',
      branchID: '',
      county: '',
      statusReasonDate: '03/01/2020',
      terminationReason: '',
    },
  ],
};

/** The fictional producer of all examples. */
export const exampleProducer: ProducerDetail = {
  id: 'prd_7c6b5a49',
  createdAt: '2026-01-10T08:00:00.000Z',
  updatedAt: '2026-02-27T04:00:00.000Z',
  isBetaResponse: false,
  transactionType: 'Individual',
  biographic: {
    companyName: '',
    dateOfBirth: '04/12/1988',
    fein: '',
    firstName: 'Avery',
    lastName: 'Sample',
    middleName: 'Q',
    npn: '9000000001',
    otherNames: [],
    stateCoID: '00417',
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
          addressLine1: '100 Example Street',
          addressLine2: 'Suite 4',
          addressLine3: '',
          addressType: 'Business',
          addressTypeCode: 1,
          city: 'Sampleton',
          country: 'USA',
          lastUpdatedDate: '01/15/2026',
          state: 'TX',
          zip: '75001',
        },
      ],
    },
  ],
  contactInfos: [
    {
      state: 'TX',
      contactInfo: [
        {
          businessEmail: 'avery.sample@example.com',
          businessEmailLastUpdatedDate: '02/27/2026',
          businessPhone: '512-555-0142',
          businessPhoneLastUpdatedDate: '02/27/2026',
        },
      ],
    },
  ],
  regulatoryActions: [
    {
      state: 'CA',
      regulatoryAction: {
        actionId: '55001',
        dateOfAction: '06/01/2021',
        disposition: 'Closed',
        effectiveDate: '06/15/2021',
        enterDate: '06/20/2021',
        fileRef: 'EX-2021-17',
        lengthOfOrder: '',
        originOfAction: 'Example origin',
        penaltyFineForfeiture: '250.00',
        reasonForAction: 'Example reason',
      },
    },
  ],
  licenseInformation: [texasLicenses],
};
