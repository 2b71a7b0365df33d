import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appearance } from '../../src/channel/appearance.js';
import { delayAfterHello } from '../../src/channel/hello-schedule.js';
import { coreLocale } from '../../src/channel/locale.js';
import { assertOrigin } from '../../src/channel/origins.js';
import { parse } from '../../src/channel/parse.js';
import type { Schema } from '../../src/channel/schema.js';
import { moment, record, snapshot, stateCode } from '../../src/channel/values.js';
import { applicationStatuses, applicationSteps, stateCodes } from '../../src/contract/index.js';

const is = (schema: Schema, value: unknown) => parse(record({ value: schema }), { value }) !== undefined;

describe('the values of the channel', () => {
  it('know the state codes of the contract and no others', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const known = pairs.filter((pair) => is(stateCode, pair));
    assert.deepEqual(known, [...stateCodes].sort());
  });

  it('know the steps and statuses of the contract and no others', () => {
    assert.deepEqual([...snapshot.properties.step.enum], ['not_started', ...applicationSteps, 'submitted']);
    assert.deepEqual([...snapshot.properties.states.items.properties.status.enum], [...applicationStatuses]);
  });

  it('take what Date writes', () => {
    assert.ok(is(moment, new Date().toISOString()));
    assert.ok(is(moment, '2026-11-20T12:00:00Z'));
  });

  for (const [tag, core] of [
    ['en', 'en'],
    ['es-419', 'es-419'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['zh-cmn-Hans-CN', 'zh'],
    ['de-CH-1901', 'de-CH'],
    ['en-US-u-hc-h12', 'en-US'],
    ['english', 'en'],
    ['', 'en'],
    ['900-11-0001', 'en'],
  ] as const) {
    it(`reduce the language tag "${tag}" to "${core}"`, () => {
      assert.equal(coreLocale(tag), core);
      assert.ok(is(appearance.locale, coreLocale(tag)));
    });
  }

  for (const origin of [
    'https://apply.example',
    'http://localhost:5172',
    'http://127.0.0.1:5172',
    'http://[::1]:5172',
  ]) {
    it(`take the origin ${origin}`, () => {
      assert.doesNotThrow(() => {
        assertOrigin(origin);
      });
    });
  }

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
    'file://',
    'data:text/html,x',
  ]) {
    it(`do not take the origin "${wrong}"`, () => {
      assert.throws(() => {
        assertOrigin(wrong);
      }, TypeError);
    });
  }
});

describe('the hello of a page', () => {
  it('is repeated every 300 ms while an element may come, then ever slower, and one day no more', () => {
    const delays: number[] = [];
    for (let attempt = 0, delay = delayAfterHello(0); delay !== undefined; delay = delayAfterHello(++attempt))
      delays.push(delay);
    assert.ok(delays.slice(0, 100).every((delay) => delay === 300));
    assert.ok(delays.every((delay, index) => index === 0 || delay >= delays[index - 1]!));
    assert.equal(Math.max(...delays), 10_000);
    const totalMinutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000;
    assert.ok(totalMinutes > 8 && totalMinutes < 15, `${String(totalMinutes)} minutes`);
  });
});
