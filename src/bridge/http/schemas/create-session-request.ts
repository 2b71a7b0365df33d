import { z } from 'zod';
import { stateCodes, type CreateSessionRequest } from '../../../contract/index.js';
import { partnerUrlSchema, plainText, stateCodeSchema } from './text.js';

const slugError = 'expected a lower-case word such as life_health';

/** A kind of application or license. The set of values is open. */
export const slugSchema = z.string({ error: slugError }).regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: slugError });

const statesError = `expected 1 to ${String(stateCodes.length)} state codes, each once`;
const states = z
  .array(stateCodeSchema, { error: statesError })
  .min(1, { error: statesError })
  .max(stateCodes.length, { error: statesError })
  .refine((codes) => new Set(codes).size === codes.length, { error: statesError })
  .meta({ uniqueItems: true });

/** Body of operation 18. */
export const createSessionRequestSchema = z.strictObject({
  userId: plainText(255),
  applicationType: slugSchema,
  licenseType: slugSchema,
  states,
  paymentMethod: z
    .enum(['user_pays', 'partner_billing'], { error: 'expected user_pays or partner_billing' })
    .meta({ default: 'user_pays' })
    .exactOptional(),
  returnUrl: partnerUrlSchema,
  webhookUrl: partnerUrlSchema.exactOptional(),
}) satisfies z.ZodType<CreateSessionRequest>;
