import { expect, html } from '@open-wc/testing';
import { has, hosted, opened, part, setup, type Stage } from './stage.js';

const inline = html`<licensing-apply mode="inline"></licensing-apply>`;
const farBelow = html`<licensing-apply mode="inline" style="margin-block-start: 3000px"></licensing-apply>`;

describe('an application in the page', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  it('comes into sight in its own height: nothing moves under the finger', async () => {
    const stage = await setup({ template: inline });
    const frame = inSight(stage);
    await opened(stage);
    expect((await frame).getBoundingClientRect().height).to.equal(320);
  });

  it('is scrolled to before it comes into sight', async () => {
    const stage = await setup({ template: farBelow });
    const topPx = inSight(stage).then((frame) => frame.getBoundingClientRect().top);
    await opened(stage);
    expect(await topPx).to.be.within(0, window.innerHeight * 0.7);
  });

  it('comes into sight without a word of its height as well', async () => {
    const stage = await setup({ template: inline, session: { applicationUrl: `${hosted()}?heightless` } });
    const frame = inSight(stage);
    await opened(stage);
    expect(has(stage, '.stage[data-visible]')).to.equal(false);
    expect((await frame).getBoundingClientRect().height).to.equal(600);
  });

  it('has bounds, whatever its page says', async () => {
    const stage = await setup({ template: inline, session: { applicationUrl: `${hosted()}?endless` } });
    const frame = inSight(stage);
    await opened(stage);
    expect((await frame).getBoundingClientRect().height).to.equal(8_000);
  });
});

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
