// Made from the comments of contract/profile.ts: change them there.

/** What the interfaces of contract/profile.ts and their fields mean; `''` is the interface itself. */
export const profileDescriptions = {
  ResidentialAddress: {
    '': 'Where a user lives. All four parts are required, none may be empty.',
    street: 'Street and number.',
    city: 'City or town.',
    state: 'State code in upper case.',
    zip: 'Five digits, or five, a dash and four.',
  },
  LicensingProfile: {
    '': 'Body of operation 17: what a partner already knows of a user. A field that is absent keeps its value, `null` removes it, `residentialAddress` is replaced as a whole. SSNs and answers are refused: they are typed in the hosted application only.',
    npn: 'National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.',
    firstName: 'Given name.',
    lastName: 'Family name.',
    email: 'E-mail address.',
    phone: 'Phone number, in any usual form.',
    dateOfBirth: 'A day as `YYYY-MM-DD`, from 1900 on and not still to come.',
    residentialAddress: 'Home address.',
  },
  UserLicensingProfile: {
    '': 'Answer of operation 17: the profile after the merge. Fields without a value are absent.',
    userId: "The partner's own id for the user.",
    npn: 'National producer number without leading zeros.',
    firstName: 'Given name.',
    lastName: 'Family name.',
    email: 'E-mail address.',
    phone: 'Phone number as it was sent.',
    dateOfBirth: 'A day as `YYYY-MM-DD`.',
    residentialAddress: 'Home address.',
    updatedAt: 'When the profile last changed, ISO 8601 in UTC.',
  },
} as const;
