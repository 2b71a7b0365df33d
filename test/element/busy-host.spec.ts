import { expect, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { command, ofType, opened, setup, type Stage } from './stage.js';

/** Counts how often an element renders from now on. */
function countRenders(element: LicensingApply): () => number {
  let renders = 0;
  element.addController({
    hostUpdated() {
      renders += 1;
    },
  });
  return () => renders;
}

/**
 * Opens the application and waits until its page answers. Of earlier messages, only the last one of
 * each type is kept.
 */
async function connected(stage: Stage): Promise<void> {
  await opened(stage);
  await stage.element.navigateBack();
}

describe('a host that sends too much', function () {
  this.timeout(30_000);

  describe('progress', () => {
    const count = 10_000;
    const last = { index: count % 6, savedAt: new Date(Date.UTC(2026, 0) + count * 1_000).toISOString() };

    it('10,000 progress messages at once render the element a few times, and the last message wins', async () => {
      const stage = await setup();
      await connected(stage);
      const renders = countRenders(stage.element);
      command(stage, 'progress', count);
      await waitUntil(() => stage.element.snapshot.savedAt === last.savedAt, 'the last', { timeout: 20_000 });
      await stage.element.updateComplete;
      expect(stage.element.snapshot).to.include(last);
      expect(renders()).to.be.within(1, count / 20);
    });

    it('10,000 progress messages at once dispatch few licensing-progress events, the last with the last snapshot', async () => {
      const stage = await setup();
      await connected(stage);
      const published = new Promise<void>((resolve) => {
        stage.element.addEventListener('licensing-progress', ({ snapshot }) => {
          if (snapshot.savedAt === last.savedAt) resolve();
        });
      });
      command(stage, 'progress', count);
      await published;
      const events = ofType(stage, 'licensing-progress');
      expect(events.length).to.be.below(count / 20);
      expect(events.at(-1)?.snapshot).to.include(last);
    });
  });
});
