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

describe('a modal', function () {
  this.timeout(15_000);

  for (const zoom of [0.5, 1, 2]) {
    it(`is wholly in sight in a page that is zoomed by ${zoom}`, async () => {
      const stage = await openedIn(`zoom: ${zoom}`);
      const { left, top, right, bottom } = part(stage, 'dialog').getBoundingClientRect();
      expect(left).to.be.at.least(0);
      expect(top).to.be.at.least(0);
      expect(right).to.be.at.most(innerWidth);
      expect(bottom).to.be.at.most(innerHeight);
    });
  }

  it('can be used in a page that takes no clicks', async () => {
    const stage = await openedIn('pointer-events: none');
    const { left, top, width, height } = part(stage, '.close').getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    expect(part(stage, '.close').contains(stage.element.shadowRoot?.elementFromPoint(x, y) ?? null)).to.equal(true);
  });
});
