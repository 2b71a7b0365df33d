// Made from the comments of contract/credential.ts: change them there.

/** What the interfaces of contract/credential.ts and their fields mean; `''` is the interface itself. */
export const credentialDescriptions = {
  CreateAccountCredentialQuery: {
    '': 'Query of operation 3.',
    agencyId: 'The unguessable id that the operator handed over when the agency was created.',
  },
  AgencyCredential: {
    '': 'Answer of operation 3: the credential of an agency. The only time both secrets can be read.',
    agencyId: 'The agency that the credential belongs to.',
    agencyName: 'The name given by the operator.',
    clientId: 'What operation 1 takes as `clientId`.',
    createdAt: 'When the credential was issued, ISO 8601 in UTC.',
    deactivatedAt: 'When the credential was replaced, ISO 8601 in UTC; "" while it is active.',
    id: 'The id of the credential, which operations 2 and 4 call `userId`.',
    isActive: 'Whether a login with this credential works.',
    liveClientSecret: 'The secret for live tokens. Shown once, stored only as a keyed hash.',
    testClientSecret: 'The secret for test tokens. Shown once, stored only as a keyed hash.',
    updatedAt: 'When the credential last changed, ISO 8601 in UTC.',
  },
} as const;
