import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ApplicationStatus, PartnerApplication, PartnerSession, StateCode } from '../../src/contract/index.js';
import { createApplicationStore, statusUrlsOf } from '../../src/element/store/application-store.js';
import type { PageReport } from '../../src/element/store/reducer.js';
import { FakeEventSource, type FakePage, installPage, pass } from './node-page.js';

const unset = { applicationId: '', sessionUrl: '', statusUrl: '', eventsUrl: '' };
const session = { applicationUrl: 'https://apply.example/s/1', applicationId: 'app_1' };
const submitted = { step: 'submitted', index: 6, count: 6 } as const;

function report(index: number, more: object = {}): PageReport {
  return { snapshot: { step: 'review', index, count: 6, dirty: false, states: [], ...more } };
}

const allWith = (status: ApplicationStatus, state: StateCode = 'TX') => [
  { state, status, updatedAt: '2026-11-20T12:00:00Z' },
];
const answer = (status: ApplicationStatus, applicationId = 'app_1') => ({
  applicationId,
  progress: submitted,
  states: allWith(status),
});

describe('the store of an application', () => {
  let page: FakePage;
  beforeEach(() => {
    page = installPage();
  });
  afterEach(() => {
    page.restore();
  });

  /** A store of an open application, and the events that it dispatches. */
  function setup(attributes: Partial<typeof unset> = {}) {
    const host = Object.assign(new EventTarget(), unset, attributes);
    const sessions: { session: PartnerSession | undefined } = { session };
    const events: string[] = [];
    for (const type of ['progress', 'complete', 'status'])
      host.addEventListener(`licensing-${type}`, () => events.push(type));
    const store = createApplicationStore({
      host,
      sessions,
      onChange: (_before, _after, changed) => events.push(`change ${changed.map(({ state }) => state).join()}`.trim()),
      onComplete: () => events.push('onComplete'),
    });
    return {
      store,
      events,
      sessions,
      host,
      serverReports: (application: PartnerApplication) => store.dispatch({ source: 'server', application }),
    };
  }

  it('the first report of a frame is published at once, and later ones together after 16 ms', async () => {
    const { store, events } = setup();
    for (const index of [1, 2, 3, 4]) store.dispatchReport(report(index));
    assert.deepEqual(events, ['progress', 'change']);
    await pass(15);
    assert.equal(events.length, 2);
    await pass(1);
    assert.deepEqual(events, ['progress', 'change', 'progress', 'change']);
    assert.equal(store.snapshot.index, 4);
    store.dispatchReport(report(5));
    assert.equal(events.length, 6);
  });

  it('a submission is published within the frame, so that licensing-complete comes before licensing-close', () => {
    const { store, events } = setup();
    store.dispatchReport(report(5));
    store.dispatchReport({ ...report(6), submitted: true });
    assert.deepEqual(events.slice(2), ['progress', 'change', 'onComplete', 'complete']);
  });

  it('reports that are not published yet are lost with the application that they are about', async () => {
    const { store, events } = setup();
    store.dispatchReport(report(1));
    store.dispatchReport({ ...report(2), submitted: true });
    store.dispatchReport(report(3));
    store.isCompleted = true;
    store.reset();
    await pass(16);
    assert.deepEqual([store.snapshot.index, store.snapshot.submitted, store.isCompleted], [0, false, false]);
    events.length = 0;
    store.dispatchReport(report(1));
    assert.deepEqual(events, ['progress', 'change']);
    await pass(10);
    store.reset();
    store.dispatchReport(report(2));
    // The frame of the previous application ends, not that of this one.
    await pass(6);
    events.length = 0;
    store.dispatchReport(report(3));
    assert.deepEqual(events, []);
  });

  it('licensing-status is dispatched for each change of a status, after licensing-complete', () => {
    const { events, serverReports } = setup();
    serverReports(answer('pending_review'));
    assert.deepEqual(events.splice(0), ['progress', 'change TX', 'onComplete', 'complete', 'status']);
    serverReports(answer('approved'));
    assert.deepEqual(events.splice(0), ['change TX', 'status']);
  });

  const saved = { savedAt: '2026-11-20T12:00:00.000Z' };
  const changes: [what: string, change: PageReport, expected: string[]][] = [
    ['unsaved input', { dirty: true }, ['change']],
    ['the same step', report(2), ['change']],
    ['another index', report(3), ['progress', 'change']],
    ['another step', report(2, { step: 'payment' }), ['progress', 'change']],
    ['another count', report(2, { count: 7 }), ['progress', 'change']],
    ['another time of saving', report(2, saved), ['progress', 'change']],
  ];
  for (const [what, change, expected] of changes)
    it(`licensing-progress is ${expected.length > 1 ? '' : 'not '}dispatched for ${what}`, async () => {
      const { store, events } = setup();
      store.dispatchReport(report(2));
      await pass(16);
      assert.deepEqual(events.splice(0), ['progress', 'change']);
      store.dispatchReport(change);
      assert.deepEqual(events, expected);
    });

  it('an application that is submitted completes once, and only with a session of this element', () => {
    const { store, events, sessions, serverReports } = setup({ applicationId: 'app_1' });
    sessions.session = undefined;
    serverReports(answer('pending_review'));
    assert.equal(events.includes('complete'), false);
    sessions.session = session;
    serverReports(answer('requires_action'));
    store.dispatch({ source: 'return' });
    serverReports(answer('approved'));
    assert.deepEqual(
      events.filter((event) => /complete/i.test(event)),
      ['onComplete', 'complete'],
    );
  });

  const reports: [what: string, session: string, attribute: string, reported: string, isAccepted: boolean][] = [
    ['of the session', 'app_1', 'app_2', 'app_1', true],
    ['of the attribute, while there is a session of another', 'app_1', 'app_2', 'app_2', false],
    ['of the attribute, without a session', '', 'app_2', 'app_2', true],
    ['of another application than the attribute, without a session', '', 'app_2', 'app_1', false],
    ['of any application, while none is known', '', '', 'app_7', true],
  ];
  for (const [what, ofSession, applicationId, reported, isAccepted] of reports)
    it(`a report of the server ${what} is ${isAccepted ? 'accepted' : 'ignored'}`, () => {
      const { store, sessions, serverReports } = setup({ applicationId });
      sessions.session = ofSession ? { ...session, applicationId: ofSession } : undefined;
      serverReports(answer('approved', reported));
      assert.equal(store.snapshot.submitted, isAccepted);
    });

  it('a late answer about the previous application is ignored', async () => {
    let arrive: (response: Response) => void = () => undefined;
    page.answerWith(
      () => new Promise((resolve) => (arrive = resolve)),
      () => Response.json(answer('pending_review', 'app_2')),
    );
    const { store, sessions } = setup({ statusUrl: '/status' });
    store.follow();
    sessions.session = { ...session, applicationId: 'app_2' };
    arrive(Response.json(answer('approved')));
    await pass(0);
    assert.deepEqual([store.snapshot.applicationId, store.snapshot.states], ['app_2', []]);
  });

  it('the stream of events opens when the page reports the submission of an application that was followed before', () => {
    const { store } = setup({ statusUrl: '/status', eventsUrl: '/events' });
    store.follow();
    assert.equal(FakeEventSource.all.length, 0);
    store.dispatchReport({ ...report(6), submitted: true });
    assert.equal(FakeEventSource.all.length, 1);
    store.stop();
  });

  const decisions: [what: string, tell: (stage: ReturnType<typeof setup>) => void, isFollowing: boolean][] = [
    [
      'continues when only the page reports that all states have decided',
      ({ store }) => store.dispatchReport(report(6, { ...submitted, states: [{ state: 'TX', status: 'approved' }] })),
      true,
    ],
    [
      'ends when the server reports that all states approved',
      ({ serverReports }) => serverReports(answer('approved')),
      false,
    ],
    [
      'ends when the server reports that all states denied',
      ({ serverReports }) => serverReports(answer('denied')),
      false,
    ],
    [
      'continues while one state has not decided',
      ({ serverReports }) =>
        serverReports({
          ...answer('approved'),
          states: [...allWith('approved'), ...allWith('pending_review', 'CA')],
        }),
      true,
    ],
    [
      'continues while the server reports no state',
      ({ serverReports }) => serverReports({ ...answer('approved'), states: [] }),
      true,
    ],
  ];
  for (const [what, tell, isFollowing] of decisions)
    it(`the following of a submitted application ${what}`, async () => {
      page.answerWith(() => new Response('', { status: 503 }));
      const stage = setup({ statusUrl: '/status' });
      tell(stage);
      await pass(0);
      assert.equal(stage.store.isFollowing, isFollowing);
      const before = page.requests.length;
      await pass(60_000);
      assert.equal(page.requests.length > before, isFollowing);
    });

  it('a corrected decision is shown when the user comes back to the page, and followed from then on', async () => {
    const later = { updatedAt: '2026-11-20T13:00:00Z' };
    const corrected = { ...answer('approved'), states: [{ ...allWith('pending_review')[0], ...later }] };
    page.answerWith(
      () => Response.json(answer('approved')),
      () => Response.json(corrected),
    );
    const { store, events, serverReports } = setup({ statusUrl: '/status' });
    serverReports(answer('approved'));
    for (const status of ['approved', 'pending_review']) {
      page.setHidden(true);
      await pass(60_000);
      page.setHidden(false);
      await pass(0);
      assert.equal(store.snapshot.states[0]?.status, status);
    }
    assert.deepEqual([page.requests.length, store.isFollowing, events.at(-1)], [2, true, 'status']);
    serverReports({ ...corrected, states: [{ state: 'TX', status: 'denied', updatedAt: '2026-11-20T14:00:00Z' }] });
    store.reset();
    page.setHidden(false);
    await pass(60_000);
    assert.equal(page.requests.length, 2);
  });

  it('an application that is not submitted is not followed by itself', () => {
    const { store } = setup({ statusUrl: '/status' });
    store.dispatchReport(report(2));
    assert.deepEqual([store.isFollowing, page.requests.length], [false, 0]);
  });

  it('an application is followed once for the same URLs, and again for others', async () => {
    const { store, host } = setup({ statusUrl: '/status' });
    store.follow();
    store.follow();
    assert.deepEqual(
      page.requests.map(({ url }) => url),
      ['/status'],
    );
    host.statusUrl = '/other';
    store.follow();
    await pass(0);
    assert.deepEqual(
      page.requests.map(({ url }) => url),
      ['/status', '/other'],
    );
    await pass(3_000);
    assert.deepEqual(
      page.requests.map(({ url }) => url),
      ['/status', '/other', '/other'],
    );
    host.statusUrl = '';
    store.follow();
    assert.equal(store.isFollowing, false);
    store.stop();
    await pass(600_000);
    assert.equal(page.requests.length, 3);
  });

  it('refresh() reads the status, follows it from then on, and does nothing without a URL', async () => {
    const { store, host, sessions } = setup();
    await store.refresh();
    assert.equal(page.requests.length, 0);
    page.answerWith(() => Response.json(answer('pending_review')));
    host.statusUrl = '/status';
    await store.refresh();
    assert.deepEqual([store.snapshot.verified, store.isFollowing], [true, true]);
    sessions.session = undefined;
    store.reset();
    assert.equal(store.isFollowing, false);
  });
});

type Urls = ReturnType<typeof statusUrlsOf>;
const none: Urls = { statusUrl: '', eventsUrl: '' };
const urls = (application: string): Urls => ({ statusUrl: application, eventsUrl: `${application}/events` });
const set = { sessionUrl: '/sessions', applicationId: 'app_1' };
const own = { statusUrl: '/own', eventsUrl: '/own/events' };
const cases: [attributes: Partial<typeof unset>, expected: Urls, ofSession?: Partial<PartnerSession>][] = [
  [{ ...set, sessionUrl: '/licensing/sessions' }, urls('/licensing/applications/app_1')],
  [{ ...set, sessionUrl: '/licensing/sessions/' }, urls('/licensing/applications/app_1')],
  [set, urls('/applications/app_1')],
  [
    { ...set, sessionUrl: 'https://api.agency.example/v1/sessions' },
    urls('https://api.agency.example/v1/applications/app_1'),
  ],
  [{ ...set, applicationId: 'a/../b?c' }, urls('/applications/a%2F..%2Fb%3Fc')],
  [{ ...set, applicationId: '' }, none],
  [{ ...set, sessionUrl: '/my-sessions' }, none],
  [{ ...set, sessionUrl: '/sessions/x' }, none],
  [{ ...set, sessionUrl: '/licensing/sessions?mode=popup' }, urls('/licensing/applications/app_1')],
  [{ ...set, sessionUrl: '/licensing/sessions#popup' }, urls('/licensing/applications/app_1')],
  [{ ...set, sessionUrl: '/status?of=/sessions' }, none],
  [{ ...set, sessionUrl: '' }, none],
  [
    { ...set, statusUrl: '/status' },
    { statusUrl: '/status', eventsUrl: '' },
  ],
  [
    { ...set, eventsUrl: '/events' },
    { statusUrl: '', eventsUrl: '/events' },
  ],
  [{ ...set, statusUrl: '/status', eventsUrl: '/events' }, own, own],
  [{ ...set, statusUrl: '/status', eventsUrl: '/events' }, { statusUrl: '', eventsUrl: '/events' }, { statusUrl: '' }],
];
for (const [attributes, expected, ofSession] of cases)
  it(`statusUrlsOf() returns "${expected.statusUrl}" and "${expected.eventsUrl}" for ${JSON.stringify({ ...attributes, ofSession })}`, () => {
    assert.deepEqual(statusUrlsOf({ ...unset, ...attributes }, ofSession && { ...session, ...ofSession }), expected);
  });
