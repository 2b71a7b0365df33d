import { expect, waitUntil } from '@open-wc/testing';
import { held, type HeldStage, known, letGo, pointAt } from './held.js';
import { has, hosted, inState, nextEvent, part } from './stage.js';

/** The frames that connect to a host in advance, from now on, as they come. Nobody else finds them. */
function hintsIn({ page }: HeldStage): HTMLIFrameElement[] {
  const hints: HTMLIFrameElement[] = [];
  const { attachShadow } = page.Element.prototype;
  page.Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    new MutationObserver(() => hints.push(...root.querySelectorAll<HTMLIFrameElement>('[srcdoc]'))).observe(root, {
      childList: true,
    });
    return root;
  };
  return hints;
}

/** Resolves with the frame that connects, once it is gone again. To be called before it is there. */
function hintOf(stage: HeldStage): Promise<HTMLIFrameElement> {
  return goneOf(hintsIn(stage));
}

async function goneOf(hints: HTMLIFrameElement[]): Promise<HTMLIFrameElement> {
  await waitUntil(() => hints[0]?.isConnected === false, 'a frame that connected', { timeout: 4_000 });
  return hints[0]!;
}

describe('a connection in advance', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(letGo);

  it('goes to the host, from a frame that may do nothing, is found by nobody and soon gone', async () => {
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

  it('goes to the origin that the page names, before there is a session', async () => {
    const stage = await held();
    stage.element.applicationOrigin = `${new URL(hosted()).origin}/`;
    const hint = hintOf(stage);
    pointAt(stage);
    expect((await hint).srcdoc).to.equal(`<link rel=preconnect href=${new URL(hosted()).origin}>`);
    expect(stage.events).to.deep.equal([]);
  });

  it('is made as well for a click that nothing announced', async () => {
    const stage = await held();
    stage.element.applicationOrigin = new URL(hosted()).origin;
    const hint = hintOf(stage);
    part(stage, '.card button').click();
    await hint;
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
  });

  it('is heard of by the browser, though the opening is drawn meanwhile', async () => {
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

  it('is not made to what may not be framed, or is no address', async () => {
    for (const origin of ['http://apply.example', 'javascript:alert(1)', 'x><script>', location.origin]) {
      const stage = await held();
      const hints = hintsIn(stage);
      stage.element.applicationOrigin = origin;
      pointAt(stage);
      await waitUntil(() => has(stage, '.stage iframe'));
      expect(hints, origin).to.have.length(0);
    }
  });

  it('is not made as long as nobody knows to whom', async () => {
    const stage = await held();
    const hints = hintsIn(stage);
    pointAt(stage);
    await waitUntil(() => has(stage, '.stage iframe'));
    expect(hints).to.have.length(0);
  });
});
