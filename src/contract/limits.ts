/** The maximum number of characters of each kind of text in a request. */
export const textLimits = {
  /** Ids, slugs, secrets and keys of partners. */
  id: { max: 255, doc: 'Characters of an id, a client secret or an Idempotency-Key' },
  name: { max: 100, doc: 'Characters of a first name, a last name or a city' },
  street: { max: 200, doc: 'Characters of a street' },
  gender: { max: 50, doc: 'Characters of a gender' },
  reason: { max: 500, doc: 'Characters of the reason of a decision' },
  licenseNumber: { max: 40, doc: 'Characters of the license number of a decision' },
  linesOfDecision: { max: 50, doc: 'Lines of authority of a decision' },
  email: { max: 254, doc: 'Characters of an e-mail address' },
  phone: { max: 40, doc: 'Characters of a phone number' },
  url: { max: 2_048, doc: 'Characters of a URL' },
} as const satisfies Record<string, { max: number; doc: string }>;
