import { expect, html, waitUntil } from '@open-wc/testing';
import type { Application } from '../../src/contract/index.js';
import { type LicensingBlockedEvent, registerLocale } from '../../src/element/index.js';
import { arabic } from './arabic.js';
import { has, hosted, inState, nextEvent, ofType, part, setup, textOf, type Stage } from './stage.js';
import { hurry, watchWindows, type Windows } from './windows.js';

const popupTemplate = html`<licensing-apply mode="popup"></licensing-apply>`;

describe('in a window of its own', function () {
  // Windows of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  let windows: Windows;
  const undo: (() => void)[] = [];

  beforeEach(() => {
    windows = watchWindows();
  });

  afterEach(() => {
    windows.end();
    for (const restore of undo.splice(0)) restore();
  });

  async function opened(stage: Stage): Promise<void> {
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    await ready;
    await stage.element.updateComplete;
  }

  it('opens in the task of the click, while the session is on its way', async () => {
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
    expect(textOf(part(stage, '.surface'))).to.contain('Your application is open in its own window.');
    expect(textOf(part(stage, '.surface'))).to.contain(new URL(hosted()).host);
    expect(textOf(part(stage, '.surface ~ [role=status]'))).to.equal('Your application is open in its own window.');
    await expect(stage.element).to.be.accessible();
  });

  it('waits in the language of the element, and the way it is written', async () => {
    registerLocale('ar', arabic);
    const stage = await setup({ template: html`<licensing-apply mode="popup" locale="ar-EG"></licensing-apply>` });
    part(stage, '.card button').click();
    const { body, documentElement } = windows.last().document;
    expect(body.textContent).to.equal('جارٍ تجهيز طلبك…');
    expect([documentElement.lang, documentElement.dir]).to.deep.equal(['ar-EG', 'rtl']);
  });

  it('opens in the task of a later click too', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    await stage.element.close({ force: true });
    await stage.element.updateComplete;
    part(stage, '.card button').click();
    expect(windows.opened).to.have.length(2);
    expect(windows.opened[0]?.closed).to.equal(true);
  });

  it('goes with the page that does not want it', async () => {
    const stage = await setup({ template: popupTemplate });
    stage.element.addEventListener('licensing-beforeopen', (event) => {
      expect(event.mode).to.equal('popup');
      event.preventDefault();
    });
    expect(await stage.element.show()).to.equal(false);
    expect(windows.last().closed).to.equal(true);
    expect(stage.element.state).to.equal('idle');
  });

  it('goes when the session fails', async () => {
    const stage = await setup({ template: popupTemplate });
    stage.element.sessionProvider = () => Promise.reject(new Error('out of order'));
    expect(await stage.element.show()).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(windows.last().closed).to.equal(true);
  });

  it('tells its progress to the page, and closes with it', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    windows.command('update', { step: 'identity', index: 2 });
    await waitUntil(() => textOf(part(stage, '.step')).startsWith('Step 2 of 6'));
    part(stage, '[part~=close]').click();
    const { by, outcome } = await nextEvent(stage, 'licensing-close');
    expect({ by, outcome }).to.deep.equal({ by: 'button', outcome: 'unknown' });
    expect(windows.last().closed).to.equal(true);
    expect(stage.element.state).to.equal('closed');
  });

  it('asks before it closes over unsaved work', async () => {
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

  it('that the user closes is no cancellation: the application can be continued', async () => {
    undo.push(hurry(3_000));
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    const closed = nextEvent(stage, 'licensing-close');
    windows.last().close();
    const { by, outcome } = await closed;
    expect({ by, outcome }).to.deep.equal({ by: 'window', outcome: 'unknown' });
    expect(stage.element.state).to.equal('closed');
  });

  it('that the user closes after the submission ends with what the server says', async () => {
    undo.push(hurry(3_000));
    const original = window.fetch;
    window.fetch = () => Promise.resolve(Response.json(submittedApplication));
    undo.push(() => (window.fetch = original));
    const stage = await setup({ template: popupTemplate, session: { statusUrl: '/status' } });
    await opened(stage);
    const complete = nextEvent(stage, 'licensing-complete');
    windows.last().close();
    const { source, verified } = await complete;
    expect({ source, verified }).to.deep.equal({ source: 'server', verified: true });
    await inState(stage, 'submitted');
    await waitUntil(() => ofType(stage, 'licensing-close').length === 1);
    expect(ofType(stage, 'licensing-close')[0]?.outcome).to.equal('submitted');
  });

  it('that is blocked is offered again, which is no failure', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    part(stage, '.card button').click();
    await nextEvent(stage, 'licensing-blocked');
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    expect(stage.element.state).to.equal('preparing');
    expect(textOf(part(stage, '[part~=body]'))).to.contain('blocked the window');
    await expect(stage.element).to.be.accessible();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'slot[name=blocked] button').click();
    expect(windows.opened).to.have.length(1);
    await ready;
    expect(has(stage, 'slot[name=blocked]')).to.equal(false);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });

  it('that is blocked shows so in its style, as long as it is', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    expect(stage.element.matches(':state(idle)')).to.equal(true);
    const blocked = nextEvent(stage, 'licensing-blocked');
    part(stage, '.card button').click();
    const { retry } = await blocked;
    await waitUntil(() => stage.element.matches(':state(blocked):state(preparing)'));
    const ready = nextEvent(stage, 'licensing-ready');
    retry();
    await ready;
    await stage.element.updateComplete;
    expect(stage.element.matches(':state(blocked)')).to.equal(false);
  });

  it('that the page offers itself is blocked all the same, and no longer once it is given up', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    stage.element.addEventListener('licensing-blocked', (event) => {
      event.preventDefault();
    });
    void stage.element.show();
    await waitUntil(() => stage.element.matches(':state(blocked)'));
    await stage.element.close({ force: true });
    await stage.element.updateComplete;
    expect(stage.element.matches(':state(blocked)')).to.equal(false);
  });

  it('that is blocked when it is opened again shows so until it is there', async () => {
    undo.push(hurry(2_000, 3_000));
    const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
    await stage.element.show();
    await inState(stage, 'active');
    windows.last().close();
    windows.block(1);
    part(stage, '[part~=body] button').click();
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    part(stage, 'slot[name=blocked] button').click();
    await waitUntil(() => !has(stage, 'slot[name=blocked]'));
    expect(windows.opened).to.have.length(2);
    expect(stage.element.open).to.equal(true);
  });

  it('that stays blocked can be given up', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    const showing = stage.element.show();
    await nextEvent(stage, 'licensing-blocked');
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    part(stage, '[part~=close]').click();
    expect(await showing).to.equal(false);
    expect(stage.element.state).to.equal('closed');
  });

  it('that is blocked can be offered by the page itself', async () => {
    windows.block(1);
    const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>` });
    let blocked: LicensingBlockedEvent | undefined;
    stage.element.addEventListener('licensing-blocked', (event) => {
      event.preventDefault();
      blocked = event;
    });
    void stage.element.show();
    await waitUntil(() => blocked);
    expect(has(stage, 'slot[name=blocked]')).to.equal(false);
    expect(ofType(stage, 'licensing-modechange')).to.have.length(0);
    const ready = nextEvent(stage, 'licensing-ready');
    blocked?.retry();
    await ready;
    expect(windows.opened).to.have.length(1);
  });

  it('ends with the return to this site', async () => {
    const stage = await setup({ template: popupTemplate });
    await opened(stage);
    const url = new URL('./fixtures/return.html', import.meta.url);
    url.search = new URLSearchParams({ status: 'submitted', state: stage.requests[0]?.returnState ?? '' }).toString();
    const closed = nextEvent(stage, 'licensing-close');
    windows.command('go', url.href);
    const { by, outcome } = await closed;
    expect({ by, outcome }).to.deep.equal({ by: 'return', outcome: 'submitted' });
    expect(windows.last().closed).to.equal(true);
    const [complete] = ofType(stage, 'licensing-complete');
    expect({ source: complete?.source, verified: complete?.verified }).to.deep.equal({
      source: 'return',
      verified: false,
    });
  });

  it('of a host without the channel ends with the return to this site', async () => {
    undo.push(hurry(2_000));
    const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
    await stage.element.show();
    await inState(stage, 'active');
    expect(ofType(stage, 'licensing-ready')).to.have.length(0);
    const url = new URL('./fixtures/return.html', import.meta.url);
    url.search = new URLSearchParams({ status: 'submitted', state: stage.requests[0]?.returnState ?? '' }).toString();
    windows.last().location.replace(url.href);
    const { by, outcome } = await nextEvent(stage, 'licensing-close');
    expect({ by, outcome }).to.deep.equal({ by: 'return', outcome: 'submitted' });
  });

  it('of a host without the channel stays open for the user to say when it is over, and can be opened again', async () => {
    undo.push(hurry(2_000, 3_000));
    const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
    await stage.element.show();
    await inState(stage, 'active');
    windows.last().close();
    part(stage, '[part~=body] button').click();
    expect(windows.opened).to.have.length(2);
    expect(stage.element.open).to.equal(true);
    expect(await stage.element.close()).to.equal(true);
  });
});

const submittedApplication: Application = {
  applicationId: 'app_1',
  sessionId: 'ses_1',
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  submittedAt: '2026-11-20T12:00:00Z',
  progress: { step: 'submitted', index: 6, count: 6 },
  states: [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:01:00Z' }],
};
