import type { z } from 'zod';
import type { OperationId, OperationTypes } from '../../../contract/index.js';
import { createSessionRequestSchema } from './create-session-request.js';
import { decideStateRequestSchema } from './decide-state-request.js';
import { licensingProfileSchema } from './licensing-profile.js';
import { loginRequestSchema } from './login-request.js';
import {
  bulkOnboardRequestSchema,
  npnLookUpRequestSchema,
  producerOnboardRequestSchema,
} from './producer-onboard-request.js';
import { subscriptionRequestSchema, subscriptionUpdateRequestSchema } from './subscription-request.js';
import { territoryAssignRequestSchema } from './territory-assign-request.js';
import { updateAccountRequestSchema } from './update-account-request.js';

/** The schema of each operation's body; `undefined` where it takes none. */
export const bodySchemas = {
  login: loginRequestSchema,
  updateAccount: updateAccountRequestSchema,
  createAccountCredential: undefined,
  resetCredential: undefined,
  onboardProducer: producerOnboardRequestSchema,
  getBulkDetails: undefined,
  startBulkOnboarding: bulkOnboardRequestSchema,
  getBulkStatus: undefined,
  listActiveLicenses: undefined,
  lookUpNpn: npnLookUpRequestSchema,
  getSubscriptionUpdate: subscriptionUpdateRequestSchema,
  subscribe: subscriptionRequestSchema,
  unsubscribe: subscriptionRequestSchema,
  assignTerritory: territoryAssignRequestSchema,
  unassignTerritory: undefined,
  listTerritories: undefined,
  syncProfile: licensingProfileSchema,
  createSession: createSessionRequestSchema,
  getApplication: undefined,
  decideState: decideStateRequestSchema,
} satisfies {
  [Id in OperationId]: OperationTypes[Id]['body'] extends undefined ? undefined : z.ZodType<OperationTypes[Id]['body']>;
};

/** The body of each operation as its handler gets it: NPNs without leading zeros, SSNs without dashes. */
export type BodyOf<Id extends OperationId> = (typeof bodySchemas)[Id] extends z.ZodType
  ? z.output<(typeof bodySchemas)[Id]>
  : undefined;
