import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import { held, letGo } from './held.js';
import { command, hosted, nextEvent, ofType, opened, part, setup, textOf } from './stage.js';

describe('while most of the element is on its way', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(letGo);

  it('is asked for when the user points at the card, before anything opens', async () => {
    const stage = await held();
    expect(stage.isAsked()).to.equal(false);
    part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
    await waitUntil(stage.isAsked);
    expect(stage.events).to.have.length(0);
  });

  it('a click is not lost', async () => {
    const stage = await held();
    part(stage, '.card button').click();
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('true');
    expect(stage.events).to.have.length(0);
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    expect(stage.element.state).to.equal('active');
  });

  it('a window of its own is open already', async () => {
    const stage = await held();
    stage.element.mode = 'popup';
    const { open } = stage.page;
    const windows: (Window | null)[] = [];
    stage.page.open = (...args) => {
      const popup = open.apply(stage.page, args);
      windows.push(popup);
      return popup;
    };
    part(stage, '.card button').click();
    await stage.element.updateComplete;
    part(stage, '.card button').click();
    void stage.element.show();
    expect(windows, 'one window, however often it is asked for').to.have.length(1);
    stage.fail();
    await nextEvent(stage, 'licensing-error');
    expect(windows[0]?.closed).to.equal(true);
  });

  it('it says that it failed when it does not come', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.fail();
    expect(await showing).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['load_failed']);
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('false');
    const [failed] = ofType(stage, 'licensing-error');
    expect(textOf(part(stage, '.card p'))).to.equal(failed?.displayMessage);
    expect(textOf(part(stage, '[role=status]'))).to.equal(failed?.displayMessage);
    stage.element.style.setProperty('--licensing-apply-danger', 'rgb(1, 2, 3)');
    expect(getComputedStyle(part(stage, '.card p')).color, 'reads as a failure').to.equal('rgb(1, 2, 3)');
  });

  it('a session of the page that fails meanwhile is told as a failure, and to nobody else', async () => {
    const stage = await held();
    const unhandled: unknown[] = [];
    stage.page.addEventListener('unhandledrejection', ({ reason }) => unhandled.push(reason));
    const showing = stage.element.show({ session: stage.page.Promise.reject(new Error('out of order')) });
    // The browser tells of it in a task of its own.
    await aTimeout(0);
    stage.arrive();
    expect(await showing).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(unhandled).to.deep.equal([]);
  });

  it('it says that the browser is offline when it does not come for that', async () => {
    const stage = await held();
    Object.defineProperty(stage.page.navigator, 'onLine', { value: false });
    const showing = stage.element.show();
    stage.fail();
    expect(await showing).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['offline']);
  });
});

describe('the colors of the element', function () {
  this.timeout(15_000);

  it('are those of every document that follows a change, whatever else the tag of the language says', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?colors` } });
    stage.element.locale = 'en-US-u-hc-h12';
    stage.element.theme = 'light';
    await opened(stage);
    command(stage, 'update', { step: 'identity', index: 2 });
    stage.element.theme = 'dark';
    await waitUntil(() => stage.element.snapshot.dirty && stage.element.snapshot.index === 2);
    command(stage, 'go', `${hosted()}?colors`);
    await waitUntil(() => stage.element.snapshot.index === 1);
    await waitUntil(() => stage.element.snapshot.dirty);
  });
});
