import { expect, waitUntil } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { command, has, hosted, inState, nextEvent, ofType, part, record, type Stage } from './stage.js';

/** A page of its own, whose element gets the channel only when the test says so. */
interface HeldStage extends Stage {
  page: Window & typeof globalThis;
  /** Whether the element asked for the channel. */
  isAsked(): boolean;
  arrive(): void;
  fail(): void;
}

async function held(application = hosted()): Promise<HeldStage> {
  const frame = document.createElement('iframe');
  frame.src = new URL('./fixtures/held-channel.html', import.meta.url).href;
  document.body.append(frame);
  frames.push(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentWindow as HeldStage['page'];
  const element = page.document.querySelector<LicensingApply>('licensing-apply')!;
  let asked = false;
  let arrive = () => {};
  let fail = () => {};
  const channel = new Promise<void>((resolve, reject) => {
    arrive = resolve;
    fail = () => {
      reject(new TypeError('Failed to fetch'));
    };
  });
  page.holdChannel = () => {
    asked = true;
    return channel;
  };
  element.sessionProvider = () => ({ applicationUrl: application, applicationId: 'app_1' });
  return {
    element,
    events: record(element),
    requests: [],
    page,
    isAsked: () => asked,
    arrive,
    fail,
  };
}

const frames: HTMLIFrameElement[] = [];

/** Opens it and waits until the application has loaded in the frame. */
async function loaded(stage: HeldStage): Promise<void> {
  expect(await stage.element.show()).to.equal(true);
  await stage.element.updateComplete;
  await new Promise((resolve) => part(stage, 'iframe').addEventListener('load', resolve));
}

describe('while the channel is on its way', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  afterEach(() => {
    for (const frame of frames.splice(0)) frame.remove();
  });

  it('is asked for when the user points at the card, before anything opens', async () => {
    const stage = await held();
    part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
    await waitUntil(stage.isAsked);
    expect(stage.events).to.have.length(0);
  });

  it('the frame loads, and its page is heard as soon as the channel is there', async () => {
    const stage = await held();
    await loaded(stage);
    expect(stage.isAsked()).to.equal(true);
    expect(stage.element.state).to.equal('connecting');
    expect(ofType(stage, 'licensing-ready')).to.have.length(0);
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    expect(stage.element.state).to.equal('active');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    expect(ofType(stage, 'licensing-messagerejected')).to.have.length(0);
  });

  it('a silent page is not taken for one that does not speak it', async () => {
    const stage = await held();
    const { setTimeout: original } = stage.page;
    const patience: number[] = [];
    stage.page.setTimeout = ((act: () => void, delayMs = 0) => {
      patience.push(delayMs);
      return original(act, delayMs);
    }) as typeof setTimeout;
    await loaded(stage);
    expect(patience).to.include(20_000).and.not.to.include(2_000);
    stage.arrive();
    await waitUntil(() => patience.includes(2_000));
  });

  it('a forged message has no effect, and is reported once the channel is there', async () => {
    const stage = await held();
    await loaded(stage);
    const hello = { ns: 'licensing-apply', t: 'hello', v: [1], doc: 'abcdefghijklmnopabcdefghijklmnop' };
    stage.page.postMessage(hello, location.origin);
    const ready = nextEvent(stage, 'licensing-ready');
    stage.arrive();
    await ready;
    const rejected = nextEvent(stage, 'licensing-messagerejected');
    stage.page.postMessage(hello, location.origin);
    const { origin, reason } = await rejected;
    expect({ origin, reason }).to.deep.equal({ origin: location.origin, reason: 'source' });
    expect(stage.element.state).to.equal('active');
  });

  it('closing ends it: what arrives afterwards connects nothing', async () => {
    const stage = await held();
    await loaded(stage);
    expect(await stage.element.close()).to.equal(true);
    stage.arrive();
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
    expect(ofType(stage, 'licensing-messagerejected')).to.have.length(0);
  });

  it('says that it failed when it does not come, and offers to try again', async () => {
    const stage = await held();
    await loaded(stage);
    stage.fail();
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['load_failed']);
    expect(has(stage, '[part~=error] button')).to.equal(true);
    expect(has(stage, 'iframe')).to.equal(false);
  });

  it('gives up when it neither comes nor fails', async () => {
    const stage = await held();
    const { setTimeout: original } = stage.page;
    stage.page.setTimeout = ((act: () => void, delayMs = 0) =>
      original(act, delayMs === 20_000 ? 2_000 : delayMs)) as typeof setTimeout;
    await loaded(stage);
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['timeout']);
  });

  it('the page learns the colors of now, not those of the opening', async () => {
    const stage = await held(`${hosted()}?colors`);
    await loaded(stage);
    stage.element.theme = 'dark';
    await stage.element.updateComplete;
    stage.arrive();
    await waitUntil(() => stage.element.snapshot.dirty);
  });
});
