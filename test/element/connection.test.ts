import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openPageEnd } from '../../src/channel/index.js';
import { connect, type Connection } from '../../src/element/opening/connection.js';
import { settle } from '../channel/windows.js';
import { type FakePage, hostedOrigin, installPage, pass } from './node-page.js';

const expiresAt = '2026-11-21T12:00:00.000Z';

const { reportError } = globalThis;

describe('the connection to the hosted page', () => {
  let page: FakePage;
  let ended: AbortController;
  let hosted: { close(): void } | undefined;

  beforeEach(() => {
    page = installPage();
    ended = new AbortController();
  });
  afterEach(() => {
    ended.abort();
    hosted?.close();
    hosted = undefined;
    page.restore();
    globalThis.reportError = reportError;
  });

  function setup({ isFrame = true } = {}) {
    const told: string[] = [];
    let load: () => void = () => undefined;
    const connection = connect({
      url: new URL(`${hostedOrigin}/s/1?secret=word`),
      load: (onLoad) => (load = onLoad),
      isFrame,
      target: () => page.hosted.view,
      appearance: () => ({ mode: 'modal', locale: 'en', theme: 'auto' }),
      signal: ended.signal,
      onConnect: ({ protocolVersion }) => told.push(`connected ${protocolVersion}`),
      onMessage: (type) => told.push(type),
      onRejected: ({ reason }) => told.push(reason),
      onProtocolSilent: () => told.push('silent'),
      onSlow: () => told.push('slow'),
      patienceMs: () => 8_000,
      onLost: ({ code }) => told.push(code),
      onFailed: ({ code, message }) => {
        assert.ok(code !== 'timeout' || message.endsWith(` (${hostedOrigin})`), message);
        told.push(code);
      },
    });
    return { connection, told, load };
  }

  /** The hosted page, which answers as `answers` say; a missing answer never comes. */
  async function say(
    answers: { taken?: boolean | undefined; moved?: boolean; configured?: () => object } = {},
  ): Promise<void> {
    const never = () => new Promise<never>(() => undefined);
    hosted = openPageEnd({
      target: page.element.view,
      window: page.hosted.view,
      origins: [page.location.origin],
      snapshot: { step: 'profile', index: 1, count: 6, dirty: false, states: [] },
      handlers: {
        configure: answers.configured ?? never,
        confirmClose: never,
        navigateBack: () => (answers.moved === undefined ? never() : { moved: answers.moved }),
        session: () => ('taken' in answers ? { taken: answers.taken } : never()),
      },
      onConnect: () => undefined,
    });
    await settle();
  }

  const timers: [
    what: string,
    act: (stage: ReturnType<typeof setup>) => unknown,
    times: [ms: number, told: string[]][],
    isFrame?: boolean,
  ][] = [
    [
      'that does not load',
      () => undefined,
      [
        [7_999, []],
        [1, ['slow']],
        [11_999, ['slow']],
        [1, ['slow', 'timeout']],
      ],
    ],
    ['that does not load offline', () => page.setOnline(false), [[20_000, ['slow', 'offline']]]],
    [
      'that loads and stays silent',
      ({ load }) => load(),
      [
        [1_999, []],
        [1, ['silent']],
        [60_000, ['silent', 'slow']],
      ],
    ],
    [
      'of a popup that stays silent',
      ({ load }) => load(),
      [
        [2_000, ['silent']],
        [60_000, ['silent']],
      ],
      false,
    ],
    ['that says hello', ({ load }) => (load(), say()), [[60_000, ['connected 1', 'ready']]]],
    [
      'that is left, and followed by nothing',
      () => say().then(() => hosted?.close()),
      [
        [7_999, ['connected 1', 'ready']],
        [1, ['connected 1', 'ready', 'connection_lost']],
        [60_000, ['connected 1', 'ready', 'connection_lost']],
      ],
    ],
    [
      'that is replaced without its word, by one that does not answer',
      ({ load }) => say().then(load),
      [
        [7_999, ['connected 1', 'ready']],
        [1, ['connected 1', 'ready', 'connection_lost']],
        [60_000, ['connected 1', 'ready', 'connection_lost']],
      ],
    ],
    [
      'that is replaced by one that loads before the word of leaving arrives',
      async ({ load }) => {
        await say();
        load();
        await settle();
        hosted?.close();
        await say();
      },
      [[60_000, ['connected 1', 'ready', 'connected 1', 'ready']]],
    ],
    [
      'that says hello before it has loaded, and answers',
      ({ load }) => say({ configured: () => ({}) }).then(load),
      [[60_000, ['connected 1', 'ready']]],
    ],
    [
      'that says hello before it has loaded, and fails at the call',
      async ({ load }) => {
        globalThis.reportError = () => undefined;
        await say({ configured: () => Promise.reject(new Error('out of order')) });
        load();
      },
      [[60_000, ['connected 1', 'ready']]],
    ],
    [
      'that is left, and followed by another one',
      async () => {
        await say();
        hosted?.close();
        await say();
      },
      [[60_000, ['connected 1', 'ready', 'connected 1', 'ready']]],
    ],
    ['that is left in a popup', () => say().then(() => hosted?.close()), [[60_000, ['connected 1', 'ready']]], false],
    [
      'that is left before the opening ended',
      async () => {
        await say();
        hosted?.close();
        await settle();
        ended.abort();
      },
      [[60_000, ['connected 1', 'ready']]],
    ],
    ['of an opening that ended', ({ load }) => (load(), settle().then(() => ended.abort())), [[60_000, []]]],
    ['of an opening that ended before it loaded', ({ load }) => (ended.abort(), load()), [[60_000, []]]],
  ];
  for (const [what, act, times, isFrame = true] of timers)
    it(`a page ${what} is told as ${times.map(([, told]) => told.join(' ') || 'nothing').join(', then ')}`, async () => {
      const stage = setup({ isFrame });
      await act(stage);
      await settle();
      for (const [ms, told] of times) {
        await pass(ms);
        assert.deepEqual(stage.told, told);
      }
    });

  const blocked = { effectiveDirective: 'frame-src', blockedURI: `${hostedOrigin}/s/1`, disposition: 'enforce' };
  const violations: [what: string, event: object, isBlocked: boolean, isFrame?: boolean][] = [
    ['blocks the frame', blocked, true],
    ['only reports the frame', { ...blocked, disposition: 'report' }, false],
    ['blocks a script', { ...blocked, effectiveDirective: 'script-src' }, false],
    ['blocks the frame of another origin', { ...blocked, blockedURI: 'https://ads.example/' }, false],
    ['blocks a frame without a URL', { ...blocked, blockedURI: 'inline' }, false],
    ['blocks a frame, while the application is in a popup', blocked, false, false],
  ];
  for (const [what, event, isBlocked, isFrame = true] of violations)
    it(`a policy that ${what} is ${isBlocked ? 'an' : 'no'} error`, () => {
      const { told } = setup({ isFrame });
      page.element.emit('securitypolicyviolation', event);
      assert.deepEqual(told, isBlocked ? ['frame_blocked_by_page'] : []);
    });

  it('a violation is no error once the page is connected, or after the opening ended', async () => {
    const { told } = setup();
    await say();
    page.element.emit('securitypolicyviolation', blocked);
    assert.deepEqual(told, ['connected 1', 'ready']);
    ended.abort();
    page.element.emit('securitypolicyviolation', blocked);
    assert.deepEqual([told.length, page.element.countListeners()], [2, 0]);
  });

  const calls: [call: string, act: (connection: Connection) => Promise<unknown>, afterMs: number][] = [
    ['confirmClose', (connection) => connection.confirmClose(), 1_500],
    ['navigateBack', (connection) => connection.navigateBack(), 1_500],
    // The page asks its own server.
    ['sendSession', (connection) => connection.sendSession({ expiresAt }), 10_000],
  ];
  for (const [call, act, afterMs] of calls)
    it(`${call}() gives up ${afterMs} ms after a page that does not answer`, async () => {
      const { connection } = setup();
      await say();
      const results: unknown[] = [];
      void act(connection).then((given) => results.push(given));
      await pass(afterMs - 1);
      assert.deepEqual(results, []);
      await pass(1);
      assert.deepEqual(results.map(Boolean), [false]);
    });

  for (const [answers, result] of [
    [{ taken: true, moved: true }, [true, true]],
    [{ taken: false, moved: false }, [false, false]],
    [{ taken: undefined, moved: true }, [false, true]],
  ] as const)
    it(`sendSession() and navigateBack() resolve with ${String(result)} for the answers ${JSON.stringify(answers)}`, async () => {
      const { connection } = setup();
      await say(answers);
      const sent = connection.sendSession({ expiresAt });
      assert.deepEqual([await sent, await connection.navigateBack()], result);
    });

  it('a call without a connected page resolves at once', async () => {
    const { connection } = setup();
    connection.configure();
    assert.deepEqual(
      [await connection.confirmClose(), await connection.navigateBack(), await connection.sendSession({ expiresAt })],
      [undefined, false, false],
    );
  });
});
