import { expect } from '@open-wc/testing';
import { malformedEnvelopes } from './garbage.js';
import {
  addFrame,
  cleanUp,
  openStage,
  origins,
  patienceMs,
  type Puppet,
  puppetOf,
  puppetUrl,
  type Stage,
  until,
} from './stage.js';

/** A page of the right origin that performs the handshake by hand, and the element's end for it. */
async function openHostileStage(): Promise<Stage & { page: Puppet; reconnect(): Promise<void> }> {
  const frame = addFrame(puppetUrl(origins.application));
  const stage = openStage(() => frame.contentWindow);
  const page = await puppetOf(frame.contentWindow!);
  let documents = 0;
  async function reconnect(): Promise<void> {
    documents += 1;
    await page.run(
      (scope, hello) =>
        new Promise<void>((resolve) => {
          const onMessage = ({ ports, data }: MessageEvent<{ init: { channel: string } }>) => {
            window.removeEventListener('message', onMessage);
            scope.port = ports[0]!;
            scope.port.start();
            scope.port.postMessage({ ch: data.init.channel, open: true });
            resolve();
          };
          window.addEventListener('message', onMessage);
          parent.postMessage(hello, '*');
        }),
      { ns: 'licensing-apply', t: 'hello', v: [9, 1], doc: 'abcdefghijklmnop'.charAt(documents).repeat(32) },
    );
    await until(() => stage.connects.length === documents && stage.end.connected, 'connected');
  }
  await reconnect();
  return { ...stage, page, reconnect };
}

/** Posts envelopes on the port of the page. */
function post(page: Puppet, envelopes: readonly unknown[]): Promise<void> {
  return page.run((scope, list) => {
    for (const envelope of list) scope.port?.postMessage(envelope);
  }, envelopes);
}

function resize(channel: string, seq: number, height: unknown = seq): object {
  return { ch: channel, m: { type: 'resize', seq, payload: { height } } };
}

const reasonsOf = ({ rejections }: Stage) => rejections.map(({ reason }) => reason as string);

describe('the port of a hostile page', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('malformed envelopes and messages are refused and have no effect', async () => {
    const stage = await openHostileStage();
    const { channel } = stage.init;
    const message = (type: string, payload: unknown, seq = 1) => ({ ch: channel, m: { type, seq, payload } });
    const link = (actionUrl: string) => message('requiresAction', { state: 'TX', actionUrl });
    const forged: { data: unknown; reason: string }[] = [
      ...malformedEnvelopes(channel),
      { data: { ch: channel, m: null }, reason: 'schema' },
      { data: { ch: channel, m: { type: 'resize', payload: { height: 1 } } }, reason: 'schema' },
      { data: message('constructor', {}), reason: 'unknown_type' },
      { data: message('__proto__', {}), reason: 'unknown_type' },
      { data: message('configure', {}), reason: 'unknown_type' },
      { data: resize(channel, 1, 900_110_001), reason: 'schema' },
      { data: resize(channel, 1, '900-11-0001'), reason: 'schema' },
      { data: message('resize', { height: 1, note: 'no' }), reason: 'schema' },
      { data: link(`${origins.attacker}/a/1`), reason: 'schema' },
      { data: link('https://apply.example/a/1'), reason: 'schema' },
      { data: link('javascript:alert(1)'), reason: 'schema' },
    ];
    // Below the maximum of refused messages per document.
    for (let start = 0; start < forged.length; start += 15) {
      const some = forged.slice(start, start + 15);
      await stage.reconnect();
      stage.rejections.length = 0;
      await post(stage.page, [...some.map(({ data }) => data), resize(channel, 5)]);
      await until(() => stage.messages.length > 0, 'the one good message');
      expect(reasonsOf(stage)).to.deep.equal(some.map(({ reason }) => reason));
      expect(stage.messages.splice(0)).to.deep.equal([{ type: 'resize', payload: { height: 5 } }]);
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);
  });

  it('the element accepts any link of the page’s own origin', async () => {
    const stage = await openHostileStage();
    const actionUrl = `${origins.application}/requests/9?lang=en#papers`;
    const m = { type: 'requiresAction', seq: 1, payload: { state: 'TX', actionUrl } };
    await post(stage.page, [{ ch: stage.init.channel, m }]);
    await until(() => stage.messages.length > 0, 'the message');
    expect(stage.messages).to.deep.equal([{ type: 'requiresAction', payload: { state: 'TX', actionUrl } }]);
  });

  it('repeated and outdated messages are refused', async () => {
    const stage = await openHostileStage();
    const { channel } = stage.init;
    await post(stage.page, [resize(channel, 5), resize(channel, 5, 6), resize(channel, 4), resize(channel, 7)]);
    await until(() => stage.messages.length === 2, 'the newer message');
    expect(stage.messages.map(({ payload }) => payload)).to.deep.equal([{ height: 5 }, { height: 7 }]);
    expect(reasonsOf(stage)).to.deep.equal(['replay', 'replay']);
  });

  it('a call whose id is a port, which could not be sent back, is refused', async () => {
    const stage = await openHostileStage();
    await stage.page.run((scope, ch) => {
      const { port1 } = new MessageChannel();
      scope.port?.postMessage({ ch, id: port1, m: {} }, [port1]);
    }, stage.init.channel);
    await until(() => stage.rejections.length === 1, 'the report');
    expect(reasonsOf(stage)).to.deep.equal(['schema']);
    expect(stage.errors).to.deep.equal([]);
  });

  it('the 20th refused message closes the port with one last report, and a new document can connect', async () => {
    const stage = await openHostileStage();
    const { channel } = stage.init;
    const wrong = Array.from({ length: 1_000 }, () => ({ ch: channel, m: { type: 'resize' } }));
    await post(stage.page, [...wrong, resize(channel, 1)]);
    await until(() => !stage.end.connected, 'closed');
    await stage.reconnect();
    await post(stage.page, [resize(channel, 2)]);
    await until(() => stage.messages.length > 0, 'the message of the new document');
    expect(stage.messages).to.deep.equal([{ type: 'resize', payload: { height: 2 } }]);
    expect(reasonsOf(stage)).to.deep.equal([...Array<string>(19).fill('schema'), 'limit']);
  });

  it('messages of unknown types do not close the port, however many there are', async () => {
    const stage = await openHostileStage();
    const { channel } = stage.init;
    await post(stage.page, [
      ...Array.from({ length: 100 }, (_, seq) => ({ ch: channel, m: { type: 'heartbeat', seq: seq + 1 } })),
      resize(channel, 101),
    ]);
    await until(() => stage.messages.length > 0, 'the known message');
    expect(new Set(reasonsOf(stage))).to.deep.equal(new Set(['unknown_type']));
  });

  for (const [what, flood] of [
    ['5 MB of text', () => ({ step: 'x'.repeat(5_000_000) })],
    ['200,000 fields', () => Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`f${index}`, index]))],
    [
      '200 levels',
      () => {
        let value: object = {};
        for (let level = 1; level < 200; level += 1) value = { value };
        return value;
      },
    ],
  ] as const) {
    it(`the first message with ${what} closes the port`, async () => {
      const stage = await openHostileStage();
      await stage.page.run(
        (scope, ch, source) => {
          const make = new Function(`return (${source})`)() as () => object;
          for (let seq = 1; seq <= 3; seq += 1) {
            scope.port?.postMessage({ ch, m: { type: 'progress', seq, payload: make() } });
          }
        },
        stage.init.channel,
        flood.toString(),
      );
      await until(() => !stage.end.connected, 'closed');
      await stage.reconnect();
      expect(reasonsOf(stage)).to.deep.equal(['limit']);
    });
  }

  it('a call that receives a malformed answer rejects with a code', async () => {
    const stage = await openHostileStage();
    for (const [reply, code] of [
      [{ r: null }, 'invalid_answer'],
      [{ r: { dirty: 'no' } }, 'invalid_answer'],
      [{ r: { dirty: false, ssn: '900-11-0001' } }, 'invalid_answer'],
      [{ e: 'a long story' }, 'invalid_answer'],
      [{ e: { message: 'a long story' } }, 'invalid_answer'],
      // The other side cannot send errors that only this side can detect.
      [{ e: 'disconnected' }, 'invalid_answer'],
      [{ e: 'failed' }, 'failed'],
      [{ e: 'refused' }, 'refused'],
      [{ ch: 'of another opening', r: { dirty: false } }, 'timeout'],
      [{ id: 900, r: { dirty: false } }, 'timeout'],
      [{ id: '1', r: { dirty: false } }, 'timeout'],
      [{ r: { dirty: false }, e: 'failed' }, 'timeout'],
      [{}, 'timeout'],
    ] as const) {
      await stage.page.run(
        (scope, channel, changes) => {
          scope.port!.onmessage = ({ data }: MessageEvent<{ id: number }>) => {
            scope.port?.postMessage({ ch: channel, id: data.id, ...changes });
          };
        },
        stage.init.channel,
        reply,
      );
      const result = await stage.end.call('confirmClose', {}, 300).catch((error: unknown) => error);
      expect(result, JSON.stringify(reply)).to.have.property('code', code);
    }
    expect(stage.errors).to.deep.equal([]);
  });
});
