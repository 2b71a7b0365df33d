import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import {
  type ChannelInit,
  type ElementHandlers,
  openPageEnd,
  type PageEnd,
  type PageMessages,
  type RejectionReason,
  type Snapshot,
} from '../../src/channel/index.js';
import { createWindows, settle, until } from './windows.js';

/*
 * The page's end, with an element whose messages the test writes by hand. Real windows and frames
 * are in the specs.
 */

const embedder = 'https://agency.example';
const snapshot: Snapshot = { step: 'profile', index: 1, count: 6, dirty: false, states: [] };
const init: ChannelInit = { channel: crypto.randomUUID(), mode: 'modal', locale: 'en', theme: 'auto' };
const savedAt = '2026-11-20T12:00:00.000Z';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0).toReversed()) clean();
  mock.timers.reset();
});

/** The options that a test changes. */
interface Options {
  origins?: string[];
  start?: Snapshot;
  view?: object;
  handlers?: Partial<ElementHandlers>;
}

function setup({ origins = [embedder], start = snapshot, view = {}, handlers = {} }: Options = {}) {
  const { element, page } = createWindows(embedder, 'https://apply.example');
  const connects: ChannelInit[] = [];
  const calls: unknown[] = [];
  const rejections: { origin: string; reason: RejectionReason }[] = [];
  let disconnects = 0;
  const record = (type: string, payload: object) => {
    calls.push({ type, payload });
    return {};
  };
  const end = openPageEnd({
    target: element.view,
    window: Object.assign(page.view, view),
    origins,
    snapshot: start,
    handlers: {
      configure: (payload) => record('configure', payload),
      confirmClose: (payload) => ({ ...record('confirmClose', payload), dirty: true, savedAt }),
      navigateBack: () => ({ moved: true }),
      session: () => ({}),
      ...handlers,
    },
    onConnect: (received) => connects.push(received),
    onDisconnect: () => (disconnects += 1),
    onRejected: (rejection) => rejections.push(rejection),
  });
  cleanups.push(end.close);
  const lastDoc = () => element.posted.at(-1)?.message['doc'];
  const received: unknown[] = [];

  /** Posts a welcome for the page's document. Returns the element's side of its port. */
  function welcome(changes: object = {}, fields?: object): MessagePort {
    const { port1, port2 } = new MessageChannel();
    cleanups.push(() => port1.close());
    port1.onmessage = ({ data }: MessageEvent<{ m?: unknown }>) => {
      if (data.m) received.push(data.m);
    };
    const message = { ns: 'licensing-apply', t: 'welcome', v: 1, doc: lastDoc(), init, ...changes };
    page.receive(message, { ports: [port2], ...fields });
    return port1;
  }

  async function connect(): Promise<MessagePort> {
    const port = welcome();
    port.postMessage({ ch: init.channel, open: true });
    await until(() => end.connected);
    return port;
  }

  return {
    ...{ element, page, end, welcome, connect, connects, calls, received, rejections, lastDoc },
    reasons: () => rejections.map(({ reason }) => reason),
    disconnects: () => disconnects,
    types: () => received.map((message) => (message as { type: string }).type),
  };
}

/** Sends one call and resolves with the reply. */
function callByHand(port: MessagePort, m: unknown): Promise<unknown> {
  const id = Math.random();
  return new Promise((resolve) => {
    port.addEventListener('message', function onReply({ data }: MessageEvent<{ ch: string; id?: number }>) {
      const { ch: _channel, id: answered, ...reply } = data;
      if (answered !== id) return;
      port.removeEventListener('message', onReply);
      resolve(reply);
    });
    port.postMessage({ ch: init.channel, id, m });
  });
}

describe('hello and welcome', () => {
  it('openPageEnd sends its hello 171 times: every 300 ms for 30 s, then ever slower up to every 10 s', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { element } = setup();
    const counts: number[] = [];
    for (const ms of [299, 1, ...Array<number>(99).fill(300), 599, 1, 1_200, 2_400, 4_800, 9_600, 9_999, 1]) {
      mock.timers.tick(ms);
      counts.push(element.posted.length);
    }
    assert.deepEqual(counts.slice(0, 2), [1, 2]);
    assert.deepEqual(counts.slice(100), [101, 101, 102, 103, 104, 105, 106, 106, 107]);
    for (let times = 107; times < 180; times += 1) mock.timers.tick(10_000);
    assert.equal(element.posted.length, 171);
    assert.deepEqual(element.posted.at(-1)?.message, element.posted[0]?.message);
  });

  const others = ['https://other.example', embedder];
  const targets: [what: string, view: (parent: Window) => object, targets: string[]][] = [
    ['every origin if the browser does not name the embedder', (parent) => ({ parent }), others],
    [
      'the embedder that Chromium names',
      (parent) => ({ parent, location: { ancestorOrigins: [embedder] } }),
      [embedder],
    ],
    [
      'every origin if the named embedder is not among them',
      (parent) => ({ parent, location: { ancestorOrigins: ['https://evil.example', embedder] } }),
      others,
    ],
    [
      'every origin if it is a popup, whose opener is not its parent',
      () => ({ parent: {}, location: { ancestorOrigins: [embedder] } }),
      others,
    ],
  ];
  for (const [what, viewOf, expected] of targets)
    it(`openPageEnd sends its hello to ${what}`, () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const view = {};
      const { element, page, end } = setup({ origins: others, view });
      element.posted.length = 0;
      Object.assign(page.view, viewOf(element.view));
      mock.timers.tick(300);
      assert.deepEqual(
        element.posted.map(({ targetOrigin }) => targetOrigin),
        expected,
      );
      const [{ message } = assert.fail()] = element.posted;
      assert.deepEqual({ ...message, doc: '' }, { ns: 'licensing-apply', t: 'hello', v: [1], doc: '' });
      assert.match(String(message['doc']), /^[a-p]{32}$/);
      end.close();
      mock.timers.tick(10_000);
      assert.deepEqual([element.posted.length, page.countListeners()], [expected.length, 0]);
    });

  const doc = 'a'.repeat(32);
  const fields = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`f${index}`, index]));
  const refused: [what: string, changes: object, fields: object, reason?: RejectionReason | undefined][] = [
    ['of another window', {}, { source: {} }],
    ['of no window', {}, { source: null }],
    ['that a script dispatched', {}, { isTrusted: false }],
    ['of an origin that the server did not allow', {}, { origin: 'https://agency.example.evil.example' }, 'origin'],
    ['for another document', { doc }, {}, 'replay'],
    ['without a port', {}, { ports: [] }, 'schema'],
    ['with 200,000 fields', fields, {}, 'limit'],
    ['of another protocol', { ns: 'other' }, {}, 'channel'],
  ];
  for (const [what, changes, event, reason] of refused)
    it(`openPageEnd ${reason ? `refuses a welcome ${what} with the reason "${reason}"` : `ignores a welcome ${what}`}, and accepts the right one afterwards`, async () => {
      const { end, welcome, connect, connects, reasons } = setup();
      welcome(changes, event);
      assert.deepEqual([reasons(), end.connected], [reason ? [reason] : [], false]);
      await connect();
      welcome();
      assert.deepEqual([connects, reasons().at(-1)], [[init], 'replay']);
    });

  it('openPageEnd refuses every message that is not a well-formed welcome', () => {
    const { page, end, reasons, welcome } = setup();
    for (const data of [null, 'licensing-apply', 10n, {}, [], new Date(0)]) page.receive(data);
    for (const changes of [
      { t: 'hello' },
      { v: '1' },
      { init: null },
      { init: { ...init, channel: 'x' } },
      { ssn: '' },
    ])
      welcome(changes);
    const expected = [
      'schema',
      'schema',
      'schema',
      'channel',
      'channel',
      'channel',
      ...Array<string>(5).fill('schema'),
    ];
    assert.deepEqual([reasons(), end.connected], [expected, false]);
  });

  for (const [what, changes] of [
    ['a reject', { t: 'reject', v: [2], init: undefined }],
    ['a welcome with a version that it does not support', { v: 2 }],
  ] as const)
    it(`openPageEnd stops its hello after ${what}`, () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { element, page, end, reasons, lastDoc, welcome } = setup();
      if ('t' in changes) page.receive({ ns: 'licensing-apply', t: 'reject', v: [2], doc: lastDoc() });
      else welcome(changes);
      mock.timers.tick(1_000);
      assert.deepEqual([reasons(), end.connected, element.posted.length], [['version'], false, 1]);
    });
});

describe('the connection to the element', () => {
  it('openPageEnd stops its hello, and sends its layout, its last snapshot, then the last of each other message', async () => {
    const { element, end, connect, received, types } = setup();
    const states = [{ state: 'TX', status: 'pending_review' as const }];
    const last: Snapshot = { step: 'submitted', index: 6, count: 6, dirty: false, states };
    end.send('closeRequest', { by: 'done' });
    end.send('dirty', { dirty: false });
    for (const height of [100, 200]) end.send('resize', { height });
    end.send('scrollTo', { top: 0 });
    end.send('progress', { ...snapshot, step: 'review', index: 6 });
    end.send('submitted', last);
    end.send('dirty', { dirty: true });
    await connect();
    await until(() => received.length === 6);
    assert.deepEqual(types(), ['resize', 'scrollTo', 'ready', 'closeRequest', 'dirty', 'submitted']);
    const sent = received as { seq: number; payload: object }[];
    assert.deepEqual(
      sent.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6],
    );
    assert.deepEqual([sent[0]?.payload, sent[2]?.payload], [{ height: 200 }, { ...last, dirty: true }]);
    assert.equal(element.posted.length, 1);
    end.send('progress', snapshot);
    await until(() => received.length === 7);
  });

  it('openPageEnd connects again with a new document after the element closed the link', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { element, end, connect, disconnects, lastDoc, received, types } = setup();
    const first = lastDoc();
    end.send('closeRequest', { by: 'done' });
    (await connect()).postMessage({ ch: init.channel, close: true });
    await until(() => disconnects() === 1);
    assert.equal(end.connected, false);
    mock.timers.tick(299);
    assert.equal(element.posted.length, 1);
    mock.timers.tick(1);
    assert.equal(element.posted.length, 2);
    assert.notEqual(lastDoc(), first);
    received.length = 0;
    await connect();
    await settle();
    assert.deepEqual(types(), ['ready']);
  });

  it('openPageEnd closes the link when the page is hidden, forgets what waits, and connects again only from the back/forward cache', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { element, page, end, connect, types, received, disconnects } = setup();
    const port = await connect();
    const closes: unknown[] = [];
    port.addEventListener('message', ({ data }: MessageEvent<{ close?: unknown }>) => closes.push(data.close));
    page.emit('pagehide');
    end.send('closeRequest', { by: 'done' });
    page.emit('pagehide');
    await until(() => closes.includes(true));
    page.emit('pageshow', { persisted: false });
    mock.timers.tick(60_000);
    assert.deepEqual([end.connected, element.posted.length, disconnects()], [false, 1, 0]);
    page.emit('pageshow', { persisted: true });
    assert.equal(element.posted.length, 2);
    received.length = 0;
    await connect();
    await settle();
    assert.deepEqual(types(), ['ready']);
  });

  it('openPageEnd stops its hello when the page is hidden before it was answered', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { element, page } = setup();
    page.emit('pagehide');
    mock.timers.tick(60_000);
    assert.equal(element.posted.length, 1);
  });

  it('openPageEnd hands a message to its handler, and sends no answer with a field too many', async () => {
    const answer = { moved: true, ssn: '900-11-0001' };
    const { connect, calls } = setup({ handlers: { navigateBack: () => answer } });
    const port = await connect();
    const payload = { mode: 'inline', locale: 'es', theme: 'light' };
    assert.deepEqual(await callByHand(port, { type: 'configure', payload }), { r: {} });
    assert.deepEqual(calls, [{ type: 'configure', payload }]);
    const { reportError } = globalThis;
    const reported: unknown[] = [];
    globalThis.reportError = (error) => reported.push(error);
    cleanups.push(() => (globalThis.reportError = reportError));
    assert.deepEqual(await callByHand(port, { type: 'navigateBack', payload: {} }), { e: 'failed' });
    assert.equal(reported.length, 1);
  });
});

it('openPageEnd accepts exact origins', () => {
  for (const host of ['https://apply.example', 'http://localhost:5172', 'http://127.0.0.1:5172', 'http://[::1]:5172']) {
    assert.doesNotThrow(() => setup({ origins: [host] }), host);
  }
});

for (const wrong of [
  '*',
  'null',
  '',
  '//apply.example',
  'https://apply.example/',
  'https://apply.example/path',
  'https://apply.example:443',
  'https://Apply.example',
  'https://*.example',
  'https://user@apply.example',
  'about:blank',
  'file://',
  'data:text/html,x',
]) {
  it(`openPageEnd throws a TypeError for "${wrong}", which is no exact origin`, () => {
    assert.throws(() => setup({ origins: [embedder, wrong] }), TypeError);
  });
}

const wrongPayloads: [path: string, type: keyof PageMessages, payload: object][] = [
  ['payload', 'ready', [] as never],
  ['payload.ssn', 'dirty', { dirty: true, ssn: '900-11-0001' }],
  ['payload.dirty', 'dirty', {}],
  ['payload.savedAt', 'progress', { ...snapshot, savedAt: '900-11-0001' }],
  ['payload.index', 'progress', { ...snapshot, index: 900_110_001 }],
  ['payload.states.1.status', 'progress', { ...snapshot, states: [state('denied'), state('900-11-0001')] }],
  ['payload.states', 'progress', { ...snapshot, states: Array(57).fill(state('denied')) }],
  ['payload.actionUrl', 'requiresAction', { state: 'TX', actionUrl: 'https://apply.example/?ssn=900-11-0001' }],
];
for (const [path, type, payload] of wrongPayloads) {
  it(`the error for a "${type}" that does not match the protocol names "${path}" and no value`, () => {
    const { end } = setup();
    const send = end.send as (...args: unknown[]) => ReturnType<PageEnd['send']>;
    assert.throws(
      () => {
        send(type, payload);
      },
      ({ name, message }: Error) =>
        name === 'TypeError' && message.includes(`"${path}"`) && !/900|agency|profile/.test(message),
    );
  });
}

it('openPageEnd sends only links of the origin of the page', () => {
  const { end } = setup();
  end.send('requiresAction', { state: 'TX', actionUrl: 'https://apply.example/any/path' });
  for (const actionUrl of [
    'https://evil.example/any/path',
    'https://apply.example.evil.example/',
    'https://apply.example:8443/',
  ]) {
    assert.throws(() => {
      end.send('requiresAction', { state: 'TX', actionUrl });
    }, TypeError);
  }
});

it('openPageEnd throws for a snapshot that does not match the protocol', () => {
  assert.throws(() => setup({ start: { ...snapshot, index: 900_110_001 } }), /"payload.index"/);
});

function state(status: string): object {
  return { state: 'TX', status };
}
