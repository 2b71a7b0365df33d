import { expect } from '@open-wc/testing';
import { garbage, malformedEnvelopes, malformedWindowMessages } from './garbage.js';
import {
  addFrame,
  cleanUp,
  connectedStage,
  origins,
  puppetOf,
  puppetUrl,
  type Puppet,
  patienceMs,
  until,
} from './stage.js';

/*
 * Here the test is the other side: it embeds a page of the application and answers by hand.
 */

const ns = 'licensing-apply';

interface Embedded {
  page: Puppet;
  view: Window;
  /** The id that the page said hello with; undefined when it said none. */
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
  // The page says hello while it loads, so its hello is here before its puppet is.
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

  it('says nothing to an embedder that its server did not allow, and takes nothing from it', async () => {
    const { page, doc, welcome } = await embed([origins.attacker, 'https://agency.example']);
    expect(doc).to.equal(undefined);
    welcome({ doc: 'a'.repeat(32) });
    await expectRejections(page, [{ origin: origins.own, reason: 'origin' }]);
    expect(await page.run(({ end, connects }) => [end?.connected, connects.length])).to.deep.equal([false, 0]);
  });

  it('takes a welcome only from its embedder', async () => {
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
    await expectRejections(page, [{ origin: origins.application, reason: 'source' }]);
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
    connectByHand(welcome());
    await until(() => page.run(({ end }) => end?.connected), 'the real one is taken');
  });

  it('refuses a welcome for another document, one without a port, and one that comes twice', async () => {
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

  it('refuses what is no welcome', async () => {
    const { page, doc, view } = await embed();
    const forged: unknown[] = [
      ...garbage,
      // A reject without versions in common is well formed; all others have something that no message has.
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
    ['a version that it does not speak', ({ welcome }: Embedded) => welcome({ v: 2 })],
  ] as const) {
    it(`gives up for this document after ${what}`, async () => {
      const embedded = await embed();
      send(embedded);
      await expectRejections(embedded.page, [{ origin: origins.own, reason: 'version' }]);
      expect(await embedded.page.run(({ end }) => end?.connected)).to.equal(false);
    });
  }

  it('refuses garbage on the port and goes on', async () => {
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

  it('refuses messages that it does not know and payloads that do not fit', async () => {
    const { page, welcome } = await embed();
    const port = welcome();
    connectByHand(port);
    const [expiresAt, token] = ['2026-11-21T12:00:00.000Z', 'x'.repeat(43)];
    const forged: [unknown, 'schema' | 'unknown_type'][] = [
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
      [{ type: 'session', payload: { expiresAt, applicationUrl: `${origins.application}/a/${token}` } }, 'schema'],
      [{ type: 'session', payload: { expiresAt, applicationUrl: `${origins.application}/s/${token}?x` } }, 'schema'],
      [{ type: 'session', payload: { expiresAt, applicationUrl: `javascript://a/s/${token}` } }, 'schema'],
    ];
    for (const [message] of forged) expect(await callByHand(port, message)).to.deep.equal({ e: 'refused' });
    await expectRejections(
      page,
      forged.map(([, reason]) => ({ origin: origins.own, reason })),
    );
    expect(await page.run(({ calls }) => calls)).to.deep.equal([]);
  });

  it('lets nothing out that has no place in the protocol', async () => {
    const { page, messages } = await connectedStage();
    const thrown = await page.run(({ end }) => {
      const snapshot = { step: 'review', index: 6, count: 6, dirty: false, states: [] as [] } as const;
      const attempts: (() => void)[] = [
        () => end?.send('progress', { ...snapshot, ssn: '900-11-0001' } as never),
        () => end?.send('progress', { ...snapshot, savedAt: '900-11-0001' }),
        () => end?.send('requiresAction', { state: 'TX', actionUrl: `https://other.example/a/${'x'.repeat(43)}` }),
        () =>
          end?.send('requiresAction', {
            state: 'TX',
            actionUrl: `${location.origin}/a/${'x'.repeat(43)}?ssn=900110001`,
          }),
      ];
      const results = attempts.map((attempt) => {
        try {
          attempt();
          return 'sent';
        } catch (error) {
          return String(error);
        }
      });
      end?.send('requiresAction', { state: 'TX', actionUrl: `${location.origin}/a/${'x'.repeat(43)}` });
      return results;
    });
    await until(() => messages.length === 2, 'the one that may');
    expect(messages[1]).to.have.property('type', 'requiresAction');
    for (const text of thrown) {
      expect(text).to.match(/^TypeError/);
      expect(text).not.to.contain('900');
    }
  });
});

/** Opens the other side of the link. */
function connectByHand(port: MessagePort): void {
  port.start();
  port.postMessage({ ch: init.channel, hi: true });
}

/** Sends one message and returns the answer as it came. */
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
