import type { EntriesOf } from './operation-entry.js';

/** Operations 1 to 4. */
export const accountEntries = {
  login: {
    tag: 'Authentication',
    description:
      'The secret decides the mode of the token, live or test. A wrong client id and a wrong secret are answered alike. ' +
      'The lifetime of a token is not part of the contract: log in again after a 401, not before each call.',
    bodies: { test: { clientId: 'example-client-0001', clientSecret: 'example-test-secret' } },
    answer: 'The token.',
    answers: { token: { accessToken: 'example-access-token' } },
  },

  updateAccount: {
    tag: 'Account',
    description:
      'The settings belong to the mode of the token. One that is left out keeps its value; null or an empty text clears ' +
      '`businessEmail` and `webhookUrl`. 403 means that the agency is deactivated.',
    bodies: {
      'Set all three': {
        businessEmail: 'licensing@agency.example.com',
        webhookPreference: 'entity-info',
        webhookUrl: 'https://hooks.example.com/licensing',
      },
      'Clear both that can be cleared': { businessEmail: null, webhookUrl: null },
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
      'The first call for an agency needs nothing but its agency id. While a credential is active, only a call with a ' +
      'live token of the same agency gets another one, which replaces the first and ends its tokens; any other call, and ' +
      'every call with a bad token, is 401. An agency id that is missing, malformed, unknown or deactivated is 400. Keep ' +
      'both secrets: they cannot be read again.',
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
      'Takes no body, and a live token: a test token must not obtain a live secret and is 401. Every token issued earlier ' +
      'stops working at once. The new secrets are shown here and never again.',
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
