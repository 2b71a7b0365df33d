// Made from the comments of contract/application.ts: change them there.

/** What the interfaces of contract/application.ts and their fields mean; `''` is the interface itself. */
export const applicationDescriptions = {
  Progress: {
    '': 'How far the user is.',
    step: 'The step that is open.',
    index: 'Counts from 1; 0 before the link was opened; `count` once submitted.',
    count: 'How many steps this application has: 6, or 5 without payment.',
  },
  ApplicationState: {
    '': 'The status of one state.',
    state: 'The state whose department speaks.',
    status: 'What it said last.',
    updatedAt: 'When it said so, ISO 8601 in UTC.',
    actionUrl: 'Where to send the user; only while the status is `requires_action`. A capability: never log it.',
    reason: "Why, in the department's words; absent when it gave none.",
  },
  Application: {
    '': 'Answer of operation 19.',
    applicationId: 'The id of the application.',
    sessionId: 'Its newest session.',
    userId: "The partner's own id for the user.",
    applicationType: 'As in operation 18.',
    licenseType: 'As in operation 18.',
    submittedAt: 'When the user signed and sent it, ISO 8601 in UTC; absent until then.',
    progress: 'How far the user is.',
    states: 'The status of each state; empty until submitted.',
  },
  DecideStateRequest: {
    '': 'Body of the test helper operation: the simulated department decides.',
    status: 'The new status.',
    reason: 'Why, shown to the user with `requires_action`.',
  },
} as const;
