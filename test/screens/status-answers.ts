import type { ApplicationState, ApplicationStatus, StateCode } from '../../src/contract/index.js';

/** What a partner may put into the slot for loading. */
export const loadingTexts = { en: 'One moment, please.', es: 'Un momento, por favor.' };

const updatedAt = '2026-11-20T12:00:00Z';

/** What a partner's status route answers, by the name of the case. */
export const statusAnswers: Readonly<Record<string, object>> = {
  begun: { applicationId: 'app_1', progress: { step: 'background', index: 3, count: 6 }, states: [] },
  unverified: submitted([]),
  review: submitted([stateOf('TX', 'pending_review'), stateOf('CA', 'pending_review')]),
  mixed: submitted([
    stateOf('TX', 'approved'),
    stateOf('CA', 'pending_review'),
    stateOf('NV', 'denied'),
    {
      ...stateOf('OR', 'requires_action'),
      reason: 'Please send the court documents for your answer about criminal history.',
      actionUrl: `http://127.0.0.1:1/a/${'a'.repeat(43)}`,
    },
  ]),
  asked: submitted([
    stateOf('TX', 'approved'),
    {
      ...stateOf('CA', 'requires_action'),
      reason: 'Please send the court documents for your answer about criminal history.',
      actionUrl: `http://127.0.0.1:1/a/${'c'.repeat(43)}`,
    },
  ]),
  approved: submitted([stateOf('TX', 'approved'), stateOf('CA', 'approved')]),
  long: submitted([
    ...(['AL', 'AK', 'DC', 'MP', 'NC', 'ND', 'SC', 'WV'] as const).map((state) => stateOf(state, 'pending_review')),
    {
      ...stateOf('NH', 'requires_action'),
      reason:
        'We need a certified copy of the final order, the terms of the settlement, and a letter in your own words that says what happened, when, and what you have done since. Uncertifiedcopieswithoutspacesarenotaccepted.',
      actionUrl: `http://127.0.0.1:1/a/${'b'.repeat(43)}`,
    },
  ]),
};

function submitted(states: ApplicationState[]): object {
  return { applicationId: 'app_1', progress: { step: 'submitted', index: 6, count: 6 }, states };
}

function stateOf(state: StateCode, status: ApplicationStatus): ApplicationState {
  return { state, status, updatedAt };
}
