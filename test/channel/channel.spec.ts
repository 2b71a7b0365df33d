import { expect } from '@open-wc/testing';
import type { ChannelError } from '../../src/channel/index.js';
import {
  addFrame,
  cleanUp,
  connectedStage,
  openStage,
  origins,
  puppetOf,
  type Puppet,
  puppetUrl,
  patienceMs,
  until,
} from './stage.js';

/*
 * The behavior that needs real windows, frames and origins. The ends themselves are tested in Node,
 * with windows that the test plays.
 */

const doc = 'abcdefghijklmnopabcdefghijklmnop';
const hello = { ns: 'licensing-apply', t: 'hello', v: [1], doc };

/** The code with which a call was rejected. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'answered',
    (error: unknown) => (error as ChannelError).code,
  );
}

/** Leads the page of a puppet to another one. */
function leadTo(page: Puppet, url: string): void {
  void page.run((_, to) => {
    location.href = to;
  }, url);
}

describe('a connection', function () {
  this.timeout(patienceMs);
  let popup: Window | null = null;

  afterEach(() => {
    cleanUp();
    popup?.close();
  });

  it('a new connection gives the page its appearance, and the element the snapshot and the answers of the page', async () => {
    const { init, connects, messages, end, page, rejections } = await connectedStage();
    expect(connects.map(({ protocolVersion }) => protocolVersion)).to.deep.equal([1]);
    expect(await page.run(({ connects }) => connects)).to.deep.equal([init]);
    expect(messages).to.deep.equal([
      { type: 'ready', payload: { step: 'profile', index: 1, count: 6, dirty: false, states: [] } },
    ]);
    expect(await end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
    expect(rejections).to.deep.equal([]);
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
    expect([...stage.rejections, ...stage.errors]).to.deep.equal([]);
  });

  it('removing the frame rejects the calls in flight', async () => {
    const { end, frame } = await connectedStage();
    const inFlight = codeOf(end.call('navigateBack', {}, 60_000));
    frame.remove();
    expect(await inFlight).to.equal('disconnected');
  });

  it('an attacker’s page in the frame receives nothing, and the real page can connect after it', async () => {
    const stage = await connectedStage();
    leadTo(stage.page, puppetUrl(origins.attacker));
    const attacker = await puppetOf(stage.view, 2);
    for (const [index, sent] of [doc, stage.connects[0]!.doc].entries()) {
      await attacker.run(
        (_, data) => {
          parent.postMessage(data, '*', [new MessageChannel().port1]);
        },
        { ...hello, doc: sent },
      );
      await until(() => stage.rejections.length > index, 'a rejection');
      expect(stage.rejections.at(-1)).to.deep.equal({ origin: origins.attacker, reason: 'origin' });
    }
    expect(await codeOf(stage.end.call('confirmClose', {}, 5_000))).to.equal('not_connected');
    expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
    leadTo(attacker, puppetUrl(origins.application, [origins.own]));
    await until(() => stage.messages.length === 2, 'ready again');
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
    expect(stage.errors).to.deep.equal([]);
  });

  it('a hello of a sibling frame and of a frame inside the application’s frame is ignored', async () => {
    const stage = await connectedStage();
    const sibling = await puppetOf(addFrame(puppetUrl(origins.application)).contentWindow!);
    await stage.page.run((_, url) => {
      const inner = document.createElement('iframe');
      inner.src = url;
      document.body.append(inner);
    }, puppetUrl(origins.attacker));
    await until(() => stage.view.length === 1, 'the inner frame');
    const inner = await puppetOf(stage.view[0]!);
    for (const sender of [sibling, inner]) {
      // The end was opened before, so it has received the message first.
      const arrived = new Promise((resolve) => {
        window.addEventListener('message', ({ data }) => (data as typeof hello).doc === doc && resolve(undefined));
      });
      await sender.run((_, forged) => top?.postMessage(forged, '*'), hello);
      await arrived;
      expect(await sender.run(({ seen }) => seen)).to.deep.equal([]);
    }
    expect([stage.connects.length, stage.messages.length, stage.end.connected]).to.deep.equal([1, 1, true]);
    expect([...stage.rejections, ...stage.errors]).to.deep.equal([]);
  });

  it('a page sends nothing to an embedder that its server did not allow', async () => {
    const frame = addFrame(puppetUrl(origins.application, [origins.attacker]));
    const hellos: unknown[] = [];
    const onMessage = ({ source, data }: MessageEvent) => source === frame.contentWindow && hellos.push(data);
    window.addEventListener('message', onMessage);
    // The page sends its hello while it loads, before its puppet is ready.
    const page = await puppetOf(frame.contentWindow!);
    window.removeEventListener('message', onMessage);
    expect(hellos).to.deep.equal([]);
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
  });

  it('a popup connects to its opener, again after a reload, and closing it ends the connection', async () => {
    popup = window.open(puppetUrl(origins.application, [origins.own]), '', 'popup,width=400,height=400');
    const view = popup!;
    const stage = openStage(() => view);
    await until(() => stage.messages.length === 1, 'ready');
    const page = await puppetOf(view);
    void page.run(() => {
      location.reload();
    });
    await puppetOf(view, 2);
    await until(() => stage.messages.length === 2, 'ready again');
    const inFlight = codeOf(stage.end.call('navigateBack', {}, 60_000));
    view.close();
    expect(await inFlight).to.equal('disconnected');
    await until(() => !stage.end.connected, 'disconnected');
    expect([...stage.rejections, ...stage.errors]).to.deep.equal([]);
  });
});
