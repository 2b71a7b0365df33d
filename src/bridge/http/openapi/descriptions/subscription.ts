// Made from the comments of contract/subscription.ts: change them there.

/** What the interfaces of contract/subscription.ts and their fields mean; `''` is the interface itself. */
export const subscriptionDescriptions = {
  SubscriptionRequest: {
    '': 'Body of operations 12 and 13.',
    npns: '1–10,000 national producer numbers, as texts or numbers.',
  },
  Subscription: {
    '': 'Answer of operations 12 and 13: those that the call touched.',
    agencyId: 'Whose subscriptions they are.',
    npns: 'The NPNs, in the order of the request.',
  },
  SubscriptionTarget: {
    '': 'An NPN whose updates an agency follows.',
    npn: 'National producer number without leading zeros.',
    addedAt: 'When it was first added, ISO 8601 in UTC.',
  },
  SubscriptionUpdateRequest: {
    '': 'Body of operation 11.',
    npn: 'A subscribed national producer number.',
    reportDate: 'A day as `YYYY-MM-DD`.',
  },
  SubscriptionUpdate: {
    '': 'Answer of operation 11: the newest update on or before a day.',
    npn: 'National producer number without leading zeros.',
    reportDate: 'The day that was asked for, as it was sent.',
    updatedAt: 'When the update came, ISO 8601 in UTC.',
    changes: 'The sections of `producer` that changed, such as `licenseInformation`.',
    producer: 'The producer as of that update.',
  },
} as const;
