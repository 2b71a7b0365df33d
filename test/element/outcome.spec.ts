import { expect, html, waitUntil } from '@open-wc/testing';
import type { Application } from '../../src/contract/index.js';
import { command, has, hosted, inState, nextEvent, ofType, opened, part, setup, textOf, type Stage } from './stage.js';

const submitted = { step: 'submitted', index: 6, states: [{ state: 'TX', status: 'pending_review' }] };

function application(states: Application['states']): Application {
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

const asking = application([
  { state: 'TX', status: 'approved', updatedAt: '2026-11-20T12:01:00Z' },
  {
    state: 'CA',
    status: 'requires_action',
    updatedAt: '2026-11-20T12:02:00Z',
    reason: 'Upload your course certificate.',
    actionUrl: hosted(),
  },
]);

/** A server's answers for the time of one test. */
function serve(answer: (url: string) => Response | Promise<Response>): string[] {
  const original = window.fetch;
  const asked: string[] = [];
  window.fetch = (input) => {
    const url = input instanceof Request ? input.url : String(input);
    asked.push(url);
    return Promise.resolve(answer(url));
  };
  restore.push(() => (window.fetch = original));
  return asked;
}

const restore: (() => void)[] = [];

/** The frame of the application goes to the partner's return page. */
function goBack(stage: Stage, query: Record<string, string>): void {
  const url = new URL('./fixtures/return.html', import.meta.url);
  url.search = new URLSearchParams(query).toString();
  command(stage, 'go', url.href);
}

describe('the outcome', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(() => {
    for (const undo of restore.splice(0)) undo();
  });

  it('completes once though the page, the return and the server all report it', async () => {
    const asked = serve(() => Response.json(asking));
    const stage = await setup({ session: { statusUrl: '/status' } });
    await opened(stage);
    command(stage, 'submitted', submitted);
    await nextEvent(stage, 'licensing-complete');
    const { returnState = '' } = stage.requests[0] ?? {};
    const closed = nextEvent(stage, 'licensing-close');
    goBack(stage, { status: 'submitted', state: returnState });
    const { outcome, by } = await closed;
    expect({ outcome, by }).to.deep.equal({ outcome: 'submitted', by: 'return' });
    await inState(stage, 'awaiting-action');
    expect(asked.length).to.be.at.least(1);
    const completions = ofType(stage, 'licensing-complete');
    expect(
      completions.map(({ applicationId, status, source, verified }) => ({ applicationId, status, source, verified })),
    ).to.deep.equal([{ applicationId: 'app_1', status: 'submitted', source: 'message', verified: false }]);
    expect(stage.element.snapshot.verified).to.equal(true);
  });

  it('is told by the return alone', async () => {
    const stage = await setup();
    await opened(stage);
    const complete = nextEvent(stage, 'licensing-complete');
    goBack(stage, { status: 'submitted', state: stage.requests[0]?.returnState ?? '' });
    const { source, verified } = await complete;
    expect({ source, verified }).to.deep.equal({ source: 'return', verified: false });
    await inState(stage, 'submitted');
    expect(has(stage, 'dialog')).to.equal(false);
  });

  it('is told by a return in another window', async () => {
    const stage = await setup();
    await opened(stage);
    const complete = nextEvent(stage, 'licensing-complete');
    const elsewhere = new BroadcastChannel('licensing-apply');
    elsewhere.postMessage({
      ns: 'licensing-apply',
      t: 'return',
      status: 'submitted',
      state: stage.requests[0]?.returnState,
    });
    await complete;
    elsewhere.close();
    await inState(stage, 'submitted');
  });

  it('completes nothing for a return without the right value, and says so', async () => {
    const stage = await setup();
    await opened(stage);
    const rejected = nextEvent(stage, 'licensing-messagerejected');
    goBack(stage, { status: 'submitted', state: 'guessed' });
    const { reason, origin } = await rejected;
    expect({ reason, origin }).to.deep.equal({ reason: 'state', origin: location.origin });
    expect(stage.element.state).to.equal('active');
    expect(ofType(stage, 'licensing-complete')).to.have.length(0);
  });

  it('refuses forged returns: another window that knows the value, another origin, and garbage', async () => {
    const stage = await setup();
    await opened(stage);
    const message = { ns: 'licensing-apply', t: 'return', status: 'submitted', state: stage.requests[0]?.returnState };
    window.postMessage(message, location.origin);
    window.dispatchEvent(
      new MessageEvent('message', { data: message, origin: 'https://evil.example', source: window }),
    );
    for (const data of [null, 1, 'return', { ...message, status: 'approved' }, { ...message, state: 7 }]) {
      window.postMessage(data, location.origin);
    }
    await waitUntil(() => ofType(stage, 'licensing-messagerejected').length >= 2);
    expect(
      ofType(stage, 'licensing-messagerejected')
        .map(({ reason }) => reason)
        .sort(),
    ).to.deep.equal(['origin', 'source']);
    expect(stage.element.state).to.equal('active');
  });

  it('closes as cancelled when the user left on purpose', async () => {
    const stage = await setup();
    await opened(stage);
    const closed = nextEvent(stage, 'licensing-close');
    goBack(stage, { status: 'cancelled', state: stage.requests[0]?.returnState ?? '' });
    expect((await closed).outcome).to.equal('cancelled');
    expect(stage.element.state).to.equal('closed');
  });

  it('lists the states, the one that needs the user first, with words beside the colours', async () => {
    serve(() => Response.json(asking));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    const rows = [...stage.element.renderRoot.querySelectorAll('li')].map(textOf);
    expect(rows[0]).to.match(/^California Action needed Updated Nov 20, 2026 Upload your course certificate\. Answer$/);
    expect(rows[1]).to.match(/^Texas Approved Updated/);
    expect(ofType(stage, 'licensing-complete')).to.have.length(0);
    expect(textOf(part(stage, '[role=status]'))).to.equal('California: Action needed. Texas: Approved.');
    await expect(stage.element).to.be.accessible();
  });

  it('opens again where a state asks for more, and goes on when it was answered', async () => {
    let answered = asking;
    serve(() => Response.json(answered));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    const action = nextEvent(stage, 'licensing-action');
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part=action-button]').click();
    const { url, state, reason } = await action;
    expect({ url, state, reason }).to.deep.equal({
      url: hosted(),
      state: 'CA',
      reason: 'Upload your course certificate.',
    });
    await ready;
    expect(stage.element.state).to.equal('active');
    answered = application([
      { state: 'TX', status: 'approved', updatedAt: '2026-11-20T12:01:00Z' },
      { state: 'CA', status: 'approved', updatedAt: '2026-11-20T12:03:00Z' },
    ]);
    command(stage, 'requestClose', 'done');
    await inState(stage, 'submitted');
    expect(ofType(stage, 'licensing-close').map(({ outcome, by }) => ({ outcome, by }))).to.deep.equal([
      { outcome: 'submitted', by: 'page' },
    ]);
    expect(stage.element.snapshot.states.map(({ status }) => status)).to.deep.equal(['approved', 'approved']);
  });

  it('says that every state has decided once nothing more will come, and not before', async () => {
    const allWith = (status: 'pending_review' | 'denied') =>
      application(asking.states.map(({ state, updatedAt }) => ({ state, status, updatedAt })));
    let answer = allWith('pending_review');
    serve(() => Response.json(answer));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'submitted');
    expect(textOf(part(stage, '[part=card]'))).to.include('This list updates by itself.');
    answer = allWith('denied');
    document.dispatchEvent(new Event('visibilitychange'));
    await waitUntil(() => textOf(part(stage, '[part=title]')) === 'Every state has decided');
    expect(textOf(part(stage, '[part=card]'))).not.to.include('updates by itself');
  });

  it('follows an application that is named later, and then another', async () => {
    const asked = serve((url) => Response.json({ ...asking, applicationId: url.slice(1) }));
    const stage = await setup();
    stage.element.setAttribute('status-url', '/app_1');
    stage.element.applicationId = 'app_1';
    await inState(stage, 'awaiting-action');
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    Object.assign(stage.element, { applicationId: 'app_2', statusUrl: '/app_2' });
    await waitUntil(() => asked.includes('/app_2') && stage.element.state === 'awaiting-action');
    expect(stage.element.snapshot).to.deep.include({ applicationId: 'app_2', submitted: true });
    stage.element.applicationId = '';
    await inState(stage, 'idle');
    expect(stage.element.snapshot.states).to.have.length(0);
    expect(has(stage, 'li')).to.equal(false);
  });

  it('keeps the application that is open when the page names another, and takes that one afterwards', async () => {
    serve(() => Response.json({ ...asking, applicationId: 'app_2' }));
    const stage = await setup();
    await opened(stage);
    Object.assign(stage.element, { applicationId: 'app_2', statusUrl: '/status' });
    await stage.element.updateComplete;
    expect(stage.element.state).to.equal('active');
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    await stage.element.close();
    await inState(stage, 'awaiting-action');
    expect(stage.element.snapshot.applicationId).to.equal('app_2');
  });

  it('loses nothing when the page names the application that it was just told of', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'update', { step: 'payment', index: 5 });
    await waitUntil(() => stage.element.snapshot.index === 5);
    stage.element.applicationId = stage.element.snapshot.applicationId;
    await stage.element.updateComplete;
    await stage.element.close();
    expect(stage.element.state).to.equal('closed');
    expect(stage.element.snapshot.index).to.equal(5);
  });

  it('follows again after the element was taken out and put back', async () => {
    let asked = 0;
    serve(() => (++asked, new Response('', { status: 503 })));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await waitUntil(() => asked === 1);
    const { parentElement } = stage.element;
    stage.element.remove();
    await Promise.resolve();
    parentElement?.append(stage.element);
    await waitUntil(() => asked === 2);
  });

  it('tells the statuses once when the page and the server say the same', async () => {
    const stage = await setup({ session: { statusUrl: '/status' } });
    serve(() =>
      Response.json(application([{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:01:00Z' }])),
    );
    await opened(stage);
    command(stage, 'submitted', submitted);
    await waitUntil(() => stage.element.snapshot.verified);
    expect(ofType(stage, 'licensing-status').map(({ states }) => states.length)).to.deep.equal([1]);
    expect(stage.element.snapshot.states[0]?.updatedAt).to.equal('2026-11-20T12:01:00Z');
  });

  it('lets the page open the link by itself', async () => {
    const asked = serve(() => Response.json(asking));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    const before = asked.length;
    stage.element.addEventListener('licensing-action', (event) => {
      event.respondWith(Promise.resolve());
    });
    part(stage, '[part=action-button]').click();
    await waitUntil(() => asked.length > before);
    expect(stage.element.open).to.equal(false);
  });

  it('shows in the events no address and nothing of a frame but its origin', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?token=secret` } });
    await opened(stage);
    command(stage, 'submitted', submitted);
    await nextEvent(stage, 'licensing-complete');
    const words = stage.events.map(({ event }) =>
      JSON.stringify(Object.values(event), (key, value: unknown) => (value instanceof Node ? '' : value)),
    );
    expect(words.join()).not.to.contain('secret').and.not.to.contain('hosted.html');
  });
});
