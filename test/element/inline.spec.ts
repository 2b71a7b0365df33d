import { expect, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { has, hosted, opened, part, setup, type Stage } from './stage.js';

const inline = html`<licensing-apply mode="inline"></licensing-apply>`;
const inColumn = html`<licensing-apply mode="inline" style="inline-size: 280px"></licensing-apply>`;
const farBelow = html`<licensing-apply mode="inline" style="margin-block-start: 3000px"></licensing-apply>`;
const amidst = html`<licensing-apply mode="inline" style="margin-block: 3000px"></licensing-apply>`;

describe('an application in the page', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);
  // WebKit keeps where a page was scrolled to for a while after it has become too short for that.
  beforeEach(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
  });

  it('comes into sight in its own height: nothing moves under the finger', async () => {
    const stage = await setup({ template: inline });
    const frame = inSight(stage);
    await opened(stage);
    expect((await frame).getBoundingClientRect().height).to.equal(320);
  });

  // The first one: what was touched once remains so.
  it('leaves the page where it is as long as the user has touched nothing', async () => {
    const stage = await setup({ template: farBelow });
    const visible = inSight(stage);
    await opened(stage);
    await visible;
    expect(navigator.userActivation.hasBeenActive).to.equal(false);
    expect(window.scrollY).to.equal(0);
  });

  it('is scrolled to before it comes into sight', async () => {
    await touch();
    const stage = await setup({ template: farBelow });
    const topPx = inSight(stage).then((frame) => frame.getBoundingClientRect().top);
    await opened(stage);
    expect(await topPx).to.be.within(0, window.innerHeight * 0.7);
  });

  it('is scrolled to in the part of the page that scrolls, and so is the header that names its step', async () => {
    await touch();
    const stage = await setup({ template: amidst });
    const pane = stage.element.parentElement!;
    pane.style.cssText = 'overflow: auto; block-size: 400px';
    const visible = inSight(stage);
    await opened(stage);
    await visible;
    const topPx = part(stage, 'header').getBoundingClientRect().top - pane.getBoundingClientRect().top;
    expect(topPx).to.be.within(0, 300);
  });

  it('is scrolled to under the header of a page that keeps one in sight', async () => {
    await touch();
    const root = document.documentElement;
    root.style.scrollPaddingTop = '80px';
    try {
      const stage = await setup({ template: amidst });
      const visible = inSight(stage);
      await opened(stage);
      await visible;
      expect(part(stage, 'header').getBoundingClientRect().top).to.be.within(80, window.innerHeight * 0.7);
    } finally {
      root.style.scrollPaddingTop = '';
    }
  });

  it('comes into sight without a word of its height as well', async () => {
    const stage = await setup({ template: inline, session: { applicationUrl: `${hosted()}?heightless` } });
    const frame = inSight(stage);
    await opened(stage);
    expect(has(stage, '.stage[data-visible]')).to.equal(false);
    expect((await frame).getBoundingClientRect().height).to.equal(600);
  });

  it('takes a line for its address in a narrow column of a wide page, as on a phone', async () => {
    const stage = await setup({ template: inColumn });
    await opened(stage);
    const [title, address] = part(stage, 'header').children;
    expect(address!.getBoundingClientRect().top).to.be.at.least(title!.getBoundingClientRect().bottom);
    const column = stage.element.getBoundingClientRect();
    expect(address!.getBoundingClientRect().width).to.be.within(column.width * 0.8, column.width);
  });

  it('has bounds, whatever its page says', async () => {
    const stage = await setup({ template: inline, session: { applicationUrl: `${hosted()}?endless` } });
    const frame = inSight(stage);
    await opened(stage);
    expect((await frame).getBoundingClientRect().height).to.equal(8_000);
  });
});

/** What a user does who uses the page in any way. */
async function touch(): Promise<void> {
  await sendKeys({ press: 'a' });
  expect(navigator.userActivation.hasBeenActive).to.equal(true);
}

/** The frame as it is when it comes into sight: before anything else happens, and before anybody can click. */
function inSight(stage: Stage): Promise<HTMLIFrameElement> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!has(stage, '.stage[data-visible]')) return;
      observer.disconnect();
      resolve(part<HTMLIFrameElement>(stage, 'iframe'));
    });
    observer.observe(stage.element.renderRoot, { subtree: true, attributes: true, attributeFilter: ['data-visible'] });
  });
}
