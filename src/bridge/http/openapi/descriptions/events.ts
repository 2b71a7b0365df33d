// Made from the comments of contract/events.ts: change them there.

/** What the interfaces of contract/events.ts and their fields mean; `''` is the interface itself. */
export const eventsDescriptions = {
  WebhookEventData: {
    '': 'What every event says.',
    applicationId: 'The application that moved on.',
    sessionId: 'The session that started it.',
    userId: "The partner's own id for the user.",
  },
  WebhookEventExtras: { '': 'What each kind adds to `WebhookEventData`.' },
} as const;
