import { expect } from '@open-wc/testing';
import { held, removeHeld } from './held.js';
import { command, nextEvent, opened, setup } from './stage.js';

describe('whenClosed()', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(15_000);

  afterEach(removeHeld);

  it('whenClosed() resolves with "submitted" when the user closes after submission', async () => {
    const stage = await setup();
    await opened(stage);
    const result = stage.element.whenClosed();
    const complete = nextEvent(stage, 'licensing-complete');
    command(stage, 'submitted', { step: 'submitted', index: 6 });
    await complete;
    await stage.element.close();
    expect(await result).to.deep.equal({ outcome: 'submitted', by: 'call' });
  });

  it('whenClosed() resolves when the element leaves the document', async () => {
    const stage = await setup();
    await opened(stage);
    const result = stage.element.whenClosed();
    stage.element.remove();
    expect(await result).to.deep.equal({ outcome: 'unsubmitted', by: 'call' });
  });

  it('whenClosed() waits for the opening that begins with it, while the controller loads', async () => {
    const stage = await held();
    const ready = nextEvent(stage, 'licensing-ready');
    void stage.element.show();
    const result = stage.element.whenClosed();
    stage.arrive();
    await ready;
    await stage.element.close({ force: true });
    expect(await result).to.deep.equal({ outcome: 'unsubmitted', by: 'call' });
  });
});
