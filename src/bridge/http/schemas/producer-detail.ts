import { z } from 'zod';
import {
  appointmentStatuses,
  loaStatuses,
  type Address,
  type AddressStateGroup,
  type Appointment,
  type Biographic,
  type Contact,
  type ContactStateGroup,
  type License,
  type LicenseDetail,
  type LicenseInfo,
  type ProducerDetail,
  type RegulatoryAction,
  type StateAlias,
  type StateRegulatoryAction,
} from '../../../contract/index.js';
import { producerShape } from '../../../contract/schemas/index.js';
import { npn, producerDate, timestamp } from './values.js';

const shape = producerShape({ text: z.string(), day: producerDate, whole: z.int() });

const stateAlias = z
  .object({ state: z.string(), ...shape.alias })
  .meta({ id: 'StateAlias' }) satisfies z.ZodType<StateAlias>;

const biographic = z
  .object({ ...shape.biographic, npn, otherNames: z.array(stateAlias) })
  .meta({ id: 'Biographic' }) satisfies z.ZodType<Biographic>;

const address = z.object(shape.address).meta({ id: 'Address' }) satisfies z.ZodType<Address>;

const addressStateGroup = z
  .object({ state: z.string(), addresses: z.array(address) })
  .meta({ id: 'AddressStateGroup' }) satisfies z.ZodType<AddressStateGroup>;

const contact = z.object(shape.contact).meta({ id: 'Contact' }) satisfies z.ZodType<Contact>;

const contactStateGroup = z
  .object({ state: z.string(), contactInfo: z.array(contact) })
  .meta({ id: 'ContactStateGroup' }) satisfies z.ZodType<ContactStateGroup>;

const regulatoryAction = z
  .object(shape.regulatoryAction)
  .meta({ id: 'RegulatoryAction' }) satisfies z.ZodType<RegulatoryAction>;

const stateRegulatoryAction = z
  .object({ state: z.string(), regulatoryAction })
  .meta({ id: 'StateRegulatoryAction' }) satisfies z.ZodType<StateRegulatoryAction>;

/** Whether a state is the home state. */
export const residencyStatus = z
  .enum(['R', 'NR'])
  .meta({ id: 'ResidencyStatus', description: '`R` is resident, `NR` is non-resident.' });

const licenseDetail = z
  .object({ ...shape.licenseDetail, status: z.enum(loaStatuses) })
  .meta({ id: 'LicenseDetail' }) satisfies z.ZodType<LicenseDetail>;

const license = z
  .object({ ...shape.license, residencyStatus, active: z.boolean(), details: z.array(licenseDetail) })
  .meta({ id: 'License' }) satisfies z.ZodType<License>;

const appointment = z
  .object({ ...shape.appointment, status: z.enum(appointmentStatuses) })
  .meta({ id: 'Appointment' }) satisfies z.ZodType<Appointment>;

const licenseInfo = z
  .object({ state: z.string(), licenses: z.array(license), appointments: z.array(appointment) })
  .meta({ id: 'LicenseInfo' }) satisfies z.ZodType<LicenseInfo>;

/** The response of onboardProducer (operation 5), and the producers of operations 6 and 11. */
export const producerDetail = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    isBetaResponse: z.boolean(),
    transactionType: z.string(),
    biographic,
    clearanceCertificationInfo: z.string(),
    nasdExamDetails: z.string(),
    addresses: z.array(addressStateGroup),
    contactInfos: z.array(contactStateGroup),
    regulatoryActions: z.array(stateRegulatoryAction),
    licenseInformation: z.array(licenseInfo),
  })
  .meta({ id: 'ProducerDetail' }) satisfies z.ZodType<ProducerDetail>;

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
