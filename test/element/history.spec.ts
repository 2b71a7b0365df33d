import { expect } from '@open-wc/testing';
import { addCleanup, command, hosted, opened, part, setup, waitUntil, type Stage } from './stage.js';

describe('the Back button after the application was closed', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(20_000);

  /** The page after a page of this name, whose element has shown four pages of the application. */
  async function afterFourPages(name: string): Promise<Stage> {
    const { href } = location;
    history.replaceState(null, '', `#before-${name}`);
    history.pushState(null, '', `#${name}`);
    addCleanup(() => {
      history.replaceState(null, '', href);
    });
    const stage = await setup();
    await opened(stage);
    const frame = part(stage, 'iframe');
    for (const page of ['2', '3', '4']) {
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      command(stage, 'go', `${hosted()}?${page}`);
      await loaded;
      await waitUntil(() => {
        command(stage, 'update', { index: Number(page) });
        return stage.element.snapshot.index === Number(page);
      });
    }
    return stage;
  }

  it('leads to the page before, and not through the pages of the frame that is gone', async () => {
    let pops = 0;
    const stage = await afterFourPages('closed');
    const onPop = () => (pops += 1);
    addEventListener('popstate', onPop);
    addCleanup(() => {
      removeEventListener('popstate', onPop);
    });
    await stage.element.close({ force: true });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([location.hash, pops], 'the page itself does not move').to.deep.equal(['#closed', 0]);
    history.back();
    await waitUntil(() => location.hash === '#before-closed');
  });

  it('is left alone if the page moves or is left when the application closes', async () => {
    const { go } = history;
    const moves: unknown[] = [];
    history.go = (delta) => moves.push(delta);
    addCleanup(() => (history.go = go));
    const moved = await afterFourPages('moved');
    await moved.element.close({ force: true });
    history.pushState(null, '', '#next');
    const left = await afterFourPages('left');
    await left.element.close({ force: true });
    dispatchEvent(new Event('beforeunload'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(moves).to.deep.equal([]);
  });
});
