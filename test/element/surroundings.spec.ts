import { expect, fixture, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { hosted, opened, part, record, type Stage } from './stage.js';

/** The element in a page of the given style, with its modal open. */
async function openedIn(style: string): Promise<Stage> {
  const around = await fixture(
    html`<div style=${style}><licensing-apply application-url=${hosted()}></licensing-apply></div>`,
  );
  const element = around.querySelector<LicensingApply>('licensing-apply');
  if (!element) throw new Error('There is no element');
  const stage: Stage = { element, events: record(element), requests: [] };
  await opened(stage);
  return stage;
}

/** How much of something is in the window, as the browser sees it: engines give the corners of what is zoomed by different measures. */
function shareInSight(shown: Element): Promise<number | undefined> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([seen]) => {
      observer.disconnect();
      resolve(seen?.intersectionRatio);
    });
    observer.observe(shown);
  });
}

describe('a modal', function () {
  this.timeout(15_000);

  for (const zoom of [0.5, 1, 2]) {
    it(`is wholly in sight in a page that is zoomed by ${zoom}`, async () => {
      const stage = await openedIn(`zoom: ${zoom}`);
      expect(await shareInSight(part(stage, 'dialog'))).to.equal(1);
    });
  }

  it('can be used in a page that takes no clicks', async () => {
    const stage = await openedIn('pointer-events: none');
    const { left, top, width, height } = part(stage, '.close').getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    expect(part(stage, '.close').contains(stage.element.shadowRoot?.elementFromPoint(x, y) ?? null)).to.equal(true);
  });
});

describe('the card', () => {
  it('fits on a small phone with letters twice the size', async () => {
    const around = await fixture(
      html`<div style="inline-size: 304px; font-size: 32px">
        <licensing-apply states="TX,CA" estimated-fee="151.2"></licensing-apply>
      </div>`,
    );
    const card = around.querySelector('licensing-apply')?.shadowRoot?.querySelector('.card');
    expect(card?.scrollWidth).to.equal(card?.clientWidth);
  });
});
