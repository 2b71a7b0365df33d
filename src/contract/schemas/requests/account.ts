import { z } from 'zod';
import { textLimits, webhookPreferences } from '../../index.js';
import { createAccountCredentialQuery } from './parameters.js';
import { emailSchema, partnerUrlSchema, plainText } from './values.js';

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

/** The requests of operations 1 to 4. */
export const accountRequests = {
  login: { body: loginRequest },
  updateAccount: { body: accountUpdateRequest },
  createAccountCredential: { query: createAccountCredentialQuery },
};
