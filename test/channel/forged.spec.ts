import { expect } from '@open-wc/testing';
import {
  addFrame,
  cleanUp,
  connectedStage,
  expectRejection,
  openStage,
  origins,
  puppetOf,
  type Puppet,
  puppetUrl,
  type Stage,
  patienceMs,
  until,
} from './stage.js';

const doc = 'abcdefghijklmnopabcdefghijklmnop';
const hello = { ns: 'licensing-apply', t: 'hello', v: [1], doc };

describe('a forged message to the element', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  for (const [what, origin] of [
    ['the window of another site', origins.attacker],
    ['another frame of the allowed origin, such as that of another element,', origins.application],
  ] as const)
    it(`a hello from ${what} is ignored`, async () => {
      const stage = await connectedStage();
      const sender = await puppetOf(addFrame(puppetUrl(origin)).contentWindow!);
      await deliver(sender, 'parent', hello);
      expectIgnored(stage);
      expect(await sender.run(({ seen }) => seen)).to.deep.equal([]);
    });

  it('a hello from a frame inside the application’s frame is ignored', async () => {
    const stage = await connectedStage();
    await stage.page.run((_, url) => {
      const inner = document.createElement('iframe');
      inner.src = url;
      document.body.append(inner);
    }, puppetUrl(origins.attacker));
    await deliver(await puppetOf(await frameInside(stage.view)), 'top', hello);
    expectIgnored(stage);
  });

  it('a hello from the partner’s own page is ignored', async () => {
    const stage = openStage(() => null);
    const arrived = nextMessage(doc);
    window.postMessage(hello, '*');
    await arrived;
    const { connects, messages, rejections, errors } = stage;
    expect([...connects, ...messages, ...rejections, ...errors]).to.deep.equal([]);
  });

  it('a message event that a script dispatches is ignored, and its data is not read', async () => {
    const stage = await connectedStage();
    const fail = (): never => {
      throw new Error('read');
    };
    for (const data of [hello, Object.defineProperty({}, 'ns', { get: fail })]) {
      const invented = new MessageEvent('message', { data, origin: origins.application });
      // Firefox accepts no window of another origin in the constructor.
      Object.defineProperty(invented, 'source', { value: stage.view });
      window.dispatchEvent(invented);
    }
    expectIgnored(stage);
  });

  it('an attacker’s page in the frame receives nothing, and the real page can connect after it', async () => {
    const stage = await connectedStage();
    void stage.page.run((_, url) => {
      location.href = url;
    }, puppetUrl(origins.attacker));
    const attacker = await puppetOf(stage.view, 2);
    for (const [index, sent] of [doc, stage.connects[0]!.doc].entries()) {
      await attacker.run(
        (_, data) => {
          parent.postMessage(data, '*', [new MessageChannel().port1]);
        },
        { ...hello, doc: sent },
      );
      await expectRejection(stage, { origin: origins.attacker, reason: 'origin' }, index + 1);
    }
    expect(stage.end.connected).to.equal(false);
    expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
    void attacker.run(
      (_, url) => {
        location.href = url;
      },
      puppetUrl(origins.application, [origins.own]),
    );
    await until(() => stage.messages.length === 2, 'ready again');
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
  });
});

/** A page of the application, whose element the test plays. */
interface Embedded {
  page: Puppet;
  view: Window;
  /** The id in the page's hello. `undefined`: there was no hello. */
  doc: string | undefined;
  welcome(changes?: object, withPort?: boolean): MessagePort;
}

const ns = 'licensing-apply';
const init = { channel: crypto.randomUUID(), mode: 'modal', locale: 'en', theme: 'auto' };

async function embed(allow: string[] = [origins.own]): Promise<Embedded> {
  const frame = addFrame(puppetUrl(origins.application, allow));
  const view = frame.contentWindow!;
  let doc: string | undefined;
  const onMessage = ({ source, data }: MessageEvent<{ ns?: string; t?: string; doc?: string } | null>) => {
    if (source === view && data?.ns === ns) doc = data.doc;
  };
  window.addEventListener('message', onMessage);
  // The page sends its hello while it loads, before its puppet is ready.
  const page = await puppetOf(view);
  window.removeEventListener('message', onMessage);
  return {
    page,
    view,
    doc,
    welcome(changes = {}, withPort = true) {
      const { port1, port2 } = new MessageChannel();
      const message = { ns, t: 'welcome', v: 1, doc, init, ...changes };
      view.postMessage(message, origins.application, withPort ? [port2] : []);
      return port1;
    },
  };
}

const reasonsOf = (page: Puppet) => page.run(({ rejections }) => rejections.map(({ reason }) => reason));

describe('a forged message to the page', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('a page sends nothing to an embedder that its server did not allow, and refuses its welcome', async () => {
    const { page, doc, welcome } = await embed([origins.attacker, 'https://agency.example']);
    expect(doc).to.equal(undefined);
    welcome({ doc: 'a'.repeat(32) });
    await until(async () => (await reasonsOf(page)).length > 0, 'a rejection');
    expect(await reasonsOf(page)).to.deep.equal(['origin']);
    expect(await page.run(({ end, connects }) => [end?.connected, connects.length])).to.deep.equal([false, 0]);
  });

  it('a page ignores a welcome from another window and one that a script dispatches', async () => {
    const { page, doc, view, welcome } = await embed();
    const index = [...Array(window.length).keys()].find((candidate) => window[candidate] === view);
    const sibling = await puppetOf(addFrame(puppetUrl(origins.application)).contentWindow!);
    await sibling.run(
      (_, message, at) => {
        top![at]!.postMessage(message, '*', [new MessageChannel().port2]);
      },
      { ns, t: 'welcome', v: 1, doc, init },
      index!,
    );
    await until(() => page.run(({ seen }) => seen.length > 0), 'the forged one arrived');
    await page.run((scope) => {
      const port = new MessageChannel().port2;
      const data = scope.seen.at(-1);
      const { origin } = new URL(document.referrer);
      const invented = new MessageEvent('message', { data, ports: [port], origin });
      // Firefox accepts no window of another origin in the constructor.
      Object.defineProperty(invented, 'source', { value: parent });
      window.dispatchEvent(invented);
    });
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
    const port = welcome();
    port.start();
    port.postMessage({ ch: init.channel, open: true });
    await until(() => page.run(({ end }) => end?.connected), 'the real one is accepted');
    expect(await reasonsOf(page)).to.deep.equal([]);
  });
});

/**
 * Posts a message from a puppet and resolves when everyone, including the element, has received it.
 */
async function deliver(puppet: Puppet, to: 'parent' | 'top', message: typeof hello): Promise<void> {
  const arrived = nextMessage(message.doc);
  await puppet.run((_, where, forged) => window[where]?.postMessage(forged, '*'), to, message);
  await arrived;
}

/**
 * Resolves with the next message with that document id. The ends were opened before, so they have
 * received it first.
 */
function nextMessage(id: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('message', function onMessage({ data }: MessageEvent<{ doc?: string } | null>) {
      if (data?.doc !== id) return;
      window.removeEventListener('message', onMessage);
      resolve();
    });
  });
}

/** Asserts that a connected stage is unchanged. */
function expectIgnored({ connects, end, messages, rejections, errors }: Stage): void {
  expect(connects).to.have.length(1);
  expect(messages).to.have.length(1);
  expect(end.connected).to.equal(true);
  expect(rejections).to.deep.equal([]);
  expect(errors).to.deep.equal([]);
}

async function frameInside(view: Window): Promise<Window> {
  await until(() => view.length === 1, 'the inner frame');
  return view[0]!;
}
