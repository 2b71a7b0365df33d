import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ChannelError, openElementEnd, type ChannelInit, type Rejection } from '../../src/channel/index.js';
import { createWindows, replaceGlobals, settle, until } from './windows.js';

/*
 * The element's end, with a page whose messages the test writes by hand. Real windows and frames are
 * in the specs.
 */

const pageOrigin = 'https://apply.example';
const init: ChannelInit = { channel: crypto.randomUUID(), mode: 'modal', locale: 'en', theme: 'auto' };
const docs = Array.from('abcdefghijklmnop', (letter) => letter.repeat(32));
const hello = { ns: 'licensing-apply', t: 'hello', v: [9, 1], doc: docs[0] };

/** Values that match no message. All of them survive a structured clone. */
const garbage: readonly unknown[] = [
  null,
  undefined,
  0,
  'licensing-apply',
  '{"ns":"licensing-apply","t":"hello"}',
  true,
  10n,
  [],
  [null],
  new Date(0),
  new Map([['ns', 'licensing-apply']]),
  new Error('boom'),
  /hello/,
  new Uint8Array(3),
];

/** Malformed window messages of the protocol. */
const malformed: readonly object[] = [
  { ns: hello.ns },
  { ns: hello.ns, t: null },
  { ns: hello.ns, t: '__proto__' },
  { ns: hello.ns, t: 'constructor' },
  { ...hello, v: [] },
  { ...hello, v: 1 },
  { ...hello, v: ['1'] },
  { ...hello, v: [1.5] },
  { ...hello, v: Array(21).fill(1) },
  { ...hello, doc: '900-11-0001' },
  { ...hello, doc: `${docs[0]}a` },
  { ...hello, doc: [docs[0]] },
  { ...hello, ssn: '900-11-0001' },
  { ...hello, t: ['hello'] },
  { ns: hello.ns, t: 'welcome', v: 1, doc: docs[0], init: null },
  {
    ns: hello.ns,
    t: 'welcome',
    v: 1,
    doc: docs[0],
    init: { channel: 'x', mode: 'modal', locale: 'en', theme: 'auto' },
  },
  { ns: hello.ns, t: 'reject', v: [1] },
];

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0).toReversed()) clean();
});

function setup({ hasTarget = true, locale = () => 'en' }: { hasTarget?: boolean; locale?: () => string } = {}) {
  const { element, page } = createWindows('https://agency.example', pageOrigin);
  const { addEventListener, removeEventListener } = element.view;
  const connects: string[] = [];
  const messages: unknown[] = [];
  const rejections: Rejection[] = [];
  cleanups.push(replaceGlobals({ addEventListener, removeEventListener }));
  const end = openElementEnd({
    target: () => (hasTarget ? page.view : null),
    origin: pageOrigin,
    get init() {
      return { ...init, locale: locale() };
    },
    onConnect: ({ doc }) => connects.push(doc),
    onMessage: (type, payload) => messages.push({ type, payload }),
    onRejected: (rejection) => rejections.push(rejection),
  });
  cleanups.push(end.close);

  /** Connects a document by hand. Returns the page's side of its port. */
  async function connect(doc = docs[0]): Promise<MessagePort> {
    element.receive({ ...hello, doc });
    const port = page.posted.at(-1)?.ports[0];
    assert.ok(port);
    cleanups.push(() => port.close());
    port.postMessage({ ch: init.channel, open: true });
    await until(() => end.connected);
    return port;
  }

  return {
    element,
    page,
    end,
    connect,
    connects,
    messages,
    rejections,
    reasons: () => rejections.map((each) => each.reason),
  };
}

const resize = (seq: number, height: unknown = seq) => message('resize', { height }, seq);
const message = (type: string, payload: unknown, seq = 1) => ({ ch: init.channel, m: { type, seq, payload } });

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof ChannelError ? error.code : String(error)),
  );

describe('the hello of a page', { timeout: 10_000 }, () => {
  const fields = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`f${index}`, index]));
  const refused: [what: string, data: unknown, reason?: string | undefined, event?: object][] = [
    ['of another window', hello, undefined, { source: {} }],
    ['of no window', hello, undefined, { source: null }],
    ['that a script dispatched', hello, undefined, { isTrusted: false }],
    ['with 200,000 fields', { ...hello, ...fields }, 'limit'],
    ['with a text of 5,000 characters', { ...hello, doc: 'a'.repeat(5_000) }, 'limit'],
    ['with a date', { ...hello, v: new Date(0) }, 'schema'],
    ['of another protocol', { ...hello, ns: 'other' }, 'channel'],
    ['of Penpal', { penpal: 'syn' }, 'channel'],
    ['whose host has a suffix', hello, 'origin', { origin: `${pageOrigin}.evil.example` }],
    ['whose host has a prefix', hello, 'origin', { origin: 'https://my-apply.example' }],
    ['whose host has one more label', hello, 'origin', { origin: 'https://x.apply.example' }],
    ['of another port', hello, 'origin', { origin: `${pageOrigin}:8443` }],
    ['of another scheme', hello, 'origin', { origin: 'http://apply.example' }],
    ['of an opaque origin', hello, 'origin', { origin: 'null' }],
    ['that is the report of a return', { ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'x' }],
    ['that is a return of another protocol', { ns: 'other', t: 'return' }, 'channel'],
    ...garbage.map((data): (typeof refused)[number] => [
      `that is ${String(data)}`,
      data,
      typeof data === 'object' && data !== null ? 'channel' : 'schema',
    ]),
    ...malformed.map((data): (typeof refused)[number] => [JSON.stringify(data), data, 'schema']),
  ];
  for (const [what, data, reason, event] of refused)
    it(`a hello ${what} is ${reason ? `refused with the reason "${reason}"` : 'ignored'}`, () => {
      const { element, page, connects, reasons } = setup();
      element.receive(data, event);
      assert.deepEqual([reasons(), connects, page.posted], [reason ? [reason] : [], [], []]);
    });

  it('a hello is ignored while there is no page', () => {
    const { element, connects, reasons } = setup({ hasTarget: false });
    for (const source of [null, {}]) element.receive(hello, { source });
    assert.deepEqual([connects, reasons()], [[], []]);
  });

  it('a hello is answered to the exact origin, with the newest common version and the present appearance', () => {
    let locale = 'en';
    const { element, page, connects } = setup({ locale: () => locale });
    for (const [index, doc] of docs.slice(0, 2).entries()) {
      locale = ['en', 'es'][index] ?? '';
      element.receive({ ...hello, doc });
      const { message: answer, targetOrigin, ports } = page.posted[index]!;
      assert.deepEqual(answer, { ns: 'licensing-apply', t: 'welcome', v: 1, doc, init: { ...init, locale } });
      assert.deepEqual([targetOrigin, ports.length], [pageOrigin, 1]);
    }
    assert.deepEqual(connects, docs.slice(0, 2));
  });

  it('a hello is answered once, and is a replay when its document or an earlier one sends it again', async () => {
    const { element, page, end, reasons } = setup();
    element.receive(hello);
    // The page repeats it until it is answered.
    element.receive(hello);
    assert.deepEqual([page.posted.length, reasons()], [1, []]);
    page.posted[0]?.ports[0]?.postMessage({ ch: init.channel, open: true });
    await until(() => end.connected);
    element.receive(hello);
    assert.deepEqual([page.posted.length, reasons()], [1, ['replay']]);
    element.receive({ ...hello, doc: docs[1] });
    element.receive(hello);
    assert.deepEqual([page.posted.length, reasons(), end.connected], [2, ['replay', 'replay'], false]);
  });

  it('a hello without a common version is answered with the supported versions, once', () => {
    const { element, page, connects, rejections } = setup();
    for (const _time of [1, 2]) element.receive({ ...hello, v: [2, 3] });
    const message = { ns: 'licensing-apply', t: 'reject', v: [1], doc: docs[0] };
    assert.deepEqual(page.posted, [{ message, targetOrigin: pageOrigin, ports: [] }]);
    assert.deepEqual(connects, []);
    assert.deepEqual(rejections, [{ origin: pageOrigin, reason: 'version', versions: 'page 2,3, element 1' }]);
  });

  it('a hello of a new document ends the link of the previous one', async () => {
    const { element, end, connect } = setup();
    await connect();
    const inFlight = codeOf(end.call('confirmClose', {}, 60_000));
    element.receive({ ...hello, doc: docs[1] });
    assert.equal(await inFlight, 'disconnected');
  });

  it('a hello after close() is ignored', () => {
    const { element, end, connects } = setup();
    end.close();
    element.receive(hello);
    assert.deepEqual([connects, element.countListeners()], [[], 0]);
  });
});

describe('the port of a page', { timeout: 10_000 }, () => {
  it('a malformed message on the port is refused, and a good one after it is accepted', async () => {
    const { connect, messages, reasons } = setup();
    const link = (actionUrl: string) => message('requiresAction', { state: 'TX', actionUrl });
    const port = await connect();
    port.postMessage(message('configure', {}));
    port.postMessage({ ch: init.channel, m: { type: 'resize', payload: { height: 1 } } });
    port.postMessage(resize(1, 900_110_001));
    for (const host of ['evil.example', 'apply.example.evil.example', 'apply.example:8443'])
      port.postMessage(link(`https://${host}/a/1`));
    port.postMessage(resize(5));
    await until(() => messages.length > 0);
    assert.deepEqual(reasons(), ['unknown_type', ...Array<string>(5).fill('schema')]);
    assert.deepEqual(messages, [{ type: 'resize', payload: { height: 5 } }]);
  });

  it('a link of the own origin of the page is accepted', async () => {
    const { connect, messages } = setup();
    const payload = { state: 'TX', actionUrl: `${pageOrigin}/requests/9?lang=en#papers` };
    (await connect()).postMessage(message('requiresAction', payload));
    await until(() => messages.length === 1);
    assert.deepEqual(messages, [{ type: 'requiresAction', payload }]);
  });

  it('a message that is not newer than the last one is refused, again in each document', async () => {
    const { connect, messages, reasons } = setup();
    const port = await connect();
    for (const [seq, height] of [
      [1, 1],
      [5, 5],
      [5, 6],
      [4, 4],
      [6, 7],
    ] as const)
      port.postMessage(resize(seq, height));
    await until(() => messages.length === 3);
    assert.deepEqual(reasons(), ['replay', 'replay']);
    (await connect(docs[1])).postMessage(resize(1, 8));
    await until(() => messages.length === 4);
    assert.deepEqual(
      messages.map((each) => (each as { payload: { height: number } }).payload.height),
      [1, 5, 7, 8],
    );
  });

  it('a call whose id is a port, which could not be sent back, is refused', async () => {
    const { connect, reasons } = setup();
    const port = await connect();
    const { port1 } = new MessageChannel();
    port.postMessage({ ch: init.channel, id: port1, m: {} }, [port1]);
    await until(() => reasons().length === 1);
    assert.deepEqual(reasons(), ['schema']);
  });

  const wrong = (count: number, one: object = { ch: init.channel, m: { type: 'resize' } }) =>
    Array<object>(count).fill(one);
  const unknown = wrong(100, { ch: init.channel, m: { type: 'heartbeat' } });
  const deep = { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } };
  const floods: [what: string, sent: object[], reasons: string[], isConnected: boolean][] = [
    ['19 refused messages', wrong(19), Array<string>(19).fill('schema'), true],
    ['20 refused messages', wrong(1_000), [...Array<string>(19).fill('schema'), 'limit'], false],
    ['100 messages of unknown types', unknown, Array<string>(100).fill('unknown_type'), true],
    ['one message with 5 MB of text', wrong(3, message('progress', 'x'.repeat(5_000_000))), ['limit'], false],
    ['one message with nine levels', wrong(3, message('progress', deep)), ['limit'], false],
  ];
  for (const [what, sent, expected, isConnected] of floods)
    it(`${what} ${isConnected ? 'leave the port open' : 'close the port'}, and a new document can connect`, async () => {
      const { end, connect, messages, reasons } = setup();
      const port = await connect();
      for (const each of [...sent, resize(1)]) port.postMessage(each);
      await until(() => reasons().length >= expected.length);
      await settle();
      assert.deepEqual([reasons(), end.connected, messages.length], [expected, isConnected, isConnected ? 1 : 0]);
      (await connect(docs[1])).postMessage(resize(2));
      await until(() => messages.length === (isConnected ? 2 : 1));
    });
});

describe('a call of the element', { timeout: 10_000 }, () => {
  const savedAt = '2026-11-20T12:00:00.000Z';
  const replies: [reply: object, result: string][] = [
    [{ r: { dirty: true, savedAt } }, 'answered'],
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
  ];
  for (const [reply, result] of replies)
    it(`a call with the reply ${JSON.stringify(reply)} ends as "${result}"`, async () => {
      const { end, connect } = setup();
      const port = await connect();
      port.onmessage = ({ data }: MessageEvent<{ id?: number; m?: unknown }>) => {
        if (data.id !== undefined) port.postMessage({ ch: init.channel, id: data.id, ...reply });
      };
      assert.equal(await codeOf(end.call('confirmClose', {}, 200)), result);
    });

  it('a call resolves with the checked answer, and carries its payload', async () => {
    const { end, connect } = setup();
    const port = await connect();
    const seen: unknown[] = [];
    port.onmessage = ({ data }: MessageEvent<{ id?: number; m?: unknown }>) => {
      if (data.id === undefined) return;
      seen.push(data.m);
      port.postMessage({ ch: init.channel, id: data.id, r: { taken: true } });
    };
    const payload = { expiresAt: savedAt };
    assert.deepEqual(await end.call('session', payload, 5_000), { taken: true });
    assert.deepEqual(seen, [{ type: 'session', payload }]);
  });

  it('a call without a page rejects with "not_connected"', async () => {
    const { end, connect } = setup();
    assert.deepEqual([await codeOf(end.call('confirmClose', {}, 5_000)), end.connected], ['not_connected', false]);
    await connect();
    end.close();
    assert.deepEqual([await codeOf(end.call('confirmClose', {}, 5_000)), end.connected], ['not_connected', false]);
  });
});
