import type { Application } from '../../src/contract/index.js';
import { addCleanup, hosted } from './stage.js';

/** An application that was submitted, with these states. */
export function application(states: Application['states']): Application {
  return {
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life_health',
    submittedAt: '2026-11-20T12:00:00Z',
    progress: { step: 'submitted', index: 6, count: 6 },
    states,
  };
}

/** An application with a required action in California. */
export const requiring = application([
  { state: 'TX', status: 'approved', updatedAt: '2026-11-20T12:01:00Z' },
  {
    state: 'CA',
    status: 'requires_action',
    updatedAt: '2026-11-20T12:02:00Z',
    reason: 'Upload your course certificate.',
    actionUrl: hosted(),
  },
]);

/** Answers all requests until the test has ended. Returns the URL of each. */
export function serve(answer: (url: string) => Response | Promise<Response>): string[] {
  const original = window.fetch;
  const requests: string[] = [];
  window.fetch = (input) => {
    const url = input instanceof Request ? input.url : String(input);
    requests.push(url);
    return Promise.resolve(answer(url));
  };
  addCleanup(() => (window.fetch = original));
  return requests;
}
