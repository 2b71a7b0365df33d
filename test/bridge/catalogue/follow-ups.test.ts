import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FollowUp } from '../../../src/bridge/catalogue/content.js';
import { maxLengthOf, parseFollowUp } from '../../../src/bridge/catalogue/follow-ups.js';

// The newest day anywhere is the 2nd, and the oldest the 28th.
const now = new Date('2026-03-01T11:00:00Z');

function parse(of: Partial<FollowUp>, typed: string | Record<string, string>, at = now) {
  const followUp: FollowUp = { id: 'x', type: 'text', required: true, ...of };
  const { value, problem } = parseFollowUp(
    followUp,
    (part) => (typeof typed === 'string' ? typed : (typed[part] ?? '')),
    at,
  );
  return problem ?? value;
}
const day = (text: string) => {
  const [year = '', month = '', of = ''] = text.split('-');
  return { year, month, day: of };
};
const problem = (kind: string) => ({ kind });

describe('the value of a follow-up', () => {
  const cases: [of: Partial<FollowUp>, typed: string | Record<string, string>, result: unknown][] = [
    [{}, '', problem('missing')],
    [{ required: false }, '', ''],
    [{ type: 'date' }, {}, problem('missing')],
    [{ type: 'date', required: false }, {}, ''],
    [{ type: 'date', required: false }, { day: '3' }, problem('date')],
    [{}, 'x'.repeat(200), 'x'.repeat(200)],
    [{}, 'x'.repeat(201), { kind: 'tooLong', maxLength: 200 }],
    [{ type: 'longText' }, 'x'.repeat(2_000), 'x'.repeat(2_000)],
    [{ type: 'longText' }, 'x'.repeat(2_001), { kind: 'tooLong', maxLength: 2_000 }],
    [{ type: 'date' }, day('2019-3-7'), '2019-03-07'],
    [{ type: 'date' }, day('2024-2-29'), '2024-02-29'],
    ...'2023-2-29 2019-13-1 2019-0-1 2019-1-0 2019-1-32 1899-12-31 2101-1-1 19-1-1 2019--1 2019-x-1 2019-1.5-1 20190-1-1'
      .split(' ')
      .map((text): [Partial<FollowUp>, Record<string, string>, unknown] => [
        { type: 'date' },
        day(text),
        problem('date'),
      ]),
    [{ type: 'date' }, day('1900-1-1'), '1900-01-01'],
    [{ type: 'date' }, day('2100-12-31'), '2100-12-31'],
    [{ type: 'month' }, { month: '3', year: '2019' }, '2019-03'],
    [{ type: 'month' }, { month: '13', year: '2019' }, problem('month')],
    [{ type: 'date', when: 'past' }, day('2026-3-2'), '2026-03-02'],
    [{ type: 'date', when: 'past' }, day('2026-3-3'), problem('past')],
    [{ type: 'date', when: 'future' }, day('2026-2-28'), '2026-02-28'],
    [{ type: 'date', when: 'future' }, day('2026-2-27'), problem('future')],
    [{ type: 'month', when: 'past' }, { month: '3', year: '2026' }, '2026-03'],
    [{ type: 'month', when: 'past' }, { month: '4', year: '2026' }, problem('past')],
    [{ type: 'month', when: 'future' }, { month: '2', year: '2026' }, '2026-02'],
    [{ type: 'month', when: 'future' }, { month: '1', year: '2026' }, problem('future')],
    ...(
      [
        ['1250', '1250.00'],
        ['$1,250.50', '1250.50'],
        ['$ 1,234,567', '1234567.00'],
        ['999999999.99', '999999999.99'],
        ['007', '7.00'],
      ] as const
    ).map(([typed, value]): [Partial<FollowUp>, string, unknown] => [{ type: 'money' }, typed, value]),
    ...[
      '1,25',
      '12,50',
      '1250.5',
      '1250.505',
      '-5',
      '1234567890',
      '1,234,567,890',
      '$',
      'a',
      '$  5',
      '5 ',
      '.50',
      '1,2345',
    ].map((typed): [Partial<FollowUp>, string, unknown] => [{ type: 'money' }, typed, problem('money')]),
    [{ type: 'number', min: 1, max: 5 }, '1', '1'],
    [{ type: 'number', min: 1, max: 5 }, '05', '5'],
    ...['0', '6', '1.5', 'x', '-1', '1e1'].map((typed): [Partial<FollowUp>, string, unknown] => [
      { type: 'number', min: 1, max: 5 },
      typed,
      { kind: 'number', min: 1, max: 5 },
    ]),
    [{ type: 'number', min: -5 }, '-5', '-5'],
    [{ type: 'number' }, '0', '0'],
    [{ type: 'number' }, '999999', '999999'],
    [{ type: 'number' }, '-1', { kind: 'number', min: 0, max: 999_999 }],
    [{ type: 'number' }, '1000000', { kind: 'number', min: 0, max: 999_999 }],
    [{ type: 'state' }, 'TX', 'TX'],
    [{ type: 'state' }, 'tx', problem('state')],
    [{ type: 'place' }, 'Ü 5 b', 'Ü 5 b'],
    [{ type: 'place' }, 'a 5', problem('place')],
    [{ type: 'choice', choices: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'choice', choices: ['a', 'b'] }, 'c', problem('choice')],
    [{ type: 'choice' }, 'a', problem('choice')],
  ];
  for (const [of, typed, result] of cases) {
    const shown = (typeof typed === 'string' ? typed : Object.values(typed).join('-')).slice(0, 20);
    it(`${JSON.stringify(of)} "${shown}" is ${JSON.stringify(result).slice(0, 60)}.`, () => {
      deepEqual(parse(of, typed), result);
    });
  }

  it('A maximum length of the catalogue applies up to 2,000 characters.', () => {
    const lengths = [{}, { maxLength: 5 }, { maxLength: 1_000 }, { maxLength: 3_000 }].map((of) =>
      maxLengthOf({ id: 'x', type: 'text', required: true, ...of }),
    );
    deepEqual(lengths, [200, 5, 1_000, 2_000]);
  });

  it('A document is no field of a form.', () => {
    throws(() => parse({ type: 'document' }, 'x'));
    equal(parse({ type: 'document', required: false }, ''), '');
  });
});
