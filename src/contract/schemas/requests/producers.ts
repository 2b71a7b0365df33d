import { z } from 'zod';
import { bulkOnboardTypes, onboardTypes, paymentResponsibilities, textLimits } from '../../index.js';
import { activeLicensesQuery, bulkDetailsQuery, territoriesQuery } from './parameters.js';
import { emailSchema, npnListSchema, npnPlacesSchema, npnSchema, phoneSchema, plainText, ssnSchema } from './values.js';

const plainOnboardRequest = z
  .strictObject({
    npn: npnSchema.describe('National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.'),
    onboardType: z.enum(bulkOnboardTypes).describe('The action.'),
  })
  .meta({
    id: 'PlainOnboardRequest',
    description: 'Body of onboardProducer (operation 5) for `lookup`, which changes nothing, and `subscribe`.',
  });

const teamOnboardRequest = z
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

const npnLookUpRequest = z
  .strictObject({
    lastName: plainText(textLimits.name.max).describe('Family name; upper and lower case are the same.'),
    ssn: ssnSchema.describe('Social security number: nine digits, or 3-2-4 with dashes.'),
  })
  .meta({
    id: 'NpnLookUpRequest',
    description: 'Body of lookUpNpn (operation 10).',
  });

const subscriptionRequest = z
  .strictObject({ npns: npnPlacesSchema.describe('1–10,000 national producer numbers, as strings or numbers.') })
  .meta({
    id: 'SubscriptionRequest',
    description: 'Body of operations 12 and 13.',
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

const bulkOnboardRequest = z
  .strictObject({
    npn: npnListSchema.describe('1–10,000 national producer numbers, as strings or numbers; duplicates count once.'),
    onboardType: z
      .enum(bulkOnboardTypes, { error: `expected ${bulkOnboardTypes.join(' or ')}` })
      .describe('The action for each producer.'),
  })
  .meta({
    id: 'BulkOnboardRequest',
    description: 'Body of startBulkOnboarding (operation 7).',
  });

const territoryAssignRequest = z
  .strictObject({ territoryId: plainText(textLimits.id.max).describe('A territory of the agency.') })
  .meta({
    id: 'TerritoryAssignRequest',
    description: 'Body of assignTerritory (operation 14).',
  });

/** The requests of operations 5 to 16. */
export const producerRequests = {
  onboardProducer: { body: producerOnboardRequest },
  getBulkDetails: { query: bulkDetailsQuery },
  startBulkOnboarding: { body: bulkOnboardRequest },
  listActiveLicenses: { query: activeLicensesQuery },
  lookUpNpn: { body: npnLookUpRequest },
  getSubscriptionUpdate: { body: subscriptionUpdateRequest },
  subscribe: { body: subscriptionRequest },
  unsubscribe: { body: subscriptionRequest },
  assignTerritory: { body: territoryAssignRequest },
  listTerritories: { query: territoriesQuery },
};
