// Made from the comments of contract/session.ts: change them there.

/** What the interfaces of contract/session.ts and their fields mean; `''` is the interface itself. */
export const sessionDescriptions = {
  CreateSessionRequest: {
    '': 'Body of operation 18.',
    userId: "The partner's own id for the user, as in operation 17. One that operation 17 never saw is accepted.",
    applicationType: 'What is applied for, a lower-case slug such as `new`.',
    licenseType: 'Which license, a lower-case slug such as `life_health`.',
    states: '1–56 distinct state codes in upper case.',
    paymentMethod: 'Default: `user_pays`.',
    returnUrl:
      'Where the user goes afterwards, with `status` added to the query. https, or http on localhost in test mode.',
    webhookUrl: "Where events of this session go; the account's address when absent.",
  },
  Session: {
    '': 'Answer of operation 18.',
    sessionId: 'The id of the session.',
    applicationId: 'The id that operation 19 takes.',
    applicationUrl: 'Where to send the user. Whoever holds this address can act as the user: never log it.',
    expiresAt: 'When `applicationUrl` stops working, ISO 8601 in UTC.',
    estimatedFees: 'State and processing fees.',
    'estimatedFees.total': 'US dollars with at most two decimals.',
    prefilled: 'What the user will not have to enter again.',
    'prefilled.npn': 'Whether an NPN is known from operation 17.',
    'prefilled.ssn':
      'Whether the bridge itself holds the SSN from an earlier application. Never because a partner sent it.',
    'prefilled.backgroundQuestions': 'Whether the user submitted answers in this mode within the last 90 days.',
  },
} as const;
