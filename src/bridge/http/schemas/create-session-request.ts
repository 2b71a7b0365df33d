import { z } from 'zod';
import { stateCodes, type CreateSessionRequest } from '../../../contract/index.js';
import { isPartnerUrl } from '../../domain/partner-url.js';
import { plainText, stateCodeSchema } from './text.js';

const slugError = 'expected a lower-case word such as life_health';
const slug = z.string({ error: slugError }).regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: slugError });

const statesError = `expected 1 to ${String(stateCodes.length)} state codes, each once`;
const states = z
  .array(stateCodeSchema, { error: statesError })
  .min(1, { error: statesError })
  .max(stateCodes.length, { error: statesError })
  .refine((codes) => new Set(codes).size === codes.length, { error: statesError });

const urlError = 'expected an https address (or http on localhost in test mode) without user or password';
const partnerUrl = z.string({ error: urlError }).refine(isPartnerUrl, { error: urlError });

/** The partner's own id for a user, in bodies and paths. */
export const userIdSchema = plainText(255);

/** Body of operation 18. */
export const createSessionRequestSchema = z.strictObject({
  userId: userIdSchema,
  applicationType: slug,
  licenseType: slug,
  states,
  paymentMethod: z
    .enum(['user_pays', 'partner_billing'], { error: 'expected user_pays or partner_billing' })
    .exactOptional(),
  returnUrl: partnerUrl,
  webhookUrl: partnerUrl.exactOptional(),
}) satisfies z.ZodType<CreateSessionRequest>;
