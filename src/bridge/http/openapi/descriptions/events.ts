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
  ReceivedEventData: {
    '': 'What an event of any host says of itself. Nothing in it is proven: read the application before acting on it.',
    applicationId: 'The application that the event is about.',
    sessionId: 'The session that started it.',
    userId: "The partner's own id for the user.",
  },
  ReceivedEvent: {
    '': 'What every event of any host may have.',
    id: 'Tells events apart and stays the same in every retry.',
    createdAt: 'When the event happened, ISO 8601.',
  },
  ReceivedSimpleEvent: {
    '': 'The user opened the application, or it went to the states.',
    type: 'Which of the two.',
    data: 'Which application.',
  },
  ReceivedProgressEvent: {
    '': 'The user completed a step.',
    type: '',
    data: 'Which application, and the step that was completed.',
  },
  ReceivedStatusEvent: {
    '': 'One or more states approved, denied or updated the application.',
    type: '',
    data: 'Which application, and the states whose status changed.',
  },
  ReceivedStatusChange: {
    '': 'The new status of one state.',
    state: 'State code.',
    status: 'What the department said.',
  },
  ReceivedActionEvent: {
    '': 'A state needs something from the user.',
    type: '',
    data: 'Which application, and what is needed where. `actionUrl` is a capability: never log it.',
  },
  ReceivedUnknownEvent: {
    '': 'An event of a type that this package does not know.',
    type: '',
    originalType: 'The type as the host wrote it, if it is a short name.',
    data: 'Which application, and the states whose status changed, if the host lists any.',
  },
} as const;
