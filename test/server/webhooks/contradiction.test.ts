import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KnownApplication } from '../../../src/server/store/licensing-store.js';
import { webhookEventSchema } from '../../../src/contract/schemas/index.js';
import { findContradiction } from '../../../src/server/applications/known-application.js';
import { submitted } from '../support/applications.js';
import { webhook } from '../support/partner.js';

const base = {
  applicationId: 'app_1',
  sessionId: 'ses_1',
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life',
  progress: { step: 'identity', index: 2, count: 6 },
  states: [],
};

/** An application whose state has this status since then. Webhooks of `webhook` are from 12:00. */
const withState = (status: string, updatedAt: string): KnownApplication => ({
  ...base,
  ...submitted,
  states: [{ state: 'TX', status, updatedAt }],
});
const claim = (status: string) => webhook('evt', 'application.status_changed', { states: [{ state: 'TX', status }] });
const requiresAction = webhook('evt', 'application.requires_action', { state: 'TX' });

suite('The claim of a webhook is compared with the application', () => {
  const cases: [title: string, body: object, application: KnownApplication, contradiction: string | undefined][] = [
    ['A started session is never contradicted.', webhook('evt', 'application.session_started'), base, undefined],
    [
      'A submission that the bridge does not have yet is contradicted.',
      webhook('evt', 'application.submitted'),
      base,
      'submitted',
    ],
    [
      'A submission that the bridge has is confirmed.',
      webhook('evt', 'application.submitted'),
      { ...base, ...submitted },
      undefined,
    ],
    [
      'A step that the user has not reached is contradicted.',
      webhook('evt', 'application.progress_updated', { index: 3 }),
      base,
      'step 3 completed',
    ],
    [
      'A step that the user has passed is confirmed.',
      webhook('evt', 'application.progress_updated', { index: 1 }),
      base,
      undefined,
    ],
    [
      'A step without a number is not contradicted.',
      webhook('evt', 'application.progress_updated', { step: 'review' }),
      base,
      undefined,
    ],
    [
      'Every step of a submitted application is confirmed.',
      webhook('evt', 'application.progress_updated', { index: 9 }),
      { ...base, ...submitted },
      undefined,
    ],
    [
      'A required action that the bridge does not have yet is contradicted.',
      requiresAction,
      withState('pending_review', '2026-11-20T11:00:00Z'),
      'TX requires_action',
    ],
    [
      'A required action that the user has completed since is confirmed.',
      requiresAction,
      withState('pending_review', '2026-11-20T13:00:00Z'),
      undefined,
    ],
    [
      'A required action of the very time of the current status is confirmed.',
      requiresAction,
      withState('pending_review', '2026-11-20T12:00:00Z'),
      undefined,
    ],
    [
      'A step that the user is at is confirmed.',
      webhook('evt', 'application.progress_updated', { index: 2 }),
      base,
      undefined,
    ],
    [
      'A required action before a decision is confirmed, whatever its time.',
      requiresAction,
      withState('denied', '2026-11-20T11:00:00Z'),
      undefined,
    ],
    [
      'A decision that the bridge does not have is contradicted, however late its status is.',
      claim('approved'),
      withState('pending_review', '2026-11-20T13:00:00Z'),
      'TX approved',
    ],
    [
      'A status of a state that the bridge does not have yet is contradicted.',
      claim('pending_review'),
      base,
      'TX pending_review',
    ],
    [
      'Where times are unknown, a claim that is not final is confirmed, so that it is not repeated for days.',
      { ...claim('requires_action'), createdAt: undefined },
      withState('pending_review', ''),
      undefined,
    ],
    [
      'An event of an unknown type is compared by the states in it.',
      { ...claim('approved'), type: 'something.new' },
      base,
      'TX approved',
    ],
  ];
  for (const [title, body, application, contradiction] of cases) {
    test(title, () => {
      assert.equal(findContradiction(webhookEventSchema.parse(body), application), contradiction);
    });
  }
});
