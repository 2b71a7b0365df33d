import { expect, waitUntil } from '@open-wc/testing';
import { focused, has, inState, nextEvent, opened, part, setup, type Stage } from './stage.js';

/** The times at which dialogs of an element are put over the page. */
function watchDialogs({ element }: Stage): number[] {
  const times: number[] = [];
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => (target as HTMLDialogElement).open)) times.push(performance.now());
  }).observe(element.renderRoot, { subtree: true, attributeFilter: ['open'] });
  return times;
}

describe('a modal', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  it('is not drawn before a page that is quick to come', async () => {
    const stage = await setup();
    const drawn = watchDialogs(stage);
    const begun = performance.now();
    let ready = 0;
    stage.element.addEventListener('licensing-ready', () => (ready = performance.now()));
    await opened(stage);
    await waitUntil(() => drawn.length > 0, 'the modal');
    const [at = 0] = drawn;
    expect(at >= ready || at - begun > 90, `${String(at - begun)} ms, ready ${String(ready - begun)}`).to.equal(true);
    await waitUntil(() => focused(stage)?.localName === 'iframe');
    expect(drawn).to.have.length(1);
  });

  it('is drawn with what stands for the page when that takes its time', async () => {
    const stage = await setup();
    stage.element.sessionProvider = () => new Promise(() => {});
    part(stage, '.card button').focus();
    void stage.element.show();
    await inState(stage, 'preparing');
    await waitUntil(() => has(stage, '.skeleton'));
    await waitUntil(() => part(stage, 'dialog').matches(':modal'), 'the modal');
    expect(part(stage, '.skeleton p').textContent).to.equal('Preparing your application…');
    expect(focused(stage)).to.equal(part(stage, '.close'));
    await stage.element.close();
    await waitUntil(() => focused(stage) === part(stage, '.card button'));
  });

  it('is not drawn later because the code for it took its time', async () => {
    const stage = await setup();
    stage.element.sessionProvider = () => new Promise(() => {});
    void stage.element.show();
    // As long as a slow network: what an opening needs is not there before this task ends.
    const pressedAt = performance.now();
    while (performance.now() - pressedAt < 200);
    await inState(stage, 'preparing');
    await new Promise((resolve) => setTimeout(resolve));
    await waitUntil(() => has(stage, 'dialog'));
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
    await stage.element.close();
  });

  it('is gone when it is closed, also where the user pointed at the card before it was drawn', async () => {
    const stage = await setup();
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    part(stage, '.card').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    await ready;
    await waitUntil(() => part(stage, 'dialog').matches(':modal'), 'the modal');
    await stage.element.close();
    await stage.element.updateComplete;
    expect(has(stage, 'dialog[open]')).to.equal(false);
  });

  it('is not drawn for what fails at once', async () => {
    const stage = await setup();
    const drawn = watchDialogs(stage);
    stage.element.sessionProvider = () => Promise.reject(new Error('No.'));
    expect(await stage.element.show()).to.equal(false);
    await inState(stage, 'error');
    // One that was opened after it is drawn: by then it would have been.
    const later = await setup();
    later.element.sessionProvider = () => new Promise(() => {});
    void later.element.show();
    await waitUntil(() => has(later, 'dialog') && part(later, 'dialog').matches(':modal'), 'the modal opened later');
    expect(drawn).to.deep.equal([]);
    expect(has(stage, 'dialog')).to.equal(false);
  });
});

describe('an opening', function () {
  this.timeout(15_000);

  it('does not look for a return where none was waited for: storage that nobody asked yet takes time', async () => {
    const asked: string[] = [];
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (name) {
      asked.push(name);
      return getItem.call(this, name);
    };
    try {
      const stage = await setup();
      const ready = nextEvent(stage, 'licensing-ready');
      part(stage, '.card button').click();
      await ready;
      expect(asked).to.deep.equal([]);
    } finally {
      Storage.prototype.getItem = getItem;
    }
  });
});
