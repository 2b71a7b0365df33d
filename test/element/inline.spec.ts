import { expect, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { command, focused, has, hosted, inState, ofType, opened, part, setup, waitUntil, type Stage } from './stage.js';

const inline = html`<licensing-apply mode="inline"></licensing-apply>`;
const farBelow = html`<licensing-apply mode="inline" style="margin-block-start: 3000px"></licensing-apply>`;
const farFromBothEnds = html`<licensing-apply mode="inline" style="margin-block: 3000px"></licensing-apply>`;

// WebKit keeps a scroll position for a while after the page has become too short for it.
beforeEach(() => {
  window.scrollTo({ top: 0, behavior: 'instant' });
});

// The first test: user activation cannot be undone.
it('mode inline does not scroll the partner page before the first input of the user', async () => {
  const stage = await setup({ template: farBelow });
  const visible = firstVisible(stage);
  await opened(stage);
  await visible;
  expect(navigator.userActivation.hasBeenActive).to.equal(false);
  expect(window.scrollY).to.equal(0);
});

it('mode inline shows the page in its own height from the first frame on, so that nothing moves', async () => {
  const stage = await setup({ template: inline });
  const frame = firstVisible(stage);
  await opened(stage);
  expect((await frame).getBoundingClientRect().height).to.equal(320);
});

it('mode inline limits the height of the frame to any height that the page sends', async () => {
  const stage = await setup({ template: inline, session: { applicationUrl: `${hosted()}?endless` } });
  const frame = firstVisible(stage);
  await opened(stage);
  expect((await frame).getBoundingClientRect().height).to.equal(8_000);
});

it('mode inline scrolls the page to the application when it opens', async () => {
  await touch();
  const stage = await setup({ template: farBelow });
  const topPx = firstVisible(stage).then((frame) => frame.getBoundingClientRect().top);
  await opened(stage);
  expect(await topPx).to.be.within(0, window.innerHeight * 0.7);
});

it('mode inline scrolls the part of the page that scrolls, so far that the header of the application is visible too', async () => {
  await touch();
  const stage = await setup({ template: farFromBothEnds });
  const pane = stage.element.parentElement!;
  pane.style.cssText = 'overflow: auto; block-size: 400px';
  const visible = firstVisible(stage);
  await opened(stage);
  await visible;
  const topPx = part(stage, 'header').getBoundingClientRect().top - pane.getBoundingClientRect().top;
  expect(topPx).to.be.within(0, 300);
});

it('mode inline scrolls to below the sticky header of a page that has scroll-padding', async () => {
  await touch();
  const root = document.documentElement;
  root.style.scrollPaddingTop = '80px';
  try {
    const stage = await setup({ template: farFromBothEnds });
    const visible = firstVisible(stage);
    await opened(stage);
    await visible;
    expect(part(stage, 'header').getBoundingClientRect().top).to.be.within(80, window.innerHeight * 0.7);
  } finally {
    root.style.scrollPaddingTop = '';
  }
});

it('mode inline replaces the card with the application, and shows it again with the focus after closing', async () => {
  const stage = await setup({ template: inline });
  part(stage, '.card button').focus();
  await opened(stage);
  expect(has(stage, '.card')).to.equal(false);
  await waitUntil(() => focused(stage)?.localName === 'iframe', 'the focus in the frame');
  await expect(stage.element).to.be.accessible();
  await stage.element.close();
  await inState(stage, 'closed');
  await waitUntil(() => focused(stage)?.localName === 'button', 'the focus on the button');
});

it('mode inline does not move the focus or lock scrolling when the page opened it without the user', async () => {
  const stage = await setup({ template: inline });
  await opened(stage);
  await waitUntil(() => has(stage, '.frame[data-revealed]'), 'the page in its frame');
  expect(focused(stage)).to.equal(null);
  expect(getComputedStyle(document.documentElement).overflow).to.equal('visible');
});

it('mode inline does not close on Escape, in the hosted page or in the header', async () => {
  const stage = await setup({ template: inline });
  await opened(stage);
  command(stage, 'requestClose', 'escape');
  command(stage, 'update', { step: 'identity', index: 2 });
  await waitUntil(() => stage.element.snapshot.index === 2, 'a message after the Escape');
  part(stage, '.close').focus();
  await sendKeys({ press: 'Escape' });
  expect(stage.element.state).to.equal('active');
  expect(ofType(stage, 'licensing-beforeclose')).to.have.length(0);
});

it('mode inline keeps two open applications apart', async () => {
  const [one, other] = [await setup({ template: inline }), await setup({ template: inline })];
  await opened(one);
  await opened(other);
  command(one, 'update', { step: 'payment', index: 5 });
  await waitUntil(() => one.element.snapshot.index === 5);
  await waitUntil(() => other.element.snapshot.index === 1);
  for (const stage of [one, other]) expect(ofType(stage, 'licensing-messagerejected')).to.deep.equal([]);
});

/** A key press counts as any use of the page. */
async function touch(): Promise<void> {
  await sendKeys({ press: 'a' });
  expect(navigator.userActivation.hasBeenActive).to.equal(true);
}

/** Resolves with the frame just before the browser paints it for the first time. */
function firstVisible(stage: Stage): Promise<HTMLIFrameElement> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!has(stage, '.frame[data-revealed]')) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        resolve(part<HTMLIFrameElement>(stage, 'iframe'));
      });
    });
    const options = { subtree: true, attributes: true, attributeFilter: ['data-revealed'] };
    observer.observe(stage.element.renderRoot, options);
  });
}
