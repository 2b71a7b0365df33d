import { z } from 'zod';
import {
  bulkOnboardTypes,
  onboardTypes,
  paymentResponsibilities,
  type ActiveLicense,
  type ActiveLicenses,
  type NpnLookUp,
  type NpnLookUpRequest,
  type PlainOnboardRequest,
  type ProducerOnboardRequest,
  type TeamOnboardRequest,
} from '../../../contract/index.js';
import { emailSchema, npnSchema, phoneSchema, plainText, ssnSchema, stateCodeSchema } from '../../domain/values.js';
import type { EntriesOf } from './operation-entry.js';
import { queryParameters } from './parameters.js';
import { exampleProducer, producerDetail, residencyStatus } from './producer-detail.js';
import { npn } from './values.js';

const plainOnboardRequest = z
  .strictObject({ npn: npnSchema, onboardType: z.enum(bulkOnboardTypes) })
  .meta({ id: 'PlainOnboardRequest' }) satisfies z.ZodType<PlainOnboardRequest>;

/** What operation 5 takes for a member of the team. */
export const teamOnboardRequest = z
  .strictObject({
    npn: npnSchema,
    onboardType: z.literal('team'),
    paymentResponsibility: z.enum(paymentResponsibilities, {
      error: `expected ${paymentResponsibilities.join(' or ')}`,
    }),
    email: emailSchema,
    firstName: plainText(100),
    lastName: plainText(100),
    phone: phoneSchema.exactOptional(),
    gender: plainText(50).exactOptional(),
    ssn: ssnSchema.exactOptional(),
  })
  .meta({ id: 'TeamOnboardRequest' }) satisfies z.ZodType<TeamOnboardRequest>;

const producerOnboardRequest = z
  .discriminatedUnion('onboardType', [plainOnboardRequest, teamOnboardRequest], {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? `expected one of ${onboardTypes.join(', ')}`
        : 'expected an object',
  })
  .meta({
    id: 'ProducerOnboardRequest',
    type: 'object',
    discriminator: {
      propertyName: 'onboardType',
      mapping: {
        ...Object.fromEntries(bulkOnboardTypes.map((type) => [type, '#/$defs/PlainOnboardRequest'])),
        team: '#/$defs/TeamOnboardRequest',
      },
    },
  }) satisfies z.ZodType<ProducerOnboardRequest>;

const activeLicense = z
  .object({ licenseNumber: z.string(), npn, residencyStatus })
  .meta({ id: 'ActiveLicense' }) satisfies z.ZodType<ActiveLicense>;

const activeLicenses = z
  .object({ state: stateCodeSchema, licenseInfo: z.array(activeLicense) })
  .meta({ id: 'ActiveLicenses' }) satisfies z.ZodType<ActiveLicenses>;

const npnLookUpRequest = z
  .strictObject({ lastName: plainText(100), ssn: ssnSchema })
  .meta({ id: 'NpnLookUpRequest' }) satisfies z.ZodType<NpnLookUpRequest>;

const npnLookUp = z
  .object({ message: z.string(), data: z.object({ npn }) })
  .meta({ id: 'NpnLookUp' }) satisfies z.ZodType<NpnLookUp>;

/** Operations 5, 9 and 10. */
export const producerEntries = {
  onboardProducer: {
    tag: 'Producers',
    description:
      '`lookup` only reads and changes nothing. `subscribe` and `team` make the NPN a subscription target as well; the ' +
      'fields of a team member belong to `team` alone. An unknown NPN is 400. 403 means that the agency is deactivated or ' +
      'may not use this onboard type.',
    body: producerOnboardRequest,
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
    response: producerDetail,
    answer: 'What the registry holds about the producer.',
    answers: { producer: exampleProducer },
  },

  listActiveLicenses: {
    tag: 'Producers',
    description:
      'Covers the producers that the agency onboarded. The answer holds one record for each requested state, in the order ' +
      'of the request; a state without licenses has an empty list, and one that is named twice counts once.',
    query: z.object({ stateCode: queryParameters.stateCode }),
    response: activeLicenses.array(),
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
    body: npnLookUpRequest,
    bodies: { 'By last name and SSN': { lastName: 'Sample', ssn: '000-12-3456' } },
    response: npnLookUp,
    answer: 'The number that was found.',
    answers: { found: { message: 'A producer was found.', data: { npn: '9000000001' } } },
  },
} satisfies EntriesOf<'onboardProducer' | 'listActiveLicenses' | 'lookUpNpn'>;
