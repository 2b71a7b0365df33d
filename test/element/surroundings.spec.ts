import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { LicensingApply } from '../../src/element/index.js';
import { command, has, hosted, opened, part, record, type Stage } from './stage.js';

/** The element in a part of the page that has the given style. */
async function stageIn(style: string): Promise<Stage> {
  const around = await fixture(
    html`<div style=${style}><licensing-apply application-url=${hosted()}></licensing-apply></div>`,
  );
  const element = around.querySelector<LicensingApply>('licensing-apply');
  if (!element) throw new Error('There is no element');
  return { element, events: record(element), requests: [] };
}

/** The same, with its modal open. */
async function openedIn(style: string): Promise<Stage> {
  const stage = await stageIn(style);
  await opened(stage);
  return stage;
}

/** How much of something is in the window, as the browser sees it: engines give the corners of what is zoomed by different measures. */
function shareInSight(shown: Element): Promise<number | undefined> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([seen]) => {
      observer.disconnect();
      resolve(seen?.intersectionRatio);
    });
    observer.observe(shown);
  });
}

describe('a modal', function () {
  this.timeout(15_000);

  for (const zoom of [0.5, 1, 2]) {
    it(`is wholly in sight in a page that is zoomed by ${zoom}`, async () => {
      const stage = await openedIn(`zoom: ${zoom}`);
      expect(await shareInSight(part(stage, 'dialog'))).to.equal(1);
    });
  }

  it('keeps the Escape that is for it from a modal of the page around it', async () => {
    const stage = await openedIn('');
    const heard: string[] = [];
    document.addEventListener('keydown', ({ key }) => heard.push(key));
    part(stage, '.close').focus();
    await sendKeys({ press: 'Shift' });
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => stage.element.state === 'closed');
    expect(heard).to.deep.equal(['Shift']);
    await sendKeys({ press: 'Escape' });
    expect(heard).to.deep.equal(['Shift', 'Escape']);
  });

  it('can be used in a page that takes no clicks', async () => {
    const stage = await openedIn('pointer-events: none');
    const { left, top, width, height } = part(stage, '.close').getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    expect(part(stage, '.close').contains(stage.element.shadowRoot?.elementFromPoint(x, y) ?? null)).to.equal(true);
  });
});

describe('a modal in a part of the page that goes out of sight', function () {
  this.timeout(15_000);

  const overflow = () => getComputedStyle(document.documentElement).overflow;
  const isModal = (stage: Stage) => part(stage, 'dialog').matches(':modal');
  // The browser tells of it with a frame, which may take its time on a busy machine.
  const untilModal = (stage: Stage, wanted: boolean) =>
    waitUntil(() => isModal(stage) === wanted, `modal: ${wanted}`, { timeout: 10_000 });

  // The element of the test before ends a microtask after its removal.
  beforeEach(() => waitUntil(() => overflow() === 'visible'));

  it('gives the page back, and is there again with its application when the part is', async () => {
    const stage = await stageIn('');
    const around = stage.element.parentElement!;
    const opening = opened(stage);
    const frame = part(stage, 'iframe');
    let loads = 0;
    frame.addEventListener('load', () => (loads += 1));
    await opening;
    await waitUntil(() => loads === 1);
    expect([isModal(stage), overflow()]).to.deep.equal([true, 'hidden']);
    around.style.display = 'none';
    await untilModal(stage, false);
    expect(overflow()).to.equal('visible');
    // A rendering changes nothing about that.
    stage.element.requestUpdate();
    await stage.element.updateComplete;
    expect([isModal(stage), overflow(), stage.element.state]).to.deep.equal([false, 'visible', 'active']);
    around.style.display = '';
    await untilModal(stage, true);
    expect([overflow(), stage.element.state, part(stage, 'iframe') === frame, loads]).to.deep.equal([
      'hidden',
      'active',
      true,
      1,
    ]);
    await stage.element.close();
    expect(overflow()).to.equal('visible');
  });

  it('takes the question whether to leave away with it, which means to stay', async () => {
    const stage = await openedIn('');
    const around = stage.element.parentElement!;
    command(stage, 'update', { dirty: true });
    await waitUntil(() => stage.element.snapshot.dirty);
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

  it('does not take a page that cannot see it', async () => {
    const stage = await openedIn('display: none');
    expect([isModal(stage), overflow()]).to.deep.equal([false, 'visible']);
    stage.element.parentElement!.style.display = '';
    await untilModal(stage, true);
    expect(overflow()).to.equal('hidden');
  });
});

describe('the card', () => {
  it('fits on a small phone with letters twice the size', async () => {
    const around = await fixture(
      html`<div style="inline-size: 304px; font-size: 32px">
        <licensing-apply states="TX,CA" estimated-fee="151.2"></licensing-apply>
      </div>`,
    );
    const card = around.querySelector('licensing-apply')?.shadowRoot?.querySelector('.card');
    expect(card?.scrollWidth).to.equal(card?.clientWidth);
  });

  it('leaves room for what a state asks for in a narrow column of a wide page', async () => {
    const application = {
      applicationId: 'app_1',
      progress: { step: 'submitted', index: 6, count: 6 },
      states: [{ state: 'OR', status: 'requires_action', reason: 'Please send the documents.', actionUrl: hosted() }],
    };
    const element = await fixture<LicensingApply>(
      html`<licensing-apply
        style="inline-size: 280px"
        application-id="app_1"
        status-url="data:application/json,${encodeURIComponent(JSON.stringify(application))}"
      ></licensing-apply>`,
    );
    const stage = { element, events: [], requests: [] };
    const boxOf = (name: string) => part(stage, name).getBoundingClientRect();
    await waitUntil(() => has(stage, '.ask .button'));
    expect(boxOf('.ask p').width).to.be.greaterThan(150);
    expect(boxOf('.ask .button').top).to.be.at.least(boxOf('.ask p').bottom);
    element.style.inlineSize = '600px';
    expect(boxOf('.ask .button').top).to.be.lessThan(boxOf('.ask p').bottom);
  });
});
