import type { EntriesOf } from './operation-entry.js';

/** Operations 1 to 4. */
export const accountEntries = {
  login: {
    tag: 'Authentication',
    description:
      'The secret selects the mode of the token, live or test. The response does not say whether the client id or ' +
      'the secret is wrong. The lifetime of a token is not part of the contract: log in again after a 401, not ' +
      'before each call.',
    bodies: { test: { clientId: 'example-client-0001', clientSecret: 'example-test-secret' } },
    answer: 'The token.',
    answers: { token: { accessToken: 'example-access-token' } },
  },

  updateAccount: {
    tag: 'Account',
    description:
      "The settings are those of the token's mode. An absent field keeps its value; null or an empty text removes " +
      '`businessEmail` or `webhookUrl`. 403: the agency is deactivated.',
    bodies: {
      'Set all settings': {
        businessEmail: 'licensing@agency.example.com',
        webhookPreference: 'entity-info',
        webhookUrl: 'https://hooks.example.com/licensing',
      },
      'Remove both optional settings': { businessEmail: null, webhookUrl: null },
    },
    answer: 'The settings after the change.',
    answers: {
      settings: {
        businessEmail: 'licensing@agency.example.com',
        preference: 'entity-info',
        userId: 'crd_1a2b3c4d',
        webhookUrl: 'https://hooks.example.com/licensing',
      },
    },
  },

  createAccountCredential: {
    tag: 'Account',
    description:
      'The first call for an agency needs only its agency id. While a credential is active, the call needs a live ' +
      'token of the same agency. The new credential then replaces the active one and ends its tokens. Every other ' +
      'call, and every call with an invalid token, is 401. An agency id that is absent, malformed, unknown or ' +
      'deactivated is 400. Store both secrets: they cannot be read again.',
    answer: 'The new credential.',
    answers: {
      credential: {
        agencyId: 'agc_5b6c7d8e9f',
        agencyName: 'Example Partners Agency',
        clientId: 'example-client-0001',
        createdAt: '2026-03-02T09:15:00.000Z',
        deactivatedAt: '',
        id: 'crd_1a2b3c4d',
        isActive: true,
        liveClientSecret: 'example-live-secret',
        testClientSecret: 'example-test-secret',
        updatedAt: '2026-03-02T09:15:00.000Z',
      },
    },
  },

  resetCredential: {
    tag: 'Account',
    description:
      'Has no body and needs a live token: a test token must not obtain a live secret and is 401. Every token ' +
      'issued before ends at once. Store both secrets: they cannot be read again.',
    answer: 'The new secrets.',
    answers: {
      secrets: {
        liveClientSecret: 'example-live-secret-2',
        testClientSecret: 'example-test-secret-2',
        userId: 'crd_1a2b3c4d',
      },
    },
  },
} satisfies EntriesOf<'login' | 'updateAccount' | 'createAccountCredential' | 'resetCredential'>;
