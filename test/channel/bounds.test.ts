import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkBounds } from '../../src/channel/bounds.js';
import { stateCodes } from '../../src/contract/index.js';
import { samples } from './samples.js';

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));

function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level += 1) value = { value };
  return value;
}

it('checkBounds accepts every message of the protocol, including the largest', () => {
  for (const [name, sample] of Object.entries(samples)) assert.equal(checkBounds(sample), undefined, name);
  const states = stateCodes.slice(0, 56).map((state) => ({ state, status: 'requires_action' }));
  const payload = {
    step: 'submitted',
    index: 6,
    count: 6,
    dirty: false,
    savedAt: '2026-11-20T12:34:56.789Z',
    states,
  };
  assert.equal(states.length, 56);
  assert.equal(checkBounds({ ch: 'x'.repeat(36), m: { type: 'submitted', seq: 1, payload } }), undefined);
  const actionUrl = `https://apply.example/${'x'.repeat(2_000)}`;
  assert.equal(checkBounds({ ch: 'x', m: { type: 'requiresAction', seq: 1, payload: { actionUrl } } }), undefined);
});

const cases: [name: string, value: unknown, expected?: 'limit'][] = [
  ['a text of 4,096 characters', 'x'.repeat(4_096)],
  ['a text of 4,097 characters', 'x'.repeat(4_097), 'limit'],
  ['a text of 5 MB deep inside', { m: [{ text: 'x'.repeat(5_000_000) }] }, 'limit'],
  ['999 fields', fields(999)],
  ['1,000 fields', fields(1_000), 'limit'],
  ['999 items', Array(999).fill('TX')],
  ['1,000 items', Array(1_000).fill('TX'), 'limit'],
  ['30 objects of 30 fields', Array.from({ length: 30 }, () => fields(30))],
  ['40 objects of 40 fields', Array.from({ length: 40 }, () => fields(40)), 'limit'],
  ['an array of 1,000 without items', new Array(1_000)],
  ['an array of 1,001 without items', new Array(1_001), 'limit'],
  ['7 levels', nested(7)],
  ['8 levels', nested(8), 'limit'],
  ['3,000 levels', nested(3_000), 'limit'],
  ['a circle', circle(), 'limit'],
];
for (const [name, value, expected] of cases) {
  it(`checkBounds ${expected ? 'refuses' : 'accepts'} ${name}`, () => {
    assert.equal(checkBounds(value), expected);
  });
}

it('checkBounds refuses dates, bytes and other special objects without reading their keys', () => {
  const others = [
    new Uint8Array(50_000_000),
    new String('x'.repeat(1_000)),
    new Map(),
    new Date(0),
    new Error('x'),
    /x/,
  ];
  for (const value of others)
    assert.equal(checkBounds({ payload: value }), 'schema', Object.prototype.toString.call(value));
});

function circle(): object {
  const value: Record<string, unknown> = {};
  value['value'] = value;
  return value;
}
