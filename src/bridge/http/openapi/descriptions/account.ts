// Made from the comments of contract/account.ts: change them there.

/** What the interfaces of contract/account.ts and their fields mean; `''` is the interface itself. */
export const accountDescriptions = {
  AccountUpdateRequest: {
    '': 'Body of operation 2. A field that is absent keeps its value.',
    businessEmail: 'E-mail address of the agency; `null` or "" clears it.',
    webhookPreference: 'Default, before anything is set: `PDB-update`.',
    webhookUrl:
      'Where events go when a session names no address of its own; `null` or "" clears it. https, or http on localhost in test mode.',
  },
  Account: {
    '': "Answer of operation 2: the settings of the token's mode after the change.",
    businessEmail: 'E-mail address of the agency; "" when there is none.',
    preference: 'What the agency asked to be told.',
    userId: 'The id of the credential that the token was issued with.',
    webhookUrl: 'Where events go when a session names no address of its own; "" when there is none.',
  },
  CredentialReset: {
    '': 'Answer of operation 4. The only time both secrets can be read.',
    liveClientSecret: 'The new secret for live tokens.',
    testClientSecret: 'The new secret for test tokens.',
    userId: 'The id of the credential.',
  },
} as const;
