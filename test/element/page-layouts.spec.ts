import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { LicensingApply } from '../../src/element/index.js';
import { addCleanup, has, hosted, makeDirty, opened, part, record, setup, waitUntil, type Stage } from './stage.js';

/** Adds an element to a part of the page with the given style. */
async function stageIn(style: string): Promise<Stage> {
  const around = await fixture(
    html`<div style=${style}><licensing-apply application-url=${hosted()}></licensing-apply></div>`,
  );
  const element = around.querySelector<LicensingApply>('licensing-apply');
  if (!element) throw new Error('The fixture has no element.');
  return { element, events: record(element), requests: [] };
}

/** Does the same, and opens the modal. */
async function openedIn(style: string): Promise<Stage> {
  const stage = await stageIn(style);
  await opened(stage);
  return stage;
}

/**
 * Returns the share of an element that is inside the window. Engines measure a zoomed element
 * differently, so the browser's own measurement is used.
 */
function visibleShare(shown: Element): Promise<number | undefined> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([seen]) => {
      observer.disconnect();
      resolve(seen?.intersectionRatio);
    });
    observer.observe(shown);
  });
}

describe('the modal in unusual surroundings', () => {
  it('the whole modal is inside the window of a page that is zoomed', async () => {
    const stage = await openedIn('zoom: 2');
    expect(await visibleShare(part(stage, 'dialog'))).to.equal(1);
  });

  it('the modal receives its clicks in a part of the page that takes none', async () => {
    const stage = await openedIn('pointer-events: none');
    const { left, top, width, height } = part(stage, '.close').getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    expect(part(stage, '.close').contains(stage.element.shadowRoot?.elementFromPoint(x, y) ?? null)).to.equal(true);
  });

  it('a page with another modal does not receive the Escape that closes the modal of the element', async () => {
    const stage = await openedIn('');
    await waitUntil(() => stage.element.shadowRoot?.activeElement?.localName === 'iframe', 'focus in the frame');
    const keys: string[] = [];
    const onKeydown = ({ key }: KeyboardEvent) => keys.push(key);
    // In the capture phase, in which the page receives what the modal keeps to itself.
    document.addEventListener('keydown', onKeydown, { capture: true });
    addCleanup(() => {
      document.removeEventListener('keydown', onKeydown, { capture: true });
    });
    part(stage, '.close').focus();
    // The first key may still go to the process of the frame, which had the focus.
    const isReceived = async () => {
      await sendKeys({ press: 'Shift' });
      return keys.length > 0;
    };
    await waitUntil(isReceived, 'a key in the page');
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => stage.element.state === 'closed');
    expect(keys).not.to.include('Escape');
    await sendKeys({ press: 'Escape' });
    expect(keys).to.include('Escape');
  });

  it('a dialog around the element that listens in the capture phase receives no Escape of the modal or its question', async () => {
    const stage = await openedIn('');
    const keys: string[] = [];
    const onKeydown = ({ key }: KeyboardEvent) => keys.push(key);
    document.addEventListener('keydown', onKeydown, { capture: true });
    addCleanup(() => {
      document.removeEventListener('keydown', onKeydown, { capture: true });
    });
    const escape = (target: Element) =>
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
      );
    await makeDirty(stage);
    expect(escape(part(stage, '.close')), 'prevented').to.equal(false);
    await waitUntil(() => has(stage, '.question[open]'));
    expect(escape(part(stage, '.question button')), 'left to the browser').to.equal(true);
    part(stage, '.question button').click();
    await waitUntil(() => !has(stage, '.question'));
    expect(escape(document.body), 'without a focused element').to.equal(false);
    await waitUntil(() => has(stage, '.question[open]'));
    expect(keys).to.deep.equal([]);
    await stage.element.close({ force: true });
    escape(document.body);
    expect(keys).to.deep.equal(['Escape']);
  });

  it('the modal of a hidden element is visible, because it would make the page inert otherwise', async () => {
    const stage = await setup({ template: html`<licensing-apply hidden></licensing-apply>` });
    expect(stage.element.checkVisibility()).to.equal(false);
    await opened(stage);
    expect(part(stage, 'dialog').checkVisibility()).to.equal(true);
    await stage.element.close();
    await stage.element.updateComplete;
    expect(stage.element.checkVisibility()).to.equal(false);
  });
});

describe('a part of the page that is hidden while the modal is open in it', () => {
  const overflow = () => getComputedStyle(document.documentElement).overflow;
  const isModal = (stage: Stage) => part(stage, 'dialog').matches(':modal');
  // The browser reports visibility with its next frame, which is slow on a busy machine.
  const untilModal = (stage: Stage, wanted: boolean) => waitUntil(() => isModal(stage) === wanted, `modal: ${wanted}`);

  // The previous test's element ends a microtask after its removal.
  beforeEach(() => waitUntil(() => overflow() === 'visible'));

  it('the page can be used while the part is hidden, and the modal comes back with its application', async () => {
    const stage = await stageIn('');
    const around = stage.element.parentElement!;
    // Each document of the application sends a new id, so a reload would change it.
    const documents = new Set<unknown>();
    const onMessage = ({ data, source }: MessageEvent<{ t?: string; doc?: string }>) => {
      // The frame of the previous test may send a last hello.
      const isOurs = stage.element.renderRoot.querySelector('iframe')?.contentWindow === source;
      if (isOurs && data.t === 'hello') documents.add(data.doc);
    };
    window.addEventListener('message', onMessage);
    addCleanup(() => window.removeEventListener('message', onMessage));
    await opened(stage);
    const frame = part(stage, 'iframe');
    expect([isModal(stage), overflow()]).to.deep.equal([true, 'hidden']);
    around.style.display = 'none';
    await untilModal(stage, false);
    expect(overflow()).to.equal('visible');
    // Rendering again does not change that.
    stage.element.requestUpdate();
    await stage.element.updateComplete;
    expect([isModal(stage), overflow(), stage.element.state]).to.deep.equal([false, 'visible', 'active']);
    around.style.display = '';
    await untilModal(stage, true);
    expect([overflow(), stage.element.state, part(stage, 'iframe') === frame, documents.size]).to.deep.equal([
      'hidden',
      'active',
      true,
      1,
    ]);
    await stage.element.close();
    expect(overflow()).to.equal('visible');
  });

  it('a question whether to leave is closed with the part, and the application stays open', async () => {
    const stage = await openedIn('');
    const around = stage.element.parentElement!;
    await makeDirty(stage);
    const closing = stage.element.close();
    await waitUntil(() => has(stage, '.question[open]'));
    around.style.display = 'none';
    expect(await closing).to.equal(false);
    await untilModal(stage, false);
    await waitUntil(() => !has(stage, '.question'));
    around.style.display = '';
    await untilModal(stage, true);
    expect(stage.element.state).to.equal('active');
  });
});

it('the card fits on a small phone with text of twice the size', async () => {
  const around = await fixture(
    html`<div style="inline-size: 304px; font-size: 32px">
      <licensing-apply states="TX,CA" estimated-fee="151.2"></licensing-apply>
    </div>`,
  );
  const card = around.querySelector('licensing-apply')?.shadowRoot?.querySelector('.card');
  expect(card?.scrollWidth).to.equal(card?.clientWidth);
});
