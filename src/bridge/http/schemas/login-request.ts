import { z } from 'zod';
import type { LoginRequest } from '../../../contract/index.js';
import { plainText } from './text.js';

/** Body of operation 1. */
export const loginRequestSchema = z.strictObject({
  clientId: plainText(255),
  clientSecret: plainText(255).meta({ format: 'password', writeOnly: true }),
}) satisfies z.ZodType<LoginRequest>;
