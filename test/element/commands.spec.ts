import { expect, fixture, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { has, hosted, inState, nextEvent, opened, part, record, type Stage } from './stage.js';

/** Puts an element and a button elsewhere in the page, without a script. */
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

/**
 * Newer than the oldest supported browser:
 * https://developer.mozilla.org/docs/Web/API/Invoker_Commands_API.
 */
const isSupported = 'CommandEvent' in globalThis;

before(function () {
  if (!isSupported) this.skip();
});

it('a button with commandfor opens the application with --open, and has the focus again after closing', async () => {
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

it('a button with commandfor closes the application with --close, after licensing-beforeclose', async () => {
  const { stage, button } = await withButton('--close', 'inline');
  await opened(stage);
  button.click();
  await inState(stage, 'closed');
  expect(stage.events.filter(({ type }) => type === 'licensing-beforeclose')).to.have.length(1);
});
