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

const done = { ...base, ...submitted };
/** An application whose state has this status since then. Webhooks of `webhook` are from 12:00. */
const at = (hour: string, status: string): KnownApplication => ({
  ...done,
  states: [{ state: 'TX', status, updatedAt: `2026-11-20T${hour}:00:00Z` }],
});
const started = webhook('evt', 'application.session_started');
const wasSubmitted = webhook('evt', 'application.submitted');
const step = (index?: number) => webhook('evt', 'application.progress_updated', { step: 'review', index });
const claim = (status: string) => webhook('evt', 'application.status_changed', { states: [{ state: 'TX', status }] });
const action = webhook('evt', 'application.requires_action', { state: 'TX' });
const actionOfNoState = webhook('evt', 'application.requires_action');
const unknown = { ...claim('approved'), type: 'something.new' };
const timeless = { ...claim('requires_action'), createdAt: undefined };

suite('The claim of a webhook is compared with the application', () => {
  const cases: [what: string, body: object, application: KnownApplication, contradiction: string | undefined][] = [
    ['A started session', started, base, undefined],
    ['A submission that the bridge does not have yet', wasSubmitted, base, 'submitted'],
    ['A submission that the bridge has', wasSubmitted, done, undefined],
    ['A step that the user has not reached', step(3), base, 'step 3 completed'],
    ['A step that the user is at', step(2), base, undefined],
    ['A step that the user has passed', step(1), base, undefined],
    ['A step without a number', step(), base, undefined],
    ['Any step of a submitted application', step(9), done, undefined],
    ['A required action that the bridge does not have yet', action, at('11', 'pending_review'), 'TX requires_action'],
    ['A required action that the bridge has', action, at('11', 'requires_action'), undefined],
    ['A required action of the time of the current status', action, at('12', 'pending_review'), undefined],
    ['A required action that the user has completed since', action, at('13', 'pending_review'), undefined],
    ['A required action before a decision', action, at('13', 'denied'), undefined],
    ['A review that corrects a decision', claim('pending_review'), at('12', 'pending_review'), undefined],
    [
      'A review that corrects a decision, of which a copy that lags does not know,',
      claim('pending_review'),
      at('11', 'denied'),
      'TX pending_review',
    ],
    ['A required action that names no state', actionOfNoState, base, undefined],
    ['An approval that the bridge does not have', claim('approved'), at('11', 'pending_review'), 'TX approved'],
    ['An approval of the time of another status', claim('approved'), at('12', 'pending_review'), 'TX approved'],
    ['An approval that was corrected to a denial since', claim('approved'), at('13', 'denied'), undefined],
    ['An approval that was taken back since', claim('approved'), at('13', 'pending_review'), undefined],
    ['An approval without a time of the other status', claim('approved'), at('', 'pending_review'), 'TX approved'],
    ['A status of a state that the bridge does not have', claim('pending_review'), base, 'TX pending_review'],
    // Otherwise it would be repeated for days.
    ['A status that is not final, without times,', timeless, at('', 'pending_review'), undefined],
    ['A state in an event of an unknown type', unknown, base, 'TX approved'],
  ];
  for (const [what, body, application, contradiction] of cases) {
    test(`${what} is ${contradiction === undefined ? 'confirmed' : 'contradicted'}.`, () => {
      assert.equal(findContradiction(webhookEventSchema.parse(body), application), contradiction);
    });
  }
});
