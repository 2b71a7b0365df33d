import { z } from 'zod';
import { webhookPreferences, type AccountUpdateRequest } from '../../../contract/index.js';
import { cleared, emailSchema, partnerUrlSchema } from './text.js';

/** Body of operation 2. */
export const updateAccountRequestSchema = z.strictObject({
  businessEmail: z.union([emailSchema, cleared], { error: 'expected an e-mail address, "" or null' }).exactOptional(),
  webhookPreference: z
    .enum(webhookPreferences, { error: `expected ${webhookPreferences.join(' or ')}` })
    .exactOptional(),
  webhookUrl: z
    .union([partnerUrlSchema, cleared], {
      error:
        'expected an https address in ASCII (or http on localhost in test mode) without user or password, "" or null',
    })
    .exactOptional(),
}) satisfies z.ZodType<AccountUpdateRequest>;
