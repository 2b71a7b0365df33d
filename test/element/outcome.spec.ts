import { expect, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import {
  addCleanup,
  command,
  has,
  hosted,
  inState,
  nextEvent,
  ofType,
  opened,
  part,
  setup,
  textOf,
  waitUntil,
  type Stage,
} from './stage.js';
import { application, requiring, serve } from './status-server.js';

const submitted = { step: 'submitted', index: 6, states: [{ state: 'TX', status: 'pending_review' }] };

/** The hosted page navigates to the partner's return page. */
function returnWith(stage: Stage, query: Record<string, string>): void {
  const url = new URL('./fixtures/return.html', import.meta.url);
  url.search = new URLSearchParams(query).toString();
  command(stage, 'go', url.href);
}

describe('the outcome', () => {
  it('an application that the page, the return and the server report as submitted completes once', async () => {
    const requests = serve(() => Response.json(requiring));
    const stage = await setup({ session: { statusUrl: '/status' } });
    await opened(stage);
    command(stage, 'submitted', submitted);
    await nextEvent(stage, 'licensing-complete');
    const { returnState = '' } = stage.requests[0] ?? {};
    const closed = nextEvent(stage, 'licensing-close');
    returnWith(stage, { status: 'submitted', state: returnState });
    const { outcome, by } = await closed;
    expect({ outcome, by }).to.deep.equal({ outcome: 'submitted', by: 'return' });
    await inState(stage, 'awaiting-action');
    expect(requests.length).to.be.at.least(1);
    const completions = ofType(stage, 'licensing-complete');
    expect(
      completions.map(({ applicationId, status, source, verified }) => ({ applicationId, status, source, verified })),
    ).to.deep.equal([{ applicationId: 'app_1', status: 'submitted', source: 'message', verified: false }]);
    expect(stage.element.snapshot.verified).to.equal(true);
  });

  it('a listener of licensing-complete after a redirect can read the state and the snapshot of the element', async () => {
    const state = { element: 'redirected', page: location.pathname, applicationId: 'app_1', returnNonce: 'nonce' };
    sessionStorage.setItem('licensing-apply#redirected', JSON.stringify({ ...state, expiresAt: Date.now() + 60_000 }));
    const { href } = location;
    const url = new URL(href);
    url.searchParams.set('status', 'submitted');
    url.searchParams.set('state', 'nonce');
    history.replaceState(null, '', url);
    addCleanup(() => {
      history.replaceState(null, '', href);
      sessionStorage.clear();
    });
    const completed = new Promise<unknown>((resolve) => {
      const onComplete = ({ target }: Event) => {
        const { state, snapshot } = target as LicensingApply;
        resolve([state, snapshot.submitted]);
      };
      document.addEventListener('licensing-complete', onComplete, { once: true });
    });
    await setup({ template: html`<licensing-apply id="redirected"></licensing-apply>` });
    expect(await completed).to.deep.equal(['submitted', true]);
    expect(location.href).to.equal(href);
  });

  it('the status list names the states and their statuses in words, and the state that needs the user comes first', async () => {
    serve(() => Response.json(requiring));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    const rows = [...stage.element.renderRoot.querySelectorAll('li')].map(textOf);
    expect(rows[0]).to.match(/^California Action needed Updated Nov 20, 2026 Upload your course certificate\. Answer$/);
    expect(rows[1]).to.match(/^Texas Approved Updated/);
    expect(ofType(stage, 'licensing-complete')).to.have.length(0);
    expect(textOf(part(stage, '[role=status]'))).to.equal('California: Action needed and Texas: Approved');
    await expect(stage.element).to.be.accessible();
  });

  it('the status list says "Not filed yet" of a state until it has the application, and never the code or another reason', async () => {
    const pending = { state: 'TX', status: 'pending_review' } as const;
    let answer = application([{ ...pending, updatedAt: '2026-11-20T12:01:00.000Z', reason: 'not_filed' }]);
    serve(() => Response.json(answer));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'submitted');
    expect(textOf(part(stage, 'li'))).to.equal('Texas Not filed yet Updated Nov 20, 2026');
    expect(textOf(part(stage, '[role=status]'))).to.equal('Texas: Not filed yet');
    for (const [time, reason] of [
      ['01.001Z', undefined],
      ['02Z', 'waits_for_somebody'],
    ] as const) {
      answer = application([{ ...pending, updatedAt: `2026-11-20T12:01:${time}`, ...(reason && { reason }) }]);
      window.dispatchEvent(new Event('online'));
      await waitUntil(() => stage.element.snapshot.states[0]?.reason === reason);
      await stage.element.updateComplete;
      expect(textOf(part(stage, 'li'))).to.equal('Texas In review Updated Nov 20, 2026');
    }
  });

  it('the status list has the number and the last day of a license, and the day and the receipt of the submission', async () => {
    const updatedAt = '2026-11-20T12:01:00Z';
    const license = { licenseNumber: '1234567', expiresOn: '2028-11-30' };
    const answer = application([
      { state: 'TX', status: 'approved', updatedAt, ...license },
      // Not a license any more, whatever the host still sends.
      { state: 'CA', status: 'denied', updatedAt, ...license },
      { state: 'OH', status: 'approved', updatedAt, expiresOn: 'soon' },
    ]);
    serve(() => Response.json({ ...answer, receiptNumber: '4F7K-22QP', receiptUrl: hosted() }));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'submitted');
    const rows = [...stage.element.renderRoot.querySelectorAll('li')].map(textOf);
    expect(rows[0]).to.equal('California Denied Updated Nov 20, 2026');
    expect(rows[1]).to.equal('Ohio Approved Updated Nov 20, 2026');
    expect(rows[2]).to.equal('Texas Approved Updated Nov 20, 2026 License 1234567 · Expires Nov 30, 2028');
    expect(textOf(part(stage, '[part=receipt]'))).to.equal('Submitted Nov 20, 2026 · Receipt 4F7K-22QP Show receipt');
    const { receiptNumber, submittedAt, states } = stage.element.snapshot;
    expect({ receiptNumber, submittedAt }).to.deep.equal({
      receiptNumber: '4F7K-22QP',
      submittedAt: answer.submittedAt,
    });
    expect(states.find(({ state }) => state === 'TX')).to.deep.include(license);
    expect(JSON.stringify(stage.element.snapshot)).not.to.contain(hosted());
    await expect(stage.element).to.be.accessible();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part=receipt] button').click();
    await ready;
    expect([stage.element.state, stage.requests.length]).to.deep.equal(['active', 0]);
    await stage.element.close();
    expect(stage.element.state).to.equal('submitted');
  });

  it('the card of an unfinished application keeps its states and fees after a reload, and offers to continue', async () => {
    const { submittedAt: _submittedAt, ...unfinished } = application([]);
    const progress = { step: 'background', index: 3, count: 6 };
    const more = { requestedStates: ['TX', 'CA'], estimatedFees: { total: 238.5 }, createdAt: '2026-11-20T12:00:00Z' };
    serve(() => Response.json({ ...unfinished, progress, ...more }));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status" states="NV"></licensing-apply>`,
    });
    expect(textOf(part(stage, '.card button'))).to.equal('Continue application');
    await waitUntil(() => stage.element.snapshot.index === 3);
    await stage.element.updateComplete;
    const card = textOf(part(stage, '.card'));
    expect(card).to.contain('Step 3 of 6').and.contain('Texas and California').and.contain('$238.50');
    expect(card).to.contain('Started Nov 20, 2026').and.contain('Continue application');
    expect(stage.element.snapshot).to.deep.include({ requestedStates: ['TX', 'CA'], estimatedFee: 238.5 });
    part(stage, '.card button').click();
    await nextEvent(stage, 'licensing-ready');
    expect(stage.requests.map(({ reason, applicationId }) => [reason, applicationId])).to.deep.equal([
      ['resume', 'app_1'],
    ]);
  });

  it('the action button opens the link of the state, and the new status shows after the user has answered', async () => {
    let answered = requiring;
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

  it('a page that calls respondWith() opens the link itself, and the status is read again afterwards', async () => {
    const requests = serve(() => Response.json(requiring));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    const before = requests.length;
    stage.element.addEventListener('licensing-action', (event) => {
      event.respondWith(Promise.resolve());
    });
    part(stage, '[part=action-button]').click();
    await waitUntil(() => requests.length > before);
    expect(stage.element.open).to.equal(false);
  });

  it('a page that comes back from the back/forward cache shows what was submitted in another window', async () => {
    const requests = serve(() => Response.json(requiring));
    const stage = await setup({ session: { statusUrl: '/status' } });
    await opened(stage);
    await stage.element.close();
    expect([stage.element.state, requests.length]).to.deep.equal(['closed', 0]);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await inState(stage, 'awaiting-action');
    expect(new Set(requests)).to.deep.equal(new Set(['/status']));
  });

  it('an application-id that is set later is followed, and so is another one after it', async () => {
    const requests = serve((url) => Response.json({ ...requiring, applicationId: url.slice(1) }));
    const stage = await setup();
    stage.element.setAttribute('status-url', '/app_1');
    stage.element.applicationId = 'app_1';
    await inState(stage, 'awaiting-action');
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    Object.assign(stage.element, { applicationId: 'app_2', statusUrl: '/app_2' });
    await waitUntil(() => requests.includes('/app_2') && stage.element.state === 'awaiting-action');
    expect(stage.element.snapshot).to.deep.include({ applicationId: 'app_2', submitted: true });
    stage.element.applicationId = '';
    await inState(stage, 'idle');
    expect(stage.element.snapshot.states).to.have.length(0);
    expect(has(stage, 'li')).to.equal(false);
  });

  it('an element that is removed and inserted again requests the status again', async () => {
    let requests = 0;
    serve(() => (++requests, new Response('', { status: 503 })));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await waitUntil(() => requests === 1);
    const { parentElement } = stage.element;
    stage.element.remove();
    await Promise.resolve();
    parentElement?.append(stage.element);
    await waitUntil(() => requests === 2);
  });
});
