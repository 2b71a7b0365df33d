import { expect, waitUntil } from '@open-wc/testing';
import { held, type HeldStage, known, letGo, pointAt } from './held.js';
import { has, hosted, inState, nextEvent, ofType, opened, part, setup } from './stage.js';

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

/** Gives the page a policy by which no frame may load. */
function allowNoFrames({ page }: HeldStage): void {
  const policy = page.document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "frame-src 'none'";
  page.document.head.append(policy);
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

  it('begins in a room that was there before, and that no style of the page shows', async () => {
    const stage = await known();
    const style = new stage.page.CSSStyleSheet();
    style.replaceSync('licensing-apply::part(dialog) { display: grid }');
    stage.page.document.adoptedStyleSheets = [style];
    const room = part(stage, 'dialog');
    expect(room.checkVisibility()).to.equal(false);
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    expect([room.contains(frameOf(stage)), room.checkVisibility()]).to.deep.equal([true, false]);
    stage.arrive();
    await ready;
    await inState(stage, 'active');
    expect([part(stage, 'dialog') === room, getComputedStyle(room).display]).to.deep.equal([true, 'grid']);
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
    pointAt(stage);
    await waitUntil(() => has(stage, '.stage iframe'));
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
