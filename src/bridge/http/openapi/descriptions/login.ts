// Made from the comments of contract/login.ts: change them there.

/** What the interfaces of contract/login.ts and their fields mean; `''` is the interface itself. */
export const loginDescriptions = {
  LoginRequest: {
    '': 'Body of operation 1.',
    clientId: 'The id that operation 3 issued. Unknown ids and wrong secrets are answered alike.',
    clientSecret: 'The live or the test secret. Which of the two it is decides the mode of the token.',
  },
  LoginResponse: {
    '': 'Answer of operation 1. It has no other key: the spec shows none.',
    accessToken: 'An opaque bearer token. Its lifetime is not part of the contract: log in again after a 401.',
  },
} as const;
