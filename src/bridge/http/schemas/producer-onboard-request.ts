import { z } from 'zod';
import {
  bulkOnboardTypes,
  onboardTypes,
  paymentResponsibilities,
  type BulkOnboardRequest,
  type NpnLookUpRequest,
  type ProducerOnboardRequest,
} from '../../../contract/index.js';
import { npnListSchema, npnSchema } from './npn.js';
import { emailSchema, phoneSchema, plainText, ssnSchema } from './text.js';

/** Body of operation 5 for the types that need nothing further. */
export const plainOnboardRequestSchema = z.strictObject({ npn: npnSchema, onboardType: z.enum(bulkOnboardTypes) });

/** Body of operation 5 for a member of the team. */
export const teamOnboardRequestSchema = z.strictObject({
  npn: npnSchema,
  onboardType: z.literal('team'),
  paymentResponsibility: z.enum(paymentResponsibilities, { error: `expected ${paymentResponsibilities.join(' or ')}` }),
  email: emailSchema,
  firstName: plainText(100),
  lastName: plainText(100),
  phone: phoneSchema.exactOptional(),
  gender: plainText(50).exactOptional(),
  ssn: ssnSchema.exactOptional(),
});

/** Body of operation 5. */
export const producerOnboardRequestSchema = z.discriminatedUnion(
  'onboardType',
  [plainOnboardRequestSchema, teamOnboardRequestSchema],
  {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? `expected one of ${onboardTypes.join(', ')}`
        : 'expected an object',
  },
) satisfies z.ZodType<ProducerOnboardRequest>;

/** Body of operation 7. */
export const bulkOnboardRequestSchema = z.strictObject({
  npn: npnListSchema,
  onboardType: z.enum(bulkOnboardTypes, { error: `expected ${bulkOnboardTypes.join(' or ')}` }),
}) satisfies z.ZodType<BulkOnboardRequest>;

/** Body of operation 10. */
export const npnLookUpRequestSchema = z.strictObject({
  lastName: plainText(100),
  ssn: ssnSchema,
}) satisfies z.ZodType<NpnLookUpRequest>;
