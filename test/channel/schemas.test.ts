import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coreLocale } from '../../src/channel/index.js';
import { applicationStatuses, applicationSteps, stateCodes } from '../../src/contract/index.js';
import { check } from '../../src/channel/schema.js';
import { type Path, samples, schemas, withValueAt } from './samples.js';

const time = (text: string) => `2026-11-20T${text}`;
const listOf = (length: number) =>
  Array.from({ length }, (_, index) => ({ state: stateCodes[index % 56], status: 'denied' }));
const url = (length: number) => `https://apply.example/${'x'.repeat(length - 'https://apply.example/'.length)}`;
const uuid = '01234567-89ab-4cde-8f01-23456789abcd';

const times = [time('00:00:00Z'), time('23:59:59.999Z'), '2000-01-01T12:34:56Z', '2099-12-31T12:34:56.000Z'];
const noTimes = [
  ...[
    time('12:34:56'),
    time('12:34:56+00:00'),
    time('12:34:56.7Z'),
    time('12:34:60Z'),
    time('12:60:00Z'),
    time('30:00:00Z'),
  ],
  ...['2026-11-40T12:34:56Z', '2026-20-20T12:34:56Z', '1999-11-20T12:34:56Z', '2126-11-20T12:34:56Z'],
  ...['x2026-11-20T12:34:56Z', '2026-11-20T12:34:56Zx', '2026-11-20'],
];
const links = [
  ...['https://apply.example/', 'https://apply.example:8443/requests/9?lang=en&next=%2Fhome#papers'],
  ...['https://xn--bcher-kva.example/a', 'https://[2001:db8::1]/a', 'https://a-1.example:65535/'],
  ...['http://localhost:5172/a', 'http://localhost/a', 'http://127.0.0.1:5172/a', 'http://[::1]:5172/a', url(2_048)],
];
const noLinks = [
  ...['http://apply.example/a', 'http://localhost.evil.example/a', 'http://127.0.0.1.evil.example/a', 'http://[::2]/a'],
  ...['https://apply.example', 'https://user@apply.example/a', 'https://user:word@apply.example/a', 'https:///a'],
  ...[
    'https://apply.example\\@evil.example/a',
    'https:/apply.example/a',
    '//apply.example/a',
    '/a',
    'ftp://apply.example/',
  ],
  ...[
    'javascript:alert(1)',
    'javascript://apply.example/%0aalert(1)',
    'data:text/html,x',
    'blob:https://apply.example/1',
  ],
  ...[
    ' https://apply.example/a',
    'https://apply.example/a\n',
    'https://apply.example/\t/a',
    'https://apply.example/a b',
  ],
  ...['https://apply.example:123456/', 'https://APPLY.example/', `https://${'a'.repeat(254)}/`, url(2_049)],
  ...['https://apply.example/900-11-0001', 'https://apply.example/a?b=900-11-0001#c', 'https://apply.example/é'],
];
const modes = ['modal', 'inline', 'popup', 'redirect'];
const themes = ['auto', 'light', 'dark'];
const locales = ['en', 'haw', 'es-419', 'zh-Hant-TW', 'zh-Hant', 'en-us'];
const noLocales = ['e', 'engl', 'en_US', 'en-', 'en-USA', 'en-4190', 'en-41', 'zh-Han', '-en', 'en-US-u-hc-h12'];
const steps = ['not_started', ...applicationSteps, 'submitted'];
const errors = [
  ...['session_expired', 'session_invalid', 'already_submitted', 'payment_declined', 'payment_unavailable'],
  ...['save_failed', 'unavailable'],
];

/** The values that each field accepts, up to its bounds, and the next ones that it refuses. */
const fields: [message: string, path: string, accepted: unknown[], refused: unknown[]][] = [
  ['handshake.hello', 'ns', ['licensing-apply'], ['licensing', 'licensing-apply ']],
  ['handshake.hello', 't', ['hello'], ['welcome', 'return']],
  ['handshake.hello', 'v', [Array(20).fill(1)], [[], Array(21).fill(1)]],
  ['handshake.hello', 'v.0', [1, 999], [0, 1_000, -1, 1.5, '1']],
  ['handshake.hello', 'doc', ['ap'.repeat(16)], ['a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}q`, 'A'.repeat(32)]],
  ['handshake.welcome', 't', ['welcome'], ['hello', 'reject']],
  ['handshake.welcome', 'v', [1, 999], [0, 1_000]],
  [
    'handshake.welcome',
    'init.channel',
    [uuid],
    [`${uuid}0`, `0${uuid}`, uuid.slice(1), uuid.toUpperCase(), 'x'.repeat(36)],
  ],
  ['handshake.welcome', 'init.mode', modes, ['auto', '']],
  ['handshake.reject', 't', ['reject'], ['welcome']],
  ['handshake.reject', 'v', [Array(20).fill(1)], [[], Array(21).fill(1)]],
  ['page.progress', 'type', ['progress'], ['ready', 'submitted']],
  ['page.progress', 'seq', [1, 10_000_000], [0, 10_000_001]],
  ['page.progress', 'payload.step', steps, ['done']],
  ['page.progress', 'payload.index', [0, 20], [-1, 21]],
  ['page.progress', 'payload.count', [1, 20], [0, 21]],
  ['page.progress', 'payload.dirty', [true, false], ['true', 1]],
  ['page.progress', 'payload.savedAt', [...times, undefined], noTimes],
  ['page.progress', 'payload.states', [[], listOf(56)], [listOf(57), undefined]],
  ['page.progress', 'payload.states.0.state', ['TX', 'DC', 'PR', 'GU'], ['XX', 'tx', 'TXX', 'toString']],
  ['page.progress', 'payload.states.0.status', [...applicationStatuses], ['submitted']],
  ['page.resize', 'payload.height', [0, 50_000], [-1, 50_001, 0.5]],
  ['page.scrollTo', 'payload.top', [0, 50_000], [-1, 50_001, 0.5]],
  ['page.requiresAction', 'payload.state', ['TX'], ['XX']],
  ['page.requiresAction', 'payload.actionUrl', links, noLinks],
  ['page.sessionExpiring', 'payload.inSeconds', [0, 86_400], [-1, 86_401]],
  ['page.closeRequest', 'payload.by', ['escape', 'button', 'done'], ['window']],
  ['page.error', 'payload.code', errors, ['timeout']],
  ['element.configure', 'payload.mode', modes, ['auto']],
  ['element.configure', 'payload.locale', locales, noLocales],
  ['element.configure', 'payload.theme', themes, ['system']],
  ['element.session', 'payload.expiresAt', times, [...noTimes, undefined]],
  ['element.session', 'payload.applicationUrl', [...links, undefined], noLinks],
  ['answer.confirmClose', 'savedAt', [...times, undefined], noTimes],
  ['answer.session', 'taken', [true, false, undefined], ['yes']],
];

describe('the bounds of the messages', () => {
  for (const [message, name, accepted, refused] of fields)
    it(`${name} of ${message} accepts the values up to its bounds and no other`, () => {
      const path: Path = name.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      for (const [values, isAccepted] of [
        [accepted, true],
        [refused, false],
      ] as const)
        for (const value of values) {
          const { path: mismatch } = check(schemas[message]!, withValueAt(samples[message]!, path, value));
          assert.equal(mismatch === undefined, isAccepted, JSON.stringify(value));
        }
    });

  it('the messages accept each state of the contract and no other', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const path = ['payload', 'states', 0, 'state'];
    const known = pairs.filter(
      (pair) => check(schemas['page.ready']!, withValueAt(samples['page.ready']!, path, pair)).path === undefined,
    );
    assert.deepEqual(known, [...stateCodes].sort());
  });

  const tags: [tag: string, core: string][] = [
    ...([
      ['en', 'en'],
      ['es-419', 'es-419'],
      ['ZH-hant-tw', 'ZH-hant-tw'],
      ['zh-cmn-Hans-CN', 'zh'],
    ] as [string, string][]),
    ...([
      ['de-CH-1901', 'de-CH'],
      ['en-US-u-hc-h12', 'en-US'],
      ['english', 'en'],
      ['x-private', 'en'],
      ['', 'en'],
    ] as [string, string][]),
    ...([
      ['haw', 'haw'],
      ['900-11-0001', 'en'],
      ['en-4190', 'en'],
      ['de_CH', 'en'],
    ] as [string, string][]),
  ];
  for (const [tag, core] of tags)
    it(`coreLocale reduces the language tag "${tag}" to "${core}"`, () => {
      assert.equal(coreLocale(tag), core);
    });
});
