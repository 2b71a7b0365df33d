import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coreLocale, openPageEnd, type PageEnd, type PageMessages, type Snapshot } from '../../src/channel/index.js';
import { elementSchemas, pageSchemas } from '../../src/channel/schemas.js';
import { applicationStatuses, applicationSteps, stateCodes } from '../../src/contract/index.js';

const snapshot: Snapshot = { step: 'profile', index: 1, count: 6, dirty: false, states: [] };

/** Opens the end of a page that has no embedder, in a window whose timers the test runs. */
function openAlone(origins = ['https://agency.example'], start: Snapshot = snapshot) {
  const hellos: unknown[] = [];
  const timers: { run: () => void; delayMs: number }[] = [];
  const view = {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    clearTimeout: () => undefined,
    setTimeout: (act: (attempt: number) => void, delayMs: number, attempt: number) =>
      timers.push({ run: () => act(attempt), delayMs }),
    location: { origin: 'https://apply.example' },
  } as unknown as Window;
  const target = { postMessage: (hello: unknown) => hellos.push(hello) } as unknown as Window;
  const handlers = {} as Parameters<typeof openPageEnd>[0]['handlers'];
  const end = openPageEnd({ target, origins, snapshot: start, handlers, onConnect: () => undefined, window: view });
  return { end, hellos, timers };
}

describe('openPageEnd', () => {
  it('openPageEnd repeats its hello every 300 ms for 30 s, then ever slower, and stops after about ten minutes', () => {
    const { hellos, timers } = openAlone();
    // The list grows during the loop, because each hello sets the timer of the next.
    for (const { run } of timers) run();
    const delays = timers.map(({ delayMs }) => delayMs);
    assert.equal(hellos.length, delays.length + 1);
    assert.ok(delays.slice(0, 100).every((delay) => delay === 300));
    assert.ok(delays.every((delay, index) => index === 0 || delay >= delays[index - 1]!));
    assert.equal(Math.max(...delays), 10_000);
    const totalMinutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000;
    assert.ok(totalMinutes > 8 && totalMinutes < 15, `${String(totalMinutes)} minutes`);
  });

  it('openPageEnd accepts exact origins', () => {
    for (const host of [
      'https://apply.example',
      'http://localhost:5172',
      'http://127.0.0.1:5172',
      'http://[::1]:5172',
    ]) {
      assert.doesNotThrow(() => openAlone([host]), host);
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
      assert.throws(() => openAlone(['https://agency.example', wrong]), TypeError);
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
      const { end } = openAlone();
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

  it('openPageEnd sends links of its own origin only', () => {
    const { end } = openAlone();
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
    assert.throws(() => openAlone(undefined, { ...snapshot, index: 900_110_001 }), /"payload.index"/);
  });
});

describe('the values of the messages', () => {
  const accepts = (change: Partial<Record<keyof Snapshot, unknown>>) =>
    pageSchemas.ready.safeParse({ type: 'ready', seq: 1, payload: { ...snapshot, ...change } }).success;

  it('the messages accept each state of the contract and no other', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const known = pairs.filter((pair) => accepts({ states: [{ state: pair, status: 'denied' }] }));
    assert.deepEqual(known, [...stateCodes].sort());
  });

  it('the messages accept each step and status of the contract and the times that Date writes', () => {
    for (const step of ['not_started', ...applicationSteps, 'submitted']) assert.ok(accepts({ step }), step);
    for (const status of applicationStatuses) assert.ok(accepts({ states: [{ state: 'TX', status }] }), status);
    assert.ok(accepts({ savedAt: new Date().toISOString() }));
    assert.ok(accepts({ savedAt: '2026-11-20T12:00:00Z' }));
  });

  for (const [tag, core] of [
    ['en', 'en'],
    ['es-419', 'es-419'],
    ['ZH-hant-tw', 'ZH-hant-tw'],
    ['zh-cmn-Hans-CN', 'zh'],
    ['de-CH-1901', 'de-CH'],
    ['en-US-u-hc-h12', 'en-US'],
    ['english', 'en'],
    ['', 'en'],
    ['900-11-0001', 'en'],
  ] as const) {
    it(`coreLocale reduces the language tag "${tag}" to "${core}"`, () => {
      assert.equal(coreLocale(tag), core);
      const payload = { mode: 'modal', locale: coreLocale(tag), theme: 'auto' };
      assert.ok(elementSchemas.configure.safeParse({ type: 'configure', payload }).success);
    });
  }
});

function state(status: string): object {
  return { state: 'TX', status };
}
