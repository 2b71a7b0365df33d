import { expect } from '@open-wc/testing';
import { held, type HeldStage, removeHeld } from './held.js';
import { focused, has, hosted, inState, nextEvent, ofType, part, setup, textOf, waitUntil } from './stage.js';

describe('<licensing-apply>, while its controller loads', () => {
  afterEach(removeHeld);

  it('<licensing-apply> requests the controller when the user points at the card, before anything opens', async () => {
    const stage = await held();
    expect(stage.isRequested()).to.equal(false);
    pointAt(stage);
    await waitUntil(stage.isRequested);
    expect(stage.events).to.have.length(0);
  });

  it('<licensing-apply> requests the controller when the user opens it, and not before, with preload="none"', async () => {
    const stage = await held();
    stage.element.preload = 'none';
    stage.element.applicationUrl = hosted();
    pointAt(stage);
    part(stage, '.card button').dispatchEvent(new stage.page.FocusEvent('focusin', { bubbles: true }));
    await stage.element.updateComplete;
    expect(stage.isRequested()).to.equal(false);
    expect(preconnectsOf(stage)).to.deep.equal([]);
    part(stage, '.card button').click();
    await waitUntil(stage.isRequested);
  });

  it('<licensing-apply> preconnects once to the origin of an application URL that is known, and to no URL that it would refuse', async () => {
    const stage = await held();
    for (const url of ['javascript:alert(1)', 'http://apply.example', 'apply.example', `${location.origin}/s/1`]) {
      stage.element.applicationUrl = url;
      pointAt(stage);
    }
    pointAt(stage);
    expect(preconnectsOf(stage), 'no URL').to.deep.equal([]);
    stage.element.applicationUrl = hosted();
    pointAt(stage);
    pointAt(stage);
    expect(preconnectsOf(stage).map(({ href }) => href)).to.deep.equal([new URL('/', hosted()).href]);
  });

  it('<licensing-apply> opens after a click that came before the controller', async () => {
    const stage = await held();
    part(stage, '.card button').click();
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('true');
    expect(stage.element.matches(':state(preparing)')).to.equal(true);
    expect(stage.events.map(({ type }) => type)).to.deep.equal(['licensing-beforeopen', 'licensing-statechange']);
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    expect(stage.element.state).to.equal('active');
    expect(ofType(stage, 'licensing-beforeopen')).to.have.length(1);
    const states = ofType(stage, 'licensing-statechange').map(({ to }) => to);
    expect(states).to.deep.equal(['preparing', 'connecting', 'active']);
    const { timeline } = await stage.element.diagnose();
    expect(timeline.map(({ event }) => event)).to.deep.equal(states);
  });

  it('<licensing-apply> reports that it was closed if close() is called while the controller loads', async () => {
    const stage = await held();
    const showing = stage.element.show();
    expect(stage.element.state).to.equal('preparing');
    expect(await stage.element.close()).to.equal(true);
    stage.arrive();
    expect(await showing).to.equal(false);
    await stage.element.diagnose();
    expect(stage.element.state, 'once the controller is loaded').to.equal('closed');
    expect(ofType(stage, 'licensing-statechange').map(({ to }) => to)).to.deep.equal(['preparing', 'closed']);
    const [closed, ...others] = ofType(stage, 'licensing-close');
    expect([closed?.outcome, closed?.by, others.length]).to.deep.equal(['unsubmitted', 'call', 0]);
  });

  it('<licensing-apply> opens one popup in the task of the click, and closes it if the controller cannot be loaded', async () => {
    const stage = await held();
    stage.element.mode = 'popup';
    const popups = recordPopups(stage);
    part(stage, '.card button').click();
    expect(popups).to.have.length(1);
    await stage.element.updateComplete;
    part(stage, '.card button').click();
    const showing = stage.element.show();
    expect(popups, 'one popup for three calls').to.have.length(1);
    stage.fail();
    expect(await showing).to.equal(false);
    expect(popups[0]?.closed).to.equal(true);
  });

  it('<licensing-apply> returns one promise for all calls of show(), and whenClosed() waits for that opening', async () => {
    const stage = await held();
    const showing = stage.element.show();
    const result = stage.element.whenClosed();
    expect(stage.element.show({ mode: 'inline' })).to.equal(showing);
    stage.arrive();
    expect(await showing).to.equal(true);
    expect(ofType(stage, 'licensing-beforeopen').map(({ mode }) => mode)).to.deep.equal(['modal']);
    await stage.element.close({ force: true });
    expect(await result).to.deep.equal({ outcome: 'unsubmitted', by: 'call' });
  });

  it('<licensing-apply> opens again after close(), without waiting for the opening that was cancelled', async () => {
    const stage = await held();
    stage.element.mode = 'popup';
    const popups = recordPopups(stage);
    const cancelled = stage.element.show();
    await stage.element.close();
    const showing = stage.element.show();
    stage.arrive();
    expect([await cancelled, await showing]).to.deep.equal([false, true]);
    expect(popups.map((popup) => popup?.closed)).to.deep.equal([true, false]);
    expect(stage.element.open).to.equal(true);
    popups[1]?.close();
  });

  it('<licensing-apply> is open at last after `open` changed to true, false and true', async () => {
    const stage = await held();
    for (const open of [true, false, true]) {
      stage.element.open = open;
      await stage.element.updateComplete;
      // The property takes effect after the rendering.
      await new Promise((resolve) => setTimeout(resolve));
    }
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    await stage.element.updateComplete;
    expect([stage.element.open, stage.element.state]).to.deep.equal([true, 'active']);
  });

  it('<licensing-apply> shows and announces load_failed or offline on the card if the controller cannot be loaded', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.fail();
    expect(await showing).to.equal(false);
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('false');
    const [error] = ofType(stage, 'licensing-error');
    expect(textOf(part(stage, '.card p'))).to.equal(error?.displayMessage);
    expect(textOf(part(stage, '[role=status]'))).to.equal(error?.displayMessage);
    expect(stage.element.state).to.equal('error');
    stage.element.style.setProperty('--licensing-apply-danger', 'rgb(1, 2, 3)');
    expect(getComputedStyle(part(stage, '.card p')).color, 'the color of errors').to.equal('rgb(1, 2, 3)');
    Object.defineProperty(stage.page.navigator, 'onLine', { value: false });
    expect(await stage.element.show()).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['load_failed', 'offline']);
  });

  it('<licensing-apply> fails with session_failed if the session of the page rejects before the controller is loaded', async () => {
    const stage = await held();
    const unhandled: unknown[] = [];
    stage.page.addEventListener('unhandledrejection', ({ reason }) => unhandled.push(reason));
    const showing = stage.element.show({ session: stage.page.Promise.reject(new Error('down')) });
    // The browser reports an unhandled rejection in a separate task.
    await new Promise((resolve) => setTimeout(resolve));
    stage.arrive();
    expect(await showing).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(unhandled).to.deep.equal([]);
  });

  it('an element that is removed while the code is loading does not lock the page', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.element.remove();
    stage.arrive();
    expect(await showing).to.equal(false);
    expect(stage.page.getComputedStyle(stage.page.document.documentElement).overflow).not.to.equal('hidden');
  });
});

describe('the modal, while the session is requested', () => {
  it('the modal is open with a skeleton while the session is requested, and restores the focus when the user closes it', async () => {
    const stage = await setup();
    stage.element.sessionProvider = () => new Promise(() => {});
    part(stage, '.card button').focus();
    void stage.element.show();
    await waitUntil(() => has(stage, 'dialog'));
    expect(stage.element.state).to.equal('preparing');
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
    expect(textOf(part(stage, '.skeleton'))).to.equal('Preparing your application…');
    expect(focused(stage)).to.equal(part(stage, '.close'));
    part(stage, '.close').click();
    await inState(stage, 'closed');
    await waitUntil(() => focused(stage) === part(stage, '.card button'), 'the focus on the button');
    expect(has(stage, 'dialog')).to.equal(false);
  });
});

/** Moves the user's pointer to the card. */
function pointAt(stage: HeldStage): void {
  part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
}

function preconnectsOf({ page }: HeldStage): HTMLLinkElement[] {
  return [...page.document.querySelectorAll<HTMLLinkElement>('link[rel=preconnect]')];
}

function recordPopups({ page }: HeldStage): (Window | null)[] {
  const { open } = page;
  const popups: (Window | null)[] = [];
  page.open = (...args) => {
    const popup = open.apply(page, args);
    popups.push(popup);
    return popup;
  };
  return popups;
}
