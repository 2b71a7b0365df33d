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
  type Subscription,
  type SubscriptionRequest,
  type SubscriptionTarget,
  type SubscriptionUpdate,
  type SubscriptionUpdateRequest,
  type TeamOnboardRequest,
} from '../../../contract/index.js';
import {
  emailSchema,
  npnPlacesSchema,
  npnSchema,
  phoneSchema,
  plainText,
  ssnSchema,
  stateCodeSchema,
} from '../../domain/values/values.js';
import type { EntriesOf } from './operation-entry.js';
import { exampleProducer, producerDetail, residencyStatus } from './producer-detail.js';
import { npn, queryParameters, timestamp } from './values.js';
import { characters } from '../../domain/limits/limits.js';

const plainOnboardRequest = z
  .strictObject({ npn: npnSchema, onboardType: z.enum(bulkOnboardTypes) })
  .meta({ id: 'PlainOnboardRequest' }) satisfies z.ZodType<PlainOnboardRequest>;

/** The fields of a team member in onboardProducer (operation 5). */
export const teamOnboardRequest = z
  .strictObject({
    npn: npnSchema,
    onboardType: z.literal('team'),
    paymentResponsibility: z.enum(paymentResponsibilities, {
      error: `expected ${paymentResponsibilities.join(' or ')}`,
    }),
    email: emailSchema,
    firstName: plainText(characters.name.max),
    lastName: plainText(characters.name.max),
    phone: phoneSchema.exactOptional(),
    gender: plainText(characters.gender.max).exactOptional(),
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
  .strictObject({ lastName: plainText(characters.name.max), ssn: ssnSchema })
  .meta({ id: 'NpnLookUpRequest' }) satisfies z.ZodType<NpnLookUpRequest>;

const npnLookUp = z
  .object({ message: z.string(), data: z.object({ npn }) })
  .meta({ id: 'NpnLookUp' }) satisfies z.ZodType<NpnLookUp>;

const subscriptionRequest = z
  .strictObject({ npns: npnPlacesSchema })
  .meta({ id: 'SubscriptionRequest' }) satisfies z.ZodType<SubscriptionRequest>;

const subscriptionTarget = z
  .object({ npn, addedAt: timestamp })
  .meta({ id: 'SubscriptionTarget' }) satisfies z.ZodType<SubscriptionTarget>;

const subscription = z
  .object({ agencyId: z.string(), npns: z.array(subscriptionTarget) })
  .meta({ id: 'Subscription' }) satisfies z.ZodType<Subscription>;

const subscriptionUpdateRequest = z
  .strictObject({ npn: npnSchema, reportDate: z.iso.date({ error: 'expected a day as YYYY-MM-DD' }) })
  .meta({ id: 'SubscriptionUpdateRequest' }) satisfies z.ZodType<SubscriptionUpdateRequest>;

const subscriptionUpdate = z
  .object({
    npn,
    reportDate: z.iso.date(),
    updatedAt: timestamp,
    changes: z.array(z.string()),
    producer: producerDetail,
  })
  .meta({ id: 'SubscriptionUpdate' }) satisfies z.ZodType<SubscriptionUpdate>;

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

  getSubscriptionUpdate: {
    tag: 'Subscriptions',
    description:
      'Answers with the most recent update up to and including the given day. An NPN without a subscription is 400, as is ' +
      'one without any update by that day.',
    body: subscriptionUpdateRequest,
    bodies: { 'Up to the first of March': { npn: '9000000001', reportDate: '2026-03-01' } },
    response: subscriptionUpdate,
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
    body: subscriptionRequest,
    bodies: { 'Two producers': { npns: ['9000000001', '9000000002'] } },
    response: subscription,
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
    body: subscriptionRequest,
    bodies: { 'One producer': { npns: ['9000000002'] } },
    response: subscription,
    answer: 'The removed targets.',
    answers: { removed: { agencyId, npns: [{ npn: '9000000002', addedAt }] } },
  },
} satisfies EntriesOf<
  'onboardProducer' | 'listActiveLicenses' | 'lookUpNpn' | 'getSubscriptionUpdate' | 'subscribe' | 'unsubscribe'
>;
