import type { z } from 'zod';
import type { OperationId, OperationTypes } from '../../../contract/index.js';
import { createSessionRequestSchema } from './create-session-request.js';
import { decideStateRequestSchema } from './decide-state-request.js';
import { licensingProfileSchema } from './licensing-profile.js';
import { loginRequestSchema } from './login-request.js';

/** The schema of each operation's body; `undefined` where it takes none. */
export const bodySchemas: {
  [Id in OperationId]: OperationTypes[Id]['body'] extends undefined ? undefined : z.ZodType<OperationTypes[Id]['body']>;
} = {
  login: loginRequestSchema,
  createAccountCredential: undefined,
  syncProfile: licensingProfileSchema,
  createSession: createSessionRequestSchema,
  getApplication: undefined,
  decideState: decideStateRequestSchema,
};
