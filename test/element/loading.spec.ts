import { expect, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { command, hosted, nextEvent, ofType, opened, part, record, setup, type Stage } from './stage.js';

/** A page of its own, whose element gets most of its code only when the test says so. */
interface HeldStage extends Stage {
  page: Window & typeof globalThis;
  /** Whether the element asked for it. */
  isAsked(): boolean;
  arrive(): void;
  fail(): void;
}

async function held(): Promise<HeldStage> {
  const frame = document.createElement('iframe');
  frame.src = new URL('./fixtures/held-application.html', import.meta.url).href;
  document.body.append(frame);
  frames.push(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentWindow as HeldStage['page'];
  const element = page.document.querySelector<LicensingApply>('licensing-apply')!;
  let asked = false;
  let arrive = () => {};
  let fail = () => {};
  const code = new Promise<void>((resolve, reject) => {
    arrive = resolve;
    fail = () => {
      reject(new TypeError('Failed to fetch'));
    };
  });
  page.holdApplication = () => {
    asked = true;
    return code;
  };
  element.sessionProvider = () => ({ applicationUrl: hosted(), applicationId: 'app_1' });
  return { element, events: record(element), requests: [], page, isAsked: () => asked, arrive, fail };
}

const frames: HTMLIFrameElement[] = [];

describe('while most of the element is on its way', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(() => {
    for (const frame of frames.splice(0)) frame.remove();
  });

  it('is asked for when the user points at the card, before anything opens', async () => {
    const stage = await held();
    expect(stage.isAsked()).to.equal(false);
    part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
    await waitUntil(stage.isAsked);
    expect(stage.events).to.have.length(0);
  });

  it('a click is not lost', async () => {
    const stage = await held();
    part(stage, '.card button').click();
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('true');
    expect(stage.events).to.have.length(0);
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    expect(stage.element.state).to.equal('active');
  });

  it('a window of its own is open already', async () => {
    const stage = await held();
    stage.element.mode = 'popup';
    const { open } = stage.page;
    const windows: (Window | null)[] = [];
    stage.page.open = (...args) => {
      const popup = open.apply(stage.page, args);
      windows.push(popup);
      return popup;
    };
    part(stage, '.card button').click();
    expect(windows).to.have.length(1);
    stage.fail();
    await nextEvent(stage, 'licensing-error');
    expect(windows[0]?.closed).to.equal(true);
  });

  it('it says that it failed when it does not come', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.fail();
    expect(await showing).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['load_failed']);
    await stage.element.updateComplete;
    expect(part(stage, '.card button').getAttribute('aria-disabled')).to.equal('false');
  });
});

describe('the colors of the element', function () {
  this.timeout(15_000);

  it('are those of every document that follows a change', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?colors` } });
    stage.element.theme = 'light';
    await opened(stage);
    command(stage, 'update', { step: 'identity', index: 2 });
    stage.element.theme = 'dark';
    await waitUntil(() => stage.element.snapshot.dirty && stage.element.snapshot.index === 2);
    command(stage, 'go', `${hosted()}?colors`);
    await waitUntil(() => stage.element.snapshot.index === 1);
    await waitUntil(() => stage.element.snapshot.dirty);
  });
});
