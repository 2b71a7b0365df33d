import { expect } from '@open-wc/testing';
import type { ChannelError } from '../../src/channel/index.js';
import {
  addFrame,
  cleanUp,
  connectedStage,
  openStage,
  origins,
  puppetOf,
  puppetUrl,
  patienceMs,
  until,
} from './stage.js';

/** The code with which a call was rejected. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'answered',
    (error: unknown) => (error as ChannelError).code,
  );
}

describe('a connection', function () {
  this.timeout(patienceMs);
  let popup: Window | null = null;

  afterEach(() => {
    cleanUp();
    popup?.close();
  });

  it('a new connection gives the page its appearance and the element the snapshot of the page', async () => {
    const { init, connects, messages, end, page, rejections } = await connectedStage();
    expect(end.connected).to.equal(true);
    expect(connects).to.have.length(1);
    expect(connects[0]?.protocolVersion).to.equal(1);
    expect(await page.run(({ connects }) => connects)).to.deep.equal([init]);
    expect(messages).to.deep.equal([
      { type: 'ready', payload: { step: 'profile', index: 1, count: 6, dirty: false, states: [] } },
    ]);
    expect(rejections).to.deep.equal([]);
  });

  it('a page connects to an element that opens its end later', async () => {
    const frame = addFrame(puppetUrl(origins.application, [origins.own]));
    const page = await puppetOf(frame.contentWindow!);
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
    const stage = openStage(() => frame.contentWindow);
    await until(() => stage.messages.length === 1, 'ready');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('a call resolves with the answer of the page', async () => {
    const { end, page } = await connectedStage();
    expect(await end.call('confirmClose', {}, 5_000)).to.deep.equal({
      dirty: true,
      savedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(await end.call('configure', { mode: 'inline', locale: 'es', theme: 'light' }, 5_000)).to.deep.equal({});
    expect(await page.run(({ calls }) => calls.at(-1))).to.deep.equal({
      type: 'configure',
      payload: { mode: 'inline', locale: 'es', theme: 'light' },
    });
  });

  it('each reload connects with a new document id and rejects the calls in flight at once', async () => {
    const stage = await connectedStage();
    let { page } = stage;
    for (let reload = 1; reload <= 2; reload++) {
      const inFlight = codeOf(stage.end.call('navigateBack', {}, 60_000));
      void page.run(() => {
        location.reload();
      });
      expect(await inFlight).to.equal('disconnected');
      page = await puppetOf(stage.view, reload + 1);
      await until(() => stage.messages.length === reload + 1, 'ready again');
    }
    expect(new Set(stage.connects.map(({ doc }) => doc))).to.have.property('size', 3);
    expect(stage.messages.map(({ type }) => type)).to.deep.equal(Array(3).fill('ready'));
    expect(stage.rejections).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);
  });

  it('the connection ends when the page navigates to another site and is restored when it comes back', async () => {
    const stage = await connectedStage();
    void stage.page.run((_, url) => {
      location.href = url;
    }, puppetUrl(origins.attacker));
    const foreign = await puppetOf(stage.view, 2);
    await until(() => !stage.end.connected, 'disconnected');
    expect(await codeOf(stage.end.call('confirmClose', {}, 5_000))).to.equal('not_connected');
    void foreign.run(
      (_, url) => {
        location.href = url;
      },
      puppetUrl(origins.application, [origins.own]),
    );
    await until(() => stage.messages.length === 2, 'ready again');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('removing the frame rejects the calls in flight', async () => {
    const { end, frame } = await connectedStage();
    const inFlight = codeOf(end.call('navigateBack', {}, 60_000));
    frame.remove();
    expect(await inFlight).to.equal('disconnected');
  });

  it('the hello of a new document ends the connection of a document that crashed', async () => {
    const stage = await connectedStage();
    const inFlight = codeOf(stage.end.call('navigateBack', {}, 60_000));
    // A document whose process crashed sends no close.
    await stage.page.run(() => {
      parent.postMessage({ ns: 'licensing-apply', t: 'hello', v: [1], doc: 'p'.repeat(32) }, '*');
    });
    expect(await inFlight).to.equal('disconnected');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('a page that comes back from the back/forward cache connects again', async () => {
    const stage = await connectedStage();
    await stage.page.run(() => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await until(() => !stage.end.connected, 'disconnected');
    await stage.page.run(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await until(() => stage.messages.length === 2, 'ready again');
    expect(stage.connects[0]?.doc).not.to.equal(stage.connects[1]?.doc);
  });

  it('two elements on a page each connect to their own frame and do not report the other’s messages', async () => {
    const one = await connectedStage();
    const two = await connectedStage();
    await two.page.run(({ end }) => end?.send('resize', { height: 7 }));
    await until(() => two.messages.length === 2, 'the message');
    expect(one.messages).to.have.length(1);
    expect([one.rejections, two.rejections]).to.deep.equal([[], []]);
  });

  it('a popup connects to its opener, again after a reload, and closing it ends the connection', async () => {
    popup = window.open(puppetUrl(origins.application, [origins.own]), '', 'popup,width=400,height=400');
    const view = popup!;
    const stage = openStage(() => view);
    await until(() => stage.messages.length === 1, 'ready');
    const page = await puppetOf(view);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);

    void page.run(() => {
      location.reload();
    });
    await puppetOf(view, 2);
    await until(() => stage.messages.length === 2, 'ready again');

    const inFlight = stage.end.call('navigateBack', {}, 60_000).catch((error: unknown) => error);
    view.close();
    expect(await inFlight).to.have.property('code', 'disconnected');
    await until(() => !stage.end.connected, 'disconnected');
    expect(stage.rejections).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);
  });
});
