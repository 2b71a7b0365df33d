import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { held, letGo } from './held.js';
import { command, focused, has, hosted, inState, nextEvent, ofType, opened, part, setup, textOf } from './stage.js';
import { hurry, watchWindows, type Windows } from './windows.js';

const overflow = () => getComputedStyle(document.documentElement).overflow;

describe('an opening that is over before it began', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(letGo);

  it('by a call of close() does not open once the code is there', async () => {
    const stage = await held();
    const showing = stage.element.show();
    expect(await stage.element.close()).to.equal(true);
    stage.arrive();
    expect(await showing).to.equal(false);
    await stage.element.updateComplete;
    expect([stage.element.open, stage.element.state, has(stage, 'dialog')]).to.deep.equal([false, 'idle', false]);
    expect(stage.events).to.have.length(0);
  });

  it('because the element is gone does not lock the page', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.element.remove();
    stage.arrive();
    expect(await showing).to.equal(false);
    expect(stage.page.getComputedStyle(stage.page.document.documentElement).overflow).not.to.equal('hidden');
  });

  it('because the element is in no document is none', async () => {
    const stage = await setup();
    stage.element.remove();
    expect(await stage.element.show()).to.equal(false);
    expect([overflow(), stage.element.open, stage.events.length]).to.deep.equal(['visible', false, 0]);
  });

  for (const state of ['preparing', 'connecting'])
    it(`by whoever hears that it is ${state} leaves nothing behind`, async () => {
      const stage = await setup();
      stage.element.addEventListener('licensing-statechange', ({ to }) => {
        if (to === state) void stage.element.close({ force: true });
      });
      expect(await stage.element.show()).to.equal(false);
      await stage.element.updateComplete;
      expect([stage.element.state, has(stage, 'dialog'), overflow()]).to.deep.equal(['closed', false, 'visible']);
      expect(ofType(stage, 'licensing-close')).to.have.length(1);
      expect(ofType(stage, 'licensing-error')).to.have.length(0);
    });

  it('by whoever hears of another mode is no failure', async () => {
    const windows = watchWindows();
    windows.block(1);
    const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>` });
    stage.element.addEventListener('licensing-modechange', () => void stage.element.close({ force: true }));
    expect(await stage.element.show()).to.equal(false);
    await stage.element.updateComplete;
    windows.end();
    expect([stage.element.state, has(stage, 'dialog'), overflow()]).to.deep.equal(['closed', false, 'visible']);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });

  it('while a backend takes its time can be begun again at once', async () => {
    const stage = await setup();
    const { sessionProvider } = stage.element;
    stage.element.sessionProvider = () => new Promise(() => {});
    const showing = stage.element.show();
    await inState(stage, 'preparing');
    await stage.element.close();
    expect(await showing).to.equal(false);
    await stage.element.updateComplete;
    expect(textOf(part(stage, '.card button'))).to.equal('Start application');
    stage.element.sessionProvider = sessionProvider;
    await opened(stage);
  });
});

describe('what a framework sets', function () {
  this.timeout(15_000);

  for (const nothing of [null, undefined])
    it(`to ${String(nothing)} is as if it had not been set`, async () => {
      const element = await fixture<LicensingApply>(
        html`<licensing-apply states="TX" estimated-fee="20" application-id="app_0"></licensing-apply>`,
      );
      const names = ['states', 'estimatedFee', 'applicationId', 'mode', 'fallback', 'locale', 'theme', 'preload'];
      for (const name of names) Reflect.set(element, name, nothing);
      await element.updateComplete;
      const card = textOf(element.renderRoot.querySelector('.card')!);
      expect(card).to.contain('Start application').and.not.to.contain('Texas').and.not.to.contain('$');
      expect(element.snapshot.applicationId).to.equal('');
    });

  it('and takes away again leaves the card whole', async () => {
    const element = await fixture<LicensingApply>(
      html`<licensing-apply states="TX" estimated-fee="much" application-id="app_0"></licensing-apply>`,
    );
    for (const name of ['states', 'application-id', 'mode']) element.removeAttribute(name);
    await element.updateComplete;
    expect(textOf(element.renderRoot.querySelector('.card')!)).not.to.contain('NaN');
    element.removeAttribute('estimated-fee');
    await element.updateComplete;
    expect(textOf(element.renderRoot.querySelector('.card')!))
      .to.contain('Start application')
      .and.not.to.contain('$');
  });

  it('to nothing does not make the news of the server another application’s', async () => {
    const original = window.fetch;
    const answer = { applicationId: 'app_7', progress: { step: 'identity', index: 2, count: 6 }, states: [] };
    window.fetch = () => Promise.resolve(Response.json(answer));
    const stage = await setup({ template: html`<licensing-apply status-url="/status"></licensing-apply>` });
    stage.element.sessionProvider = undefined;
    Object.assign(stage.element, { applicationUrl: hosted('plain.html'), applicationId: null });
    const undo = hurry(2_000);
    await stage.element.show();
    await waitUntil(() => stage.element.snapshot.index === 2);
    undo();
    window.fetch = original;
  });
});

describe('a window that the user closes', function () {
  this.timeout(15_000);
  let windows: Windows;
  beforeEach(() => (windows = watchWindows()));
  afterEach(() => windows.end());

  it('while it says that the application is prepared is given up', async () => {
    const stage = await setup({ template: html`<licensing-apply mode="popup"></licensing-apply>` });
    stage.element.sessionProvider = () => new Promise(() => {});
    const closed = nextEvent(stage, 'licensing-close');
    void stage.element.show();
    await inState(stage, 'preparing');
    windows.last().close();
    expect((await closed).by).to.equal('window');
    expect(stage.element.state).to.equal('closed');
  });
});

describe('a return that says that the session is over', function () {
  this.timeout(15_000);

  it('asks for one session, though the frame and the site both tell of it', async () => {
    const stage = await setup();
    await opened(stage);
    let asked = 0;
    // Until both were heard; the element listens longer, and hears first.
    const site = new BroadcastChannel('licensing-apply');
    const told = new Promise((resolve) => site.addEventListener('message', resolve));
    stage.element.sessionProvider = async ({ applicationId = '' }) => {
      asked += 1;
      await told;
      return { applicationUrl: `${hosted()}?renewed${asked}`, applicationId };
    };
    const url = new URL('./fixtures/return.html', import.meta.url);
    url.search = new URLSearchParams({ status: 'expired', state: stage.requests[0]?.returnState ?? '' }).toString();
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    command(stage, 'go', url.href);
    await waitUntil(() => stage.element.snapshot.index === 1, 'the renewed page', { timeout: 4_000 });
    site.close();
    expect(asked).to.equal(1);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });
});

describe('a failure of a session that the page gave', () => {
  it('leads back to the card, whose click is the page’s again', async () => {
    const stage = await setup();
    stage.element.sessionProvider = undefined;
    const session = nextEvent(stage, 'licensing-statechange').then(() => {
      throw new Error('out of order');
    });
    expect(await stage.element.show({ session })).to.equal(false);
    await stage.element.updateComplete;
    part(stage, '[part~=error] button').focus();
    part(stage, '[part~=error] button').click();
    await inState(stage, 'idle');
    await waitUntil(() => focused(stage) === part(stage, '.card button'), 'the focus on the card');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(textOf(part(stage, '.card button'))).to.equal('Start application');
  });
});

describe('what was announced', function () {
  this.timeout(15_000);

  it('in the modal is not said once more after it', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => textOf(part(stage, '.surface [role=status]')).startsWith('Step 2'));
    await stage.element.close();
    await stage.element.updateComplete;
    expect(textOf(part(stage, '[role=status]'))).to.equal('');
  });
});

describe('a hidden element', function () {
  this.timeout(15_000);

  it('shows its modal all the same, instead of a page that nobody can use', async () => {
    const stage = await setup({ template: html`<licensing-apply hidden></licensing-apply>` });
    expect(stage.element.checkVisibility()).to.equal(false);
    await opened(stage);
    expect(part(stage, 'dialog').checkVisibility()).to.equal(true);
    await stage.element.close();
    await stage.element.updateComplete;
    expect(stage.element.checkVisibility()).to.equal(false);
  });
});

describe('the language around the element', function () {
  this.timeout(15_000);

  it('is followed when the page changes it', async () => {
    const around = await fixture(html`<div lang="en"><licensing-apply></licensing-apply></div>`);
    const element = around.querySelector<LicensingApply>('licensing-apply')!;
    (around as HTMLElement).lang = 'es';
    await waitUntil(() => textOf(element.renderRoot as unknown as Element).includes('Iniciar solicitud'));
  });
});
