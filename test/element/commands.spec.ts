import { expect, fixture, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { has, hosted, inState, nextEvent, opened, part, record, type Stage } from './stage.js';

/** An element and a button somewhere else in the page, which has no script. */
async function withButton(command: string, mode = 'modal'): Promise<{ stage: Stage; button: HTMLButtonElement }> {
  const page = await fixture(html`
    <div>
      <button commandfor="apply" command=${command}>Licenses</button>
      <licensing-apply id="apply" mode=${mode} application-url=${hosted()}></licensing-apply>
    </div>
  `);
  const [button, element] = [page.querySelector('button'), page.querySelector<LicensingApply>('licensing-apply')];
  if (!button || !element) throw new Error('There is no button.');
  return { stage: { element, events: record(element), requests: [] }, button };
}

/** https://developer.mozilla.org/docs/Web/API/Invoker_Commands_API: newer than the oldest browser that the element needs. */
const isSupported = 'CommandEvent' in globalThis;

describe('a button anywhere in the page', function () {
  this.timeout(15_000);

  before(function () {
    if (!isSupported) this.skip();
  });

  it('opens the application, and has the focus again once it is closed', async () => {
    const { stage, button } = await withButton('--open');
    const ready = nextEvent(stage, 'licensing-ready');
    button.focus();
    button.click();
    await ready;
    expect(has(stage, 'dialog[open]')).to.equal(true);
    part(stage, '.close').click();
    await inState(stage, 'closed');
    expect(document.activeElement).to.equal(button);
  });

  it('closes it, and asks first when work is unsaved, as the close button does', async () => {
    const { stage, button } = await withButton('--close', 'inline');
    await opened(stage);
    button.click();
    await inState(stage, 'closed');
    expect(stage.events.filter(({ type }) => type === 'licensing-beforeclose')).to.have.length(1);
  });

  it('does nothing with a command that is not known', async () => {
    const { stage, button } = await withButton('--toggle');
    button.click();
    // What opens says so in the click, and is drawn by then.
    await stage.element.updateComplete;
    expect(has(stage, 'dialog[open], iframe')).to.equal(false);
    expect(stage.element.state).to.equal('idle');
    expect(stage.events).to.deep.equal([]);
  });
});
