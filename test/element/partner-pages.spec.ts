import { expect, fixture, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import {
  addCleanup,
  command,
  has,
  hosted,
  inState,
  ofType,
  opened,
  part,
  record,
  setup,
  textOf,
  waitUntil,
} from './stage.js';

describe('<licensing-apply> in the pages of partners', () => {
  it('opens in a page over http, where crypto.randomUUID does not exist', async () => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    addCleanup(() => Reflect.deleteProperty(crypto, 'randomUUID'));
    const stage = await setup();
    await opened(stage);
    expect(stage.requests[0]?.returnState).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('reports an exception of the browser as internal_error with its cause, and not as files that are missing', async () => {
    const stage = await setup();
    const cause = new TypeError('replaced');
    const { getRandomValues } = crypto;
    crypto.getRandomValues = () => {
      throw cause;
    };
    addCleanup(() => {
      crypto.getRandomValues = getRandomValues;
    });
    expect(await stage.element.show()).to.equal(false);
    await inState(stage, 'error');
    const [error] = ofType(stage, 'licensing-error');
    expect(error).to.include({ code: 'internal_error', recoverable: true, cause });
  });

  it('keeps the clicks and keys of the modal from a clickable row and from a link around it', async () => {
    const row = await fixture(html`
      <div>
        <a href="#followed">
          <licensing-apply application-url=${hosted()}><button slot="loading">Of the page</button></licensing-apply>
        </a>
      </div>
    `);
    const received: string[] = [];
    for (const type of ['click', 'keydown', 'keyup'])
      row.addEventListener(type, ({ target }) => received.push(`${type} on ${(target as Element).localName}`));
    const element = row.querySelector<LicensingApply>('licensing-apply')!;
    const stage = { element, events: record(element), requests: [] };
    await opened(stage);
    for (const selector of ['dialog h2', '.host', 'dialog']) part(stage, selector).click();
    for (const type of ['keydown', 'keyup'])
      part(stage, '.close').dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true, composed: true }));
    part(stage, '.close').click();
    await inState(stage, 'closed');
    expect([received, location.hash]).to.deep.equal([[], '']);
    element.querySelector('button')?.click();
    expect(received).to.deep.equal(['click on button']);
  });

  it('does not open from HTML that was copied while it was open, and opens when the page sets `open`', async () => {
    const place = await fixture(html`<div><licensing-apply application-url=${hosted()}></licensing-apply></div>`);
    const first = place.querySelector<LicensingApply>('licensing-apply')!;
    await opened({ element: first, events: [], requests: [] });
    const copies = [first.cloneNode(true), first.outerHTML];
    for (const copy of copies) {
      place.replaceChildren();
      if (typeof copy === 'string') place.innerHTML = copy;
      else place.append(copy);
      const element = place.querySelector<LicensingApply>('licensing-apply')!;
      const events = record(element);
      await element.updateComplete;
      // The property takes effect after the rendering.
      await new Promise((resolve) => setTimeout(resolve));
      expect([element.state, element.open, element.hasAttribute('open'), events]).to.deep.equal([
        'idle',
        false,
        false,
        [],
      ]);
      element.setAttribute('open', '');
      await inState({ element, events, requests: [] }, 'active');
      expect(element.open).to.equal(true);
    }
  });

  it('shows later texts after a page translator has replaced the nodes of the earlier ones', async () => {
    const stage = await setup();
    translate(stage.element.renderRoot);
    await opened(stage);
    translate(stage.element.renderRoot);
    command(stage, 'update', { step: 'background', index: 3 });
    await waitUntil(() => textOf(part(stage, '.step')) === 'Step 3 of 6 · Background questions');
    const submitted = (status: string) => ({ step: 'submitted', index: 6, states: [{ state: 'TX', status }] });
    command(stage, 'submitted', submitted('pending_review'));
    await waitUntil(() => has(stage, '.status'));
    translate(stage.element.renderRoot);
    command(stage, 'update', submitted('approved'));
    await waitUntil(() => textOf(part(stage, '.status')) === 'Approved');
    expect(textOf(part(stage, '.card h2'))).to.equal('[Application submitted]');
  });
});

/** Replaces each text by an element with another text, as page translators do. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ data }) => data.trim())) {
    const mark = document.createElement('mark');
    mark.textContent = `[${text.data}]`;
    text.replaceWith(mark);
  }
}
