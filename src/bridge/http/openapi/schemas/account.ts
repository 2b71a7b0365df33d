import { z } from 'zod';
import {
  webhookPreferences,
  type Account,
  type AgencyCredential,
  type CredentialReset,
  type LoginResponse,
} from '../../../../contract/index.js';
import { empty, timestamp } from './values.js';

/** Answer of operation 1: closed, because the spec shows no other key. */
export const loginResponse = z.strictObject({ accessToken: z.string() }) satisfies z.ZodType<LoginResponse>;

/** Answer of operation 2. */
export const account = z.object({
  businessEmail: z.string(),
  preference: z.enum(webhookPreferences),
  userId: z.string(),
  webhookUrl: z.string(),
}) satisfies z.ZodType<Account>;

/** Answer of operation 3. */
export const agencyCredential = z.object({
  agencyId: z.string(),
  agencyName: z.string(),
  clientId: z.string(),
  createdAt: timestamp,
  deactivatedAt: z.union([timestamp, empty]),
  id: z.string(),
  isActive: z.boolean(),
  liveClientSecret: z.string(),
  testClientSecret: z.string(),
  updatedAt: timestamp,
}) satisfies z.ZodType<AgencyCredential>;

/** Answer of operation 4. */
export const credentialReset = z.object({
  liveClientSecret: z.string(),
  testClientSecret: z.string(),
  userId: z.string(),
}) satisfies z.ZodType<CredentialReset>;
