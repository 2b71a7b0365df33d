// Made from the comments of contract/onboarding.ts: change them there.

/** What the interfaces of contract/onboarding.ts and their fields mean; `''` is the interface itself. */
export const onboardingDescriptions = {
  PlainOnboardRequest: {
    '': 'Body of operation 5 for `lookup`, which changes nothing, and `subscribe`.',
    npn: 'National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.',
    onboardType: 'What to do.',
  },
  TeamOnboardRequest: {
    '': 'Body of operation 5 for `team`.',
    npn: 'National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.',
    onboardType: 'What to do.',
    paymentResponsibility: 'Who pays the fees.',
    email: 'E-mail address.',
    firstName: 'Given name.',
    lastName: 'Family name.',
    phone: 'Phone number, in any usual form.',
    gender: 'As the producer states it.',
    ssn: 'Nine digits, or 3-2-4 with dashes. Sealed at rest, never answered.',
  },
  NpnLookUpRequest: {
    '': 'Body of operation 10.',
    lastName: 'Family name; upper and lower case are the same.',
    ssn: 'Nine digits, or 3-2-4 with dashes.',
  },
  NpnLookUp: {
    '': 'Answer of operation 10.',
    message: 'One sentence for people.',
    data: 'What was found.',
    'data.npn': 'National producer number without leading zeros.',
  },
} as const;
