import { expect } from '@open-wc/testing';
import { garbage, malformedEnvelopes, malformedWindowMessages } from './garbage.js';
import { addFrame, cleanUp, origins, puppetOf, puppetUrl, type Puppet, patienceMs, until } from './stage.js';

/*
 * Here the test is the other side: it embeds a page of the application and sends the protocol's
 * messages itself.
 */

const ns = 'licensing-apply';

interface Embedded {
  page: Puppet;
  view: Window;
  /** The id in the page's hello. `undefined`: there was no hello. */
  doc: string | undefined;
  welcome(changes?: object, withPort?: boolean): MessagePort;
}

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

async function expectRejections(page: Puppet, expected: { origin: string; reason: string }[]): Promise<void> {
  await until(async () => (await page.run(({ rejections }) => rejections.length)) >= expected.length, 'rejections');
  expect(await page.run(({ rejections }) => rejections)).to.deep.equal(expected);
  expect(await page.run(({ errors }) => errors)).to.deep.equal([]);
}

describe('a page of the application', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('a page sends nothing to an embedder that its server did not allow, and refuses its welcome', async () => {
    const { page, doc, welcome } = await embed([origins.attacker, 'https://agency.example']);
    expect(doc).to.equal(undefined);
    welcome({ doc: 'a'.repeat(32) });
    await expectRejections(page, [{ origin: origins.own, reason: 'origin' }]);
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
    connectByHand(welcome());
    await until(() => page.run(({ end }) => end?.connected), 'the real one is accepted');
    await expectRejections(page, []);
  });

  it('a page refuses a welcome for another document, one without a port, and a second one', async () => {
    const { page, welcome } = await embed();
    welcome({ doc: 'b'.repeat(32) });
    await expectRejections(page, [{ origin: origins.own, reason: 'replay' }]);
    welcome({}, false);
    const noPort = { origin: origins.own, reason: 'schema' };
    const port = welcome();
    welcome();
    connectByHand(port);
    await until(() => page.run(({ end }) => end?.connected), 'connected');
    const replay = { origin: origins.own, reason: 'replay' };
    await expectRejections(page, [replay, noPort, replay]);
    expect(await page.run(({ connects }) => connects.length)).to.equal(1);
  });

  it('a page refuses every message of its embedder that is not a well-formed welcome', async () => {
    const { page, doc, view } = await embed();
    const forged: unknown[] = [
      ...garbage,
      // A reject without common versions is well formed. All others have a field that no message
      // has.
      ...malformedWindowMessages(doc!),
    ];
    for (const data of forged) view.postMessage(data, origins.application);
    await expectRejections(
      page,
      forged.map((data, index) => ({
        origin: origins.own,
        reason: index < garbage.length && typeof data === 'object' && data !== null ? 'channel' : 'schema',
      })),
    );
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
  });

  for (const [what, send] of [
    ['a reject', ({ view, doc }: Embedded) => view.postMessage({ ns, t: 'reject', v: [2], doc }, origins.application)],
    ['a welcome with an unsupported version', ({ welcome }: Embedded) => welcome({ v: 2 })],
  ] as const) {
    it(`a page stops connecting after ${what}`, async () => {
      const embedded = await embed();
      send(embedded);
      await expectRejections(embedded.page, [{ origin: origins.own, reason: 'version' }]);
      expect(await embedded.page.run(({ end }) => end?.connected)).to.equal(false);
    });
  }

  it('a page refuses malformed envelopes and still answers calls', async () => {
    const { page, welcome } = await embed();
    const port = welcome();
    connectByHand(port);
    await until(() => page.run(({ end }) => end?.connected), 'connected');
    const envelopes = malformedEnvelopes(init.channel);
    for (const { data } of envelopes) port.postMessage(data);
    await expectRejections(
      page,
      envelopes.map(({ reason }) => ({ origin: origins.own, reason })),
    );
    expect(await callByHand(port, { type: 'confirmClose', payload: {} })).to.deep.equal({
      r: { dirty: true, savedAt: '2026-11-20T12:00:00.000Z' },
    });
  });

  it('a page refuses unknown messages and payloads that do not match their schema', async () => {
    const { page, welcome } = await embed();
    const port = welcome();
    connectByHand(port);
    const expiresAt = '2026-11-21T12:00:00.000Z';
    const forged: [unknown, 'schema' | 'unknown_type' | 'limit'][] = [
      [null, 'schema'],
      ['confirmClose', 'schema'],
      [{ payload: {} }, 'schema'],
      [{ type: 'constructor', payload: {} }, 'unknown_type'],
      [{ type: '__proto__', payload: {} }, 'unknown_type'],
      [{ type: 'hasOwnProperty', payload: {} }, 'unknown_type'],
      [{ type: 'submitted', payload: {} }, 'unknown_type'],
      [{ type: 'confirmClose' }, 'schema'],
      [{ type: 'confirmClose', payload: { ssn: '900-11-0001' } }, 'schema'],
      [{ type: 'confirmClose', payload: {}, seq: 1 }, 'schema'],
      [{ type: 'configure', payload: { mode: 'modal', locale: '900-11-0001', theme: 'auto' } }, 'schema'],
      [{ type: 'session', payload: { expiresAt: '900-11-0001' } }, 'schema'],
      [{ type: 'session', payload: { expiresAt, applicationUrl: 'http://apply.example/s/1' } }, 'schema'],
      [{ type: 'session', payload: { expiresAt, applicationUrl: 'https://user@apply.example/s/1' } }, 'schema'],
      [{ type: 'session', payload: { expiresAt, applicationUrl: 'javascript://a/s/1' } }, 'schema'],
      [{ type: 'configure', payload: 'x'.repeat(5_000) }, 'limit'],
    ];
    for (const [message, reason] of forged) {
      if (reason === 'limit') port.postMessage({ ch: init.channel, id: 1, m: message });
      else expect(await callByHand(port, message)).to.deep.equal({ e: 'refused' });
    }
    await expectRejections(
      page,
      forged.map(([, reason]) => ({ origin: origins.own, reason })),
    );
    expect(await page.run(({ calls }) => calls)).to.deep.equal([]);
  });
});

/** Opens the other side of the link. */
function connectByHand(port: MessagePort): void {
  port.start();
  port.postMessage({ ch: init.channel, open: true });
}

/** Sends one message and returns the raw answer. */
function callByHand(port: MessagePort, message: unknown): Promise<unknown> {
  const id = Math.random();
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent<{ ch: string; id?: number }>) => {
      if (data.id !== id) return;
      port.removeEventListener('message', onMessage);
      const { ch: _channel, id: _id, ...reply } = data;
      resolve(reply);
    };
    port.addEventListener('message', onMessage);
    port.postMessage({ ch: init.channel, id, m: message });
  });
}
