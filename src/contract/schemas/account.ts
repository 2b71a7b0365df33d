import { z } from 'zod';
import { textLimits, webhookPreferences } from '../index.js';
import { emailSchema, partnerUrlSchema, plainText, timestamp } from './values.js';
import { createAccountCredentialQuery } from './parameters.js';

const loginRequest = z
  .strictObject({
    clientId: plainText(textLimits.id.max).describe(
      'The id that createAccountCredential (operation 3) issued. Unknown ids and wrong secrets are answered alike.',
    ),
    clientSecret: plainText(textLimits.id.max)
      .meta({ format: 'password', writeOnly: true })
      .describe('The live or the test secret. It selects the mode of the token.'),
  })
  .meta({ id: 'LoginRequest', description: 'Body of login (operation 1).' });

/** Strict, because the spec shows no other key. */
const loginResponse = z
  .strictObject({
    accessToken: z
      .string()
      .describe('An opaque bearer token. Its lifetime is not part of the contract: log in again after a 401.'),
  })
  .meta({
    id: 'LoginResponse',
    description: 'Response of login (operation 1). It has no other key: the spec shows none.',
  });

/** The values that clear a setting. In TypeScript, `string` includes "". */
const cleared = z.literal(['', null]).meta({ tsType: 'null' });

const accountUpdateRequest = z
  .strictObject({
    businessEmail: z
      .union([emailSchema, cleared], { error: 'expected an e-mail address, "" or null' })
      .exactOptional()
      .describe('E-mail address of the agency; `null` or "" clears it.'),
    webhookPreference: z
      .enum(webhookPreferences, { error: `expected ${webhookPreferences.join(' or ')}` })
      .exactOptional()
      .describe('The notifications that the agency chooses. Default: `PDB-update`.'),
    webhookUrl: z
      .union([partnerUrlSchema, cleared], {
        error:
          'expected an https address in ASCII (or http on localhost in test mode) without user or password, "" or null',
      })
      .exactOptional()
      .describe(
        'The URL for webhooks of sessions without a `webhookUrl`. `null` or "" clears it. https, or http on localhost in test mode.',
      ),
  })
  .meta({
    id: 'AccountUpdateRequest',
    description: 'Body of updateAccount (operation 2). A field that is absent keeps its value.',
  });

const account = z
  .object({
    businessEmail: z.string().describe('E-mail address of the agency; "" when there is none.'),
    preference: z.enum(webhookPreferences).describe('The notifications that the agency chose.'),
    userId: z.string().describe('The id of the credential that the token was issued with.'),
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
    clientId: z.string().describe('The `clientId` for `login` (operation 1).'),
    createdAt: timestamp.describe('The time of the issue, ISO 8601 in UTC.'),
    deactivatedAt: z
      .union([timestamp, z.literal('')])
      .meta({ tsType: 'string' })
      .describe('The time of the replacement, ISO 8601 in UTC; "" while the credential is active.'),
    id: z.string().describe('The id of the credential, which operations 2 and 4 call `userId`.'),
    isActive: z.boolean().describe('Whether a login with this credential works.'),
    liveClientSecret: z.string().describe('The secret for live tokens. Shown once, stored only as a keyed hash.'),
    testClientSecret: z.string().describe('The secret for test tokens. Shown once, stored only as a keyed hash.'),
    updatedAt: timestamp.describe('The time of the last change, ISO 8601 in UTC.'),
  })
  .meta({
    id: 'AgencyCredential',
    description:
      'Response of createAccountCredential (operation 3): the credential of an agency. The only time both secrets can be read.',
  });

const credentialReset = z
  .object({
    liveClientSecret: z.string().describe('The new secret for live tokens.'),
    testClientSecret: z.string().describe('The new secret for test tokens.'),
    userId: z.string().describe('The id of the credential.'),
  })
  .meta({
    id: 'CredentialReset',
    description: 'Response of resetCredential (operation 4). The only time both secrets can be read.',
  });

/** The requests and responses of operations 1 to 4. */
export const accountSchemas = {
  login: { body: loginRequest, response: loginResponse },
  updateAccount: { body: accountUpdateRequest, response: account },
  createAccountCredential: { query: createAccountCredentialQuery, response: agencyCredential },
  resetCredential: { response: credentialReset },
};
