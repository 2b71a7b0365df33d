import { expect, waitUntil } from '@open-wc/testing';
import { held, type HeldStage, hintsIn, letGo } from './held.js';
import { has, hosted, inState, nextEvent, ofType, opened, part, setup } from './stage.js';

/** One whose address is known, so that nobody has to be asked for a session. */
async function known(applicationUrl = hosted()): Promise<HeldStage> {
  const stage = await held();
  stage.element.sessionProvider = undefined;
  stage.element.applicationUrl = applicationUrl;
  await stage.element.updateComplete;
  return stage;
}

function frameOf(stage: HeldStage): HTMLIFrameElement {
  return part<HTMLIFrameElement>(stage, '.stage iframe');
}

/** Resolves when the frame shows something. To be called in the task in which it is made. */
function loadOf(stage: HeldStage): Promise<unknown> {
  return new Promise((resolve) => frameOf(stage).addEventListener('load', resolve, { once: true }));
}

/** Lets the code arrive; resolves, once the user is at work, with how often the frame loaded meanwhile. */
async function loadsUntilActive(stage: HeldStage, frame: HTMLIFrameElement): Promise<number> {
  let loads = 0;
  frame.addEventListener('load', () => (loads += 1));
  const ready = nextEvent(stage, 'licensing-ready');
  stage.arrive();
  await ready;
  await inState(stage, 'active');
  return loads;
}

function pointAt(stage: HeldStage): void {
  part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
}

/** Gives the page a policy by which no frame may load. */
function allowNoFrames({ page }: HeldStage): void {
  const policy = page.document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "frame-src 'none'";
  page.document.head.append(policy);
}

/** Resolves with the frame that connects, once it is gone again. To be called before it is there. */
function hintOf(stage: HeldStage): Promise<HTMLIFrameElement> {
  return goneOf(hintsIn(stage));
}

async function goneOf(hints: HTMLIFrameElement[]): Promise<HTMLIFrameElement> {
  await waitUntil(() => hints[0]?.isConnected === false, 'a frame that connected', { timeout: 4_000 });
  return hints[0]!;
}

describe('a head start', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(letGo);

  it('has the page of a known address loading while the code is on its way', async () => {
    const stage = await known();
    part(stage, '.card button').click();
    const frame = frameOf(stage);
    await loadOf(stage);
    expect(ofType(stage, 'licensing-beforeopen')).to.have.length(1);
    expect(part<HTMLDialogElement>(stage, 'dialog').open).to.equal(false);
    const loads = await loadsUntilActive(stage, frame);
    expect([frameOf(stage) === frame, loads]).to.deep.equal([true, 0]);
    expect(part<HTMLDialogElement>(stage, 'dialog').matches(':modal')).to.equal(true);
    expect(ofType(stage, 'licensing-beforeopen')).to.have.length(1);
  });

  it('is none when the page does not want it to open', async () => {
    const stage = await known();
    stage.element.addEventListener('licensing-beforeopen', (event) => event.preventDefault());
    expect(await stage.element.show()).to.equal(false);
    expect([has(stage, 'iframe'), stage.isAsked(), stage.element.state]).to.deep.equal([false, false, 'idle']);
  });

  it('ends when the code does not come, and begins anew with the next click', async () => {
    const stage = await known();
    const showing = stage.element.show();
    expect(has(stage, 'iframe')).to.equal(true);
    stage.fail();
    expect(await showing).to.equal(false);
    await stage.element.updateComplete;
    expect(has(stage, 'iframe')).to.equal(false);
  });

  it('is a frame without a page when the user points at the card', async () => {
    const stage = await known();
    const before = history.length;
    pointAt(stage);
    await waitUntil(() => has(stage, '.stage iframe'));
    const frame = frameOf(stage);
    pointAt(stage);
    expect(frame.hasAttribute('src')).to.equal(false);
    expect(stage.events).to.have.length(0);
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    expect(frame.src).to.equal(hosted());
    stage.arrive();
    await ready;
    expect(frameOf(stage)).to.equal(frame);
    // The Back button leads where it led.
    expect(history.length).to.equal(before);
  });

  it('is a connection to the host, from a frame that may do nothing, is found by nobody and soon gone', async () => {
    const stage = await known();
    const hints = hintsIn(stage);
    pointAt(stage);
    await waitUntil(() => hints.length > 0);
    const hint = hints[0]!;
    expect([stage.element.renderRoot.querySelectorAll('iframe').length, hint.checkVisibility()]).to.deep.equal([
      1,
      false,
    ]);
    // Firefox would make a connection that is the hint's alone.
    expect(hint.hasAttribute('sandbox')).to.equal(!navigator.userAgent.includes('Firefox'));
    expect(hint.srcdoc).to.equal(`<link rel=preconnect href=${new URL(hosted()).origin}>`);
    await goneOf(hints);
  });

  it('is a connection to the origin that the page names, before there is a session', async () => {
    const stage = await held();
    stage.element.applicationOrigin = `${new URL(hosted()).origin}/`;
    const hint = hintOf(stage);
    pointAt(stage);
    expect((await hint).srcdoc).to.equal(`<link rel=preconnect href=${new URL(hosted()).origin}>`);
    expect(stage.events).to.deep.equal([]);
  });

  it('is that connection as well for a click that nothing announced', async () => {
    const stage = await held();
    stage.element.applicationOrigin = new URL(hosted()).origin;
    const hint = hintOf(stage);
    part(stage, '.card button').click();
    await hint;
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
  });

  it('is a connection that the browser hears of, though the opening is drawn meanwhile', async () => {
    const stage = await held();
    stage.element.applicationOrigin = new URL(hosted()).origin;
    stage.element.sessionProvider = () => new Promise(() => {});
    const hints = hintsIn(stage);
    part(stage, '.card button').click();
    stage.arrive();
    await inState(stage, 'preparing');
    await waitUntil(() => hints.length > 0);
    // Chromium forgets what a frame wished that is gone before the wish arrives.
    expect(hints[0]?.isConnected).to.equal(true);
    await goneOf(hints);
  });

  it('is no connection to what may not be framed, or is no address', async () => {
    for (const origin of ['http://apply.example', 'javascript:alert(1)', 'x><script>', location.origin]) {
      const stage = await held();
      const hints = hintsIn(stage);
      stage.element.applicationOrigin = origin;
      pointAt(stage);
      await waitUntil(() => has(stage, '.stage iframe'));
      expect(hints, origin).to.have.length(0);
    }
  });

  it('is no connection as long as nobody knows to whom', async () => {
    const stage = await held();
    const hints = hintsIn(stage);
    pointAt(stage);
    await waitUntil(() => has(stage, '.stage iframe'));
    expect(hints).to.have.length(0);
  });

  it('is the same frame for a session that has to be made first', async () => {
    const stage = await held();
    const before = history.length;
    pointAt(stage);
    await waitUntil(() => has(stage, '.stage iframe'));
    const frame = frameOf(stage);
    stage.arrive();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    await ready;
    expect([frameOf(stage) === frame, history.length]).to.deep.equal([true, before]);
  });

  it('is the same in the page, where nothing shows of it before the code is there', async () => {
    const stage = await known();
    const before = history.length;
    stage.element.mode = 'inline';
    const hint = hintOf(stage);
    pointAt(stage);
    await hint;
    const frame = frameOf(stage);
    expect(part(stage, '.inline').checkVisibility()).to.equal(false);
    part(stage, '.card button').focus();
    part(stage, '.card button').click();
    expect([frameOf(stage) === frame, frame.src]).to.deep.equal([true, hosted()]);
    await loadOf(stage);
    expect([part(stage, '.inline').checkVisibility(), part(stage, '.card').checkVisibility()]).to.deep.equal([
      false,
      true,
    ]);
    const loads = await loadsUntilActive(stage, frame);
    expect([frameOf(stage) === frame, loads, history.length]).to.deep.equal([true, 0, before]);
    expect([part(stage, '.inline').checkVisibility(), has(stage, '.card')]).to.deep.equal([true, false]);
    expect(ofType(stage, 'licensing-beforeopen')).to.have.length(1);
  });

  it('is a new frame where the page asks for another mode than the one that the user pointed at', async () => {
    for (const [mode, asked] of [
      ['modal', 'inline'],
      ['inline', 'modal'],
    ] as const) {
      const stage = await known();
      stage.element.mode = mode;
      pointAt(stage);
      await waitUntil(() => has(stage, '.stage iframe'));
      const showing = stage.element.show({ mode: asked });
      const frame = frameOf(stage);
      expect([has(stage, '.inline'), frame.src], asked).to.deep.equal([asked === 'inline', hosted()]);
      const ready = nextEvent(stage, 'licensing-ready');
      stage.arrive();
      expect(await showing, asked).to.equal(true);
      await ready;
      expect(frameOf(stage), asked).to.equal(frame);
    }
  });

  it('is of no use to the mode that takes over', async () => {
    const stage = await known();
    stage.element.fallback = 'inline';
    allowNoFrames(stage);
    part(stage, '.card button').click();
    const refused = frameOf(stage);
    const failed = nextEvent(stage, 'licensing-error');
    stage.arrive();
    expect((await failed).code).to.equal('frame_blocked_by_page');
    expect(ofType(stage, 'licensing-modechange')).to.have.length(1);
    expect(refused.isConnected).to.equal(false);
  });

  it('is nothing for modes without a frame in the page', async () => {
    for (const mode of ['popup', 'redirect'] as const) {
      const stage = await known();
      stage.element.mode = mode;
      pointAt(stage);
      await waitUntil(stage.isAsked);
      await stage.element.updateComplete;
      expect(has(stage, 'iframe'), mode).to.equal(false);
    }
  });

  it('knows of a page that was there before the code, and does not speak', async () => {
    const stage = await known(hosted('plain.html'));
    part(stage, '.card button').click();
    await loadOf(stage);
    stage.arrive();
    await inState(stage, 'active');
    expect(ofType(stage, 'licensing-ready')).to.have.length(0);
  });

  it('knows of a frame that the policy of the page refused before the code was there', async () => {
    const stage = await known();
    allowNoFrames(stage);
    const refusal = new Promise((resolve) =>
      stage.page.document.addEventListener('securitypolicyviolation', resolve, { once: true }),
    );
    part(stage, '.card button').click();
    await refusal;
    const failed = nextEvent(stage, 'licensing-error');
    stage.arrive();
    expect((await failed).code).to.equal('frame_blocked_by_page');
  });

  it('is there again for a session that still works', async () => {
    const stage = await setup();
    await opened(stage);
    await stage.element.close();
    const showing = stage.element.show();
    expect(part<HTMLIFrameElement>(stage, 'iframe').src).to.equal(hosted());
    expect(await showing).to.equal(true);
    expect([stage.requests.length, ofType(stage, 'licensing-beforeopen').length]).to.deep.equal([1, 2]);
  });
});
