import { z } from 'zod';
import { bulkOnboardTypes, textLimits, onboardTypes, paymentResponsibilities } from '../index.js';
import { producerDetail, residencyStatus } from './producer-detail.js';
import {
  emailSchema,
  npn,
  npnPlacesSchema,
  npnSchema,
  phoneSchema,
  plainText,
  ssnSchema,
  stateCodeSchema,
  timestamp,
} from './values.js';
import { activeLicensesQuery } from './parameters.js';

const plainOnboardRequest = z
  .strictObject({
    npn: npnSchema.describe('National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.'),
    onboardType: z.enum(bulkOnboardTypes).describe('The action.'),
  })
  .meta({
    id: 'PlainOnboardRequest',
    description: 'Body of onboardProducer (operation 5) for `lookup`, which changes nothing, and `subscribe`.',
  });

/** The fields of a team member in onboardProducer (operation 5). */
export const teamOnboardRequest = z
  .strictObject({
    npn: npnSchema.describe('National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.'),
    onboardType: z.literal('team').describe('The action.'),
    paymentResponsibility: z
      .enum(paymentResponsibilities, {
        error: `expected ${paymentResponsibilities.join(' or ')}`,
      })
      .describe('The payer of the fees.'),
    email: emailSchema.describe('E-mail address.'),
    firstName: plainText(textLimits.name.max).describe('Given name.'),
    lastName: plainText(textLimits.name.max).describe('Family name.'),
    phone: phoneSchema.exactOptional().describe('Phone number, in any usual form.'),
    gender: plainText(textLimits.gender.max).exactOptional().describe('As the producer states it.'),
    ssn: ssnSchema
      .exactOptional()
      .describe('Nine digits, or 3-2-4 with dashes. Compared with the registry, never stored and never answered.'),
  })
  .meta({
    id: 'TeamOnboardRequest',
    description: 'Body of onboardProducer (operation 5) for `team`.',
  });

const producerOnboardRequest = z
  .discriminatedUnion('onboardType', [plainOnboardRequest, teamOnboardRequest], {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? `expected one of ${onboardTypes.join(', ')}`
        : 'expected an object',
  })
  .meta({
    id: 'ProducerOnboardRequest',
    description:
      'Body of onboardProducer (operation 5). The fields of a team member belong to the onboard type `team` alone.',
    type: 'object',
    discriminator: {
      propertyName: 'onboardType',
      mapping: {
        ...Object.fromEntries(bulkOnboardTypes.map((type) => [type, '#/$defs/PlainOnboardRequest'])),
        team: '#/$defs/TeamOnboardRequest',
      },
    },
  });

const activeLicense = z
  .object({
    licenseNumber: z.string().describe("The state's number of the license."),
    npn: npn.describe('The producer of the license.'),
    residencyStatus: residencyStatus.describe("Whether the state is the producer's home state."),
  })
  .meta({ id: 'ActiveLicense', description: 'An active license.' });

const activeLicenses = z
  .object({
    state: stateCodeSchema.describe('State code in upper case.'),
    licenseInfo: z.array(activeLicense).describe('The licenses; empty where there is none.'),
  })
  .meta({
    id: 'ActiveLicenses',
    description:
      'One item of the response of listActiveLicenses (operation 9): the active licenses in one state of the onboarded producers.',
  });

const npnLookUpRequest = z
  .strictObject({
    lastName: plainText(textLimits.name.max).describe('Family name; upper and lower case are the same.'),
    ssn: ssnSchema.describe('Social security number: nine digits, or 3-2-4 with dashes.'),
  })
  .meta({
    id: 'NpnLookUpRequest',
    description: 'Body of lookUpNpn (operation 10).',
  });

const npnLookUp = z
  .object({
    message: z.string().describe('One sentence for people.'),
    data: z
      .object({ npn: npn.describe('National producer number without leading zeros.') })
      .describe('The producer that was found.'),
  })
  .meta({ id: 'NpnLookUp', description: 'Response of lookUpNpn (operation 10).' });

const subscriptionRequest = z
  .strictObject({ npns: npnPlacesSchema.describe('1–10,000 national producer numbers, as texts or numbers.') })
  .meta({
    id: 'SubscriptionRequest',
    description: 'Body of operations 12 and 13.',
  });

const subscriptionTarget = z
  .object({
    npn: npn.describe('National producer number without leading zeros.'),
    addedAt: timestamp.describe('The time of the first addition, ISO 8601 in UTC.'),
  })
  .meta({ id: 'SubscriptionTarget', description: 'A subscribed NPN.' });

const subscription = z
  .object({
    agencyId: z.string().describe('The agency of the subscriptions.'),
    npns: z.array(subscriptionTarget).describe('The NPNs, in the order of the request.'),
  })
  .meta({
    id: 'Subscription',
    description: 'Response of operations 12 and 13: the subscriptions that the call changed.',
  });

const subscriptionUpdateRequest = z
  .strictObject({
    npn: npnSchema.describe('A subscribed national producer number.'),
    reportDate: z.iso.date({ error: 'expected a day as YYYY-MM-DD' }).describe('A day as `YYYY-MM-DD`.'),
  })
  .meta({
    id: 'SubscriptionUpdateRequest',
    description: 'Body of getSubscriptionUpdate (operation 11).',
  });

const subscriptionUpdate = z
  .object({
    npn: npn.describe('National producer number without leading zeros.'),
    reportDate: z.iso.date().describe('The requested day, unchanged.'),
    updatedAt: timestamp.describe('The time of the update, ISO 8601 in UTC.'),
    changes: z.array(z.string()).describe('The changed sections of `producer`, such as `licenseInformation`.'),
    producer: producerDetail.describe('The producer as of that update.'),
  })
  .meta({
    id: 'SubscriptionUpdate',
    description: 'Response of getSubscriptionUpdate (operation 11): the newest update on or before a day.',
  });

/** The requests and responses of operations 5 and 9 to 13. */
export const producerSchemas = {
  onboardProducer: { body: producerOnboardRequest, response: producerDetail },
  listActiveLicenses: { query: activeLicensesQuery, response: activeLicenses.array() },
  lookUpNpn: { body: npnLookUpRequest, response: npnLookUp },
  getSubscriptionUpdate: { body: subscriptionUpdateRequest, response: subscriptionUpdate },
  subscribe: { body: subscriptionRequest, response: subscription },
  unsubscribe: { body: subscriptionRequest, response: subscription },
};
