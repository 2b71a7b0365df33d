import { expect, html, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { command, hosted, makeDirty, ofType, opened, setup, type Stage } from './stage.js';

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

  describe('sessionExpiring', () => {
    const { fetch } = window;

    afterEach(() => {
      window.fetch = fetch;
    });

    const session = { applicationUrl: hosted(), applicationId: 'app_1', expiresAt: '2098-01-01T00:00:00Z' };
    const renewed = { ...session, applicationUrl: `${hosted()}?new`, expiresAt: '2099-01-01T00:00:00Z' };

    const answers: [what: string, answer: () => Response][] = [
      ['knows no other session', () => Response.json(session)],
      ['is out of order', () => new Response('', { status: 503 })],
      ['answers with a session that the page does not take', () => Response.json(renewed)],
    ];
    for (const [what, answer] of answers)
      it(`sessionExpiring 500 times in a second sends one request to a backend that ${what}`, async () => {
        let isOpen = false;
        let requests = 0;
        window.fetch = () => {
          if (isOpen) requests += 1;
          return Promise.resolve(isOpen ? answer() : Response.json(session));
        };
        const stage = await setup({ template: html`<licensing-apply session-url="/sessions"></licensing-apply>` });
        stage.element.sessionProvider = undefined;
        await opened(stage);
        await makeDirty(stage);
        isOpen = true;
        command(stage, 'expiry', 1_000);
        // The page reports this step after its last warning.
        await waitUntil(() => stage.element.snapshot.step === 'review', 'the last warning', { timeout: 10_000 });
        expect(requests).to.equal(1);
      });
  });
});
