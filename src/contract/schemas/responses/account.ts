import { z } from 'zod';
import { webhookPreferences } from '../../index.js';
import { timestamp } from '../values.js';

/** Strict, because the spec shows no other key. */
const loginResponse = z
  .strictObject({
    accessToken: z.string().meta({
      // With another character in a header, `fetch` would throw an error that quotes the token.
      received: /^[\x21-\x7e]+$/,
      description: 'An opaque bearer token. Its lifetime is not part of the contract: log in again after a 401.',
    }),
  })
  .meta({
    id: 'LoginResponse',
    description: 'Response of login (operation 1). It has no other key: the spec shows none.',
  });

const account = z
  .object({
    businessEmail: z.string().describe('E-mail address of the agency; "" when there is none.'),
    preference: z.enum(webhookPreferences).describe('The notifications that the agency chose.'),
    userId: z
      .string()
      .meta({ received: 'required', description: 'The id of the credential that the token was issued with.' }),
    webhookUrl: z.string().describe('The URL for webhooks of sessions without a `webhookUrl`; "" for none.'),
  })
  .meta({
    id: 'Account',
    description: "Response of updateAccount (operation 2): the settings of the token's mode after the change.",
  });

const agencyCredential = z
  .object({
    agencyId: z.string().describe('The id of the agency.'),
    agencyName: z.string().describe('The name given by the operator.'),
    clientId: z.string().meta({ received: 'required', description: 'The `clientId` for `login` (operation 1).' }),
    createdAt: timestamp.describe('The time of the issue, ISO 8601 in UTC.'),
    deactivatedAt: z
      .union([timestamp, z.literal('')])
      .meta({ tsType: 'string' })
      .describe('The time of the replacement, ISO 8601 in UTC; "" while the credential is active.'),
    id: z.string().describe('The id of the credential, which operations 2 and 4 call `userId`.'),
    isActive: z.boolean().meta({ received: 'required', description: 'Whether a login with this credential works.' }),
    liveClientSecret: z.string().meta({
      received: 'required',
      description: 'The secret for live tokens. Shown once, stored only as a keyed hash.',
    }),
    testClientSecret: z.string().meta({
      received: 'required',
      description: 'The secret for test tokens. Shown once, stored only as a keyed hash.',
    }),
    updatedAt: timestamp.describe('The time of the last change, ISO 8601 in UTC.'),
  })
  .meta({
    id: 'AgencyCredential',
    description:
      'Response of createAccountCredential (operation 3): the credential of an agency. The only time both secrets can be read.',
  });

const credentialReset = z
  .object({
    liveClientSecret: z.string().meta({ received: 'required', description: 'The new secret for live tokens.' }),
    testClientSecret: z.string().meta({ received: 'required', description: 'The new secret for test tokens.' }),
    userId: z.string().describe('The id of the credential.'),
  })
  .meta({
    id: 'CredentialReset',
    description: 'Response of resetCredential (operation 4). The only time both secrets can be read.',
  });

/** The responses of operations 1 to 4. */
export const accountResponses = {
  login: loginResponse,
  updateAccount: account,
  createAccountCredential: agencyCredential,
  resetCredential: credentialReset,
};
