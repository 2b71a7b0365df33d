import { expect, html, waitUntil } from '@open-wc/testing';
import { registerLocale } from '../../src/element/index.js';
import { arabic } from './arabic.js';
import { fakeTimers, type FakeTimers } from './clock.js';
import { has, hosted, inState, nextEvent, ofType, part, setup, textOf, type Stage } from './stage.js';
import { openWithoutProtocol, popupTemplate, watchWindows, type Windows } from './windows.js';

/** A popup is polled every 500 ms, and counts as closed after 1.5 s. */
const closedAfterMs = 2_000;

describe('the popup', function () {
  // Each window of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  let windows: Windows;
  let clock: FakeTimers;

  beforeEach(() => {
    windows = watchWindows();
    clock = fakeTimers();
  });

  afterEach(() => clock.restore());

  /** The partner's return page, opened like the application does. */
  function returnUrl(stage: Stage): string {
    const url = new URL('./fixtures/return.html', import.meta.url);
    url.search = new URLSearchParams({ status: 'submitted', state: stage.requests[0]?.returnState ?? '' }).toString();
    return url.href;
  }

  async function opened(stage: Stage): Promise<void> {
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    await ready;
    await stage.element.updateComplete;
  }

  it('the popup opens in the task of the click, while the session is being created', async () => {
    const stage = await setup({ template: popupTemplate });
    let arrive = (_url: string) => {};
    const session = new Promise<string>((resolve) => (arrive = resolve));
    stage.element.sessionProvider = async () => ({ applicationUrl: await session, applicationId: 'app_1' });
    part(stage, '.card button').click();
    expect(windows.opened).to.have.length(1);
    expect(windows.last().document.body.textContent).to.equal('Preparing your application…');
    await inState(stage, 'preparing');
    const ready = nextEvent(stage, 'licensing-ready');
    arrive(hosted());
    await ready;
    expect(stage.element.state).to.equal('active');
    expect(textOf(part(stage, '.container'))).to.contain('Your application is open in its own window.');
    expect(textOf(part(stage, '.container'))).to.contain(new URL(hosted()).host);
    expect(textOf(part(stage, '.container ~ [role=status]'))).to.equal('Your application is open in its own window.');
    await expect(stage.element).to.be.accessible();
  });

  it('the popup has the language and the direction of the element while it waits for the session', async () => {
    registerLocale('ar', arabic);
    const stage = await setup({ template: html`<licensing-apply mode="popup" locale="ar-EG"></licensing-apply>` });
    part(stage, '.card button').click();
    const { body, documentElement } = windows.last().document;
    expect(body.textContent).to.equal('جارٍ تجهيز طلبك…');
    expect([documentElement.lang, documentElement.dir]).to.deep.equal(['ar-EG', 'rtl']);
  });

  it('a later popup opens in the task of its click too', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    await stage.element.close({ force: true });
    await stage.element.updateComplete;
    part(stage, '.card button').click();
    expect(windows.opened).to.have.length(2);
    expect(windows.opened[0]?.closed).to.equal(true);
  });

  it('the popup is closed when the session fails', async () => {
    const stage = await setup({ template: popupTemplate });
    stage.element.sessionProvider = () => Promise.reject(new Error('out of order'));
    expect(await stage.element.show()).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(windows.last().closed).to.equal(true);
  });

  it('the page shows the progress of the popup, and its close button closes the popup', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    windows.command('update', { step: 'identity', index: 2 });
    await waitUntil(() => textOf(part(stage, '.step')).startsWith('Step 2 of 6'));
    part(stage, '[part~=close]').click();
    const { by, outcome } = await nextEvent(stage, 'licensing-close');
    expect({ by, outcome }).to.deep.equal({ by: 'button', outcome: 'unsubmitted' });
    expect(windows.last().closed).to.equal(true);
    expect(stage.element.state).to.equal('closed');
  });

  it('close() asks before unsaved input in the popup is lost', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    windows.command('update', { dirty: true });
    await waitUntil(() => stage.element.snapshot.dirty);
    const closing = stage.element.close();
    await waitUntil(() => has(stage, '.question'));
    part(stage, '.question .button').click();
    expect(await closing).to.equal(false);
    expect(windows.last().closed).to.equal(false);
  });

  it('a popup that is closed before its page sent anything leaves a card that continues the application', async () => {
    const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
    expect(await stage.element.show()).to.equal(true);
    windows.last().close();
    clock.advance(closedAfterMs);
    await inState(stage, 'closed');
    expect(stage.element.open).to.equal(false);
    expect(textOf(part(stage, '.card button'))).to.equal('Continue application');
    part(stage, '.card button').click();
    expect(windows.opened).to.have.length(2);
  });

  it('a popup that is closed while the session is being created cancels the opening', async () => {
    const stage = await setup({ template: popupTemplate });
    stage.element.sessionProvider = () => new Promise(() => {});
    const closed = nextEvent(stage, 'licensing-close');
    void stage.element.show();
    await inState(stage, 'preparing');
    windows.last().close();
    clock.advance(closedAfterMs);
    expect((await closed).by).to.equal('window');
    expect(stage.element.state).to.equal('closed');
  });

  it('a popup that comes to the return page is closed, and the application is complete', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    const closed = nextEvent(stage, 'licensing-close');
    windows.command('go', returnUrl(stage));
    const { by, outcome } = await closed;
    expect({ by, outcome }).to.deep.equal({ by: 'return', outcome: 'submitted' });
    expect(windows.last().closed).to.equal(true);
    const [complete] = ofType(stage, 'licensing-complete');
    expect({ source: complete?.source, verified: complete?.verified }).to.deep.equal({
      source: 'return',
      verified: false,
    });
  });

  it('a popup that the user closes can be opened again by the button beside it', async () => {
    const stage = await openWithoutProtocol(clock);
    windows.last().close();
    part(stage, '[part~=body] button').click();
    expect(windows.opened).to.have.length(2);
    clock.advance(closedAfterMs);
    expect(stage.element.open).to.equal(true);
    expect(await stage.element.close()).to.equal(true);
    expect(ofType(stage, 'licensing-close').map(({ outcome }) => outcome)).to.deep.equal(['unknown']);
  });
});
