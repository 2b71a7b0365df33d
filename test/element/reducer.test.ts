import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ApplicationState, type ApplicationStatus, type ProgressStep } from '../../src/contract/index.js';
import { type Fact, noFacts, reduce } from '../../src/element/store/reducer.js';
import { actionUrlOf, phaseOf, snapshotOf } from '../../src/element/store/selectors.js';

type Snapshot = ReturnType<typeof snapshotOf>;
const statusOf = ({ states }: Snapshot) => states[0]?.status;
const endOf = (list: readonly Fact[]) => snapshotOf(list.reduce(reduce, noFacts), 'app_1');

const page = (order: number, status: ApplicationStatus): Fact => ({
  source: 'message',
  order,
  snapshot: { step: 'submitted', index: 6, count: 6, dirty: false, states: [{ state: 'TX', status }] },
});
const action = (order: number, actionUrl = 'https://a.example/page'): Fact => ({
  source: 'message',
  order,
  action: { state: 'TX', actionUrl },
});
const server = (minute: number, status: ApplicationStatus, more: Partial<ApplicationState> = {}): Fact => ({
  source: 'server',
  application: {
    applicationId: 'app_1',
    progress: { step: 'submitted', index: 6, count: 6 },
    states: [{ state: 'TX', status, updatedAt: `2026-11-20T12:0${minute}:00Z`, ...more }],
  },
});
const step = (index: number, name: ProgressStep, count = 6): Fact => ({
  source: 'server',
  application: { applicationId: 'app_1', progress: { step: name, index, count }, states: [] },
});
const pageStep = (order: number, index: number, dirty = false): Fact => ({
  source: 'message',
  order,
  snapshot: { step: 'review', index, count: 5, dirty, states: [] },
});

/** Of two facts, the one that counts, in either order of arrival. */
const ranks: [what: string, lower: Fact, higher: Fact, read: (end: Snapshot) => unknown, shown: unknown][] = [
  ['a later report of the page', page(1, 'pending_review'), page(2, 'requires_action'), statusOf, 'requires_action'],
  ['a final report of the page', page(2, 'pending_review'), page(1, 'approved'), statusOf, 'approved'],
  ['a later final report of the page', page(1, 'approved'), page(2, 'denied'), statusOf, 'denied'],
  ['an action over an earlier report of the page', page(1, 'pending_review'), action(2), statusOf, 'requires_action'],
  ['a report of the page over an earlier action', action(1), page(2, 'pending_review'), statusOf, 'pending_review'],
  [
    'an open report of the server over a final one of the page',
    page(9, 'approved'),
    server(0, 'pending_review'),
    statusOf,
    'pending_review',
  ],
  [
    'a later report of the server',
    server(0, 'pending_review'),
    server(1, 'requires_action'),
    statusOf,
    'requires_action',
  ],
  [
    'a review of the server that corrects an earlier decision',
    server(0, 'denied'),
    server(1, 'pending_review'),
    statusOf,
    'pending_review',
  ],
  [
    'a decision of the server over an open report of the same time',
    server(0, 'requires_action'),
    server(0, 'denied'),
    statusOf,
    'denied',
  ],
  ['a later final report of the server', server(0, 'approved'), server(1, 'denied'), statusOf, 'denied'],
  [
    'a report with a time over one whose time is no date',
    server(1, 'requires_action', { updatedAt: 'x' }),
    server(0, 'pending_review'),
    statusOf,
    'pending_review',
  ],
  [
    'of two reports of one time, always the same',
    server(0, 'pending_review'),
    server(0, 'requires_action'),
    statusOf,
    'requires_action',
  ],
  [
    'of two reports of one time and status, always the same',
    server(0, 'denied', { reason: 'A' }),
    server(0, 'denied', { reason: 'B' }),
    ({ states }) => states[0]?.reason,
    'B',
  ],
  ['a later step of the server', step(2, 'identity'), step(3, 'background'), ({ step: name }) => name, 'background'],
  [
    'of two steps with one number, always the same',
    step(3, 'background'),
    step(3, 'disclosures'),
    ({ step: name }) => name,
    'disclosures',
  ],
  [
    'the step of the page over that of the server',
    step(6, 'payment'),
    pageStep(1, 2),
    ({ step: name, index: at, count }) => [name, at, count],
    ['review', 2, 5],
  ],
  ['a later step of the page, though an earlier one', pageStep(1, 4), pageStep(2, 2), ({ index: at }) => at, 2],
  ['later unsaved input', pageStep(1, 4), { source: 'message', order: 2, dirty: true }, ({ dirty }) => dirty, true],
  [
    'a later step without unsaved input',
    { source: 'message', order: 1, dirty: true },
    pageStep(2, 4),
    ({ dirty }) => dirty,
    false,
  ],
];
for (const [what, lower, higher, read, shown] of ranks)
  it(`the facts about an application show ${what}, in any order of arrival`, () => {
    const arrivals = [
      [lower, higher],
      [higher, lower],
      [higher, lower, higher, lower],
    ];
    for (const facts of arrivals) assert.deepEqual(read(endOf(facts)), shown);
  });

const none = { submitted: false, verified: false };
const outcomes: [what: string, fact: Fact, expected: typeof none][] = [
  ['a step of the page', pageStep(1, 6), none],
  [
    'the last step of the page',
    { ...pageStep(1, 6), snapshot: { step: 'submitted', index: 6, count: 6, dirty: false, states: [] } } as Fact,
    { ...none, submitted: true },
  ],
  ['the submission of the page', { ...pageStep(1, 6), submitted: true } as Fact, { ...none, submitted: true }],
  ['the return', { source: 'return' }, { ...none, submitted: true }],
  ['a step of the server', step(6, 'review'), none],
  ['the last step of the server', step(6, 'submitted'), { submitted: true, verified: true }],
  [
    'a time of submission of the server',
    {
      source: 'server',
      application: {
        applicationId: 'app_1',
        progress: { step: 'review', index: 6, count: 6 },
        states: [],
        submittedAt: '2026-11-20T12:00:00Z',
      },
    },
    { submitted: true, verified: true },
  ],
  [
    'a status of the server',
    {
      source: 'server',
      application: {
        applicationId: 'app_1',
        progress: { step: 'review', index: 6, count: 6 },
        states: [{ state: 'TX', status: 'denied', updatedAt: '' }],
      },
    },
    { submitted: true, verified: true },
  ],
];
for (const [what, fact, expected] of outcomes)
  it(`the facts about an application are ${expected.submitted ? '' : 'not '}submitted and ${expected.verified ? '' : 'not '}verified by ${what}`, () => {
    // A step that arrives before or after takes nothing back, and so does the same fact again.
    for (const facts of [[fact], [pageStep(9, 1), fact], [fact, fact, pageStep(9, 1)]]) {
      const { submitted, verified, step: shown, index: at, count } = endOf(facts);
      assert.deepEqual({ submitted, verified }, expected);
      if (submitted) assert.deepEqual([shown, at], ['submitted', count]);
    }
  });

const link = 'https://a.example/server';
const actions: [what: string, facts: Fact[], url: string | undefined, phase: string][] = [
  ['the link of the page', [action(1), page(2, 'requires_action')], 'https://a.example/page', 'awaiting-action'],
  ['the later link of the page', [action(2, link), action(1)], link, 'awaiting-action'],
  ['the link of the server', [action(1), server(0, 'requires_action', { actionUrl: link })], link, 'awaiting-action'],
  [
    'the link of the page if the server has none',
    [action(1), server(0, 'requires_action')],
    'https://a.example/page',
    'awaiting-action',
  ],
  ['no link after the server reports another status', [action(1), server(0, 'pending_review')], undefined, 'submitted'],
  ['no link of another state', [page(1, 'requires_action')], undefined, 'awaiting-action'],
  ['no link before anything is known', [], undefined, 'unsubmitted'],
];
for (const [what, list, url, phase] of actions)
  it(`the facts about an application have ${what}`, () => {
    const known = list.reduce(reduce, noFacts);
    assert.deepEqual([actionUrlOf(known, 'TX'), phaseOf(known)], [url, phase]);
    assert.doesNotMatch(JSON.stringify(snapshotOf(known, 'app_1')), /https:/);
  });

it('the facts about an application are shown by urgency, then by the code of the state', () => {
  const statuses: Record<string, ApplicationStatus> = {
    AK: 'approved',
    AL: 'denied',
    AR: 'pending_review',
    AZ: 'requires_action',
    CA: 'requires_action',
    CO: 'pending_review',
  };
  const states = Object.entries(statuses)
    .map(([code, given]) => ({ state: code, status: given }))
    .toReversed();
  const snapshot = {
    step: 'submitted' as const,
    index: 6,
    count: 6,
    dirty: false,
    savedAt: '2026-11-20T12:00:00.000Z',
    states,
  };
  const shown = endOf([{ source: 'message', order: 1, snapshot }]);
  assert.deepEqual(
    shown.states.map((fact) => fact.state),
    ['AZ', 'CA', 'AR', 'CO', 'AL', 'AK'],
  );
  assert.equal(shown.savedAt, snapshot.savedAt);
  assert.deepEqual(endOf([]), {
    applicationId: 'app_1',
    step: 'not_started',
    index: 0,
    count: 0,
    dirty: false,
    submitted: false,
    verified: false,
    states: [],
  });
});
