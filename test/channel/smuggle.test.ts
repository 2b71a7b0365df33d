import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from '../../src/channel/parse.js';
import { pathsIn, samples, schemas, valueAt, withValueAt } from './samples.js';

/** Social security numbers as people and programs write them, and answers to background questions. */
const smuggled: readonly unknown[] = [
  '900-11-0001',
  '900110001',
  '900 11 0001',
  ' 900-11-0001',
  '900-11-0001\n',
  'en-900110001',
  'TX\n900-11-0001',
  900110001,
  -900110001,
  9001.10001,
  900110001n,
  ['900-11-0001'],
  { ssn: '900-11-0001' },
  'yes',
  'NO',
  'Convicted in 2009 of a misdemeanor, fine paid.',
  'I was terminated for cause by my last employer',
  '2026-11-20T12:34:56.789Z I was terminated',
  `https://apply.example/a/${'x'.repeat(43)}?ssn=900-11-0001`,
  `https://apply.example/a/${'x'.repeat(43)}#900-11-0001`,
  `https://900-11-0001@apply.example/a/${'x'.repeat(43)}`,
  `https://apply.example/a/900-11-0001`,
  `https://apply.example/s/${'x'.repeat(43)}?ssn=900-11-0001`,
  `https://apply.example/s/${'x'.repeat(43)}/900-11-0001`,
  `https://apply.example/ssn/900-11-0001/a/${'x'.repeat(43)}`,
  'javascript:alert(1)',
];

describe('every message of the channel', () => {
  it('has a sample', () => {
    assert.deepEqual(Object.keys(samples).sort(), Object.keys(schemas).sort());
  });
});

for (const [name, sample] of Object.entries(samples)) {
  describe(name, () => {
    const schema = schemas[name]!;
    const { leaves, objects } = pathsIn(sample);

    it('is accepted as it is, and nothing is added or lost', () => {
      assert.deepEqual(parse(schema, sample), sample);
    });

    it('takes no social security number, no answer and no free text in any of its fields', () => {
      for (const path of [...leaves, ...objects.slice(1)]) {
        for (const value of smuggled) {
          if (path.at(-1) === 'locale' && isLanguage(value)) continue;
          assert.equal(
            parse(schema, withValueAt(sample, path, value)),
            undefined,
            `${path.join('.')} = ${String(value)}`,
          );
        }
      }
    });

    it('takes no field that it does not have', () => {
      for (const path of objects) {
        for (const key of ['ssn', 'answer', 'note', '__proto__', 'constructor', 'toString', '']) {
          if (Array.isArray(valueAt(sample, path))) continue;
          const forged = withValueAt(sample, [...path, key], '900-11-0001');
          assert.equal(parse(schema, forged), undefined, `${path.join('.')}.${key}`);
        }
      }
    });

    it('takes no text with a space or with nine digits in a row outside of its random ids', () => {
      const texts = leaves.filter((path) => typeof valueAt(sample, path) === 'string' && !isRandomId(path.at(-1)));
      const digits = fc.stringMatching(/^[ -~]{0,20}[0-9]{9}[ -~]{0,20}$/);
      const spaced = fc.stringMatching(/^[ -~]{0,30} [ -~]{0,30}$/);
      if (texts.length === 0) return;
      fc.assert(
        fc.property(fc.constantFrom(...texts), fc.oneof(digits, spaced), (path, value) => {
          assert.equal(parse(schema, withValueAt(sample, path, value)), undefined);
        }),
      );
    });

    it('takes no number of nine digits or with a fraction', () => {
      const numbers = leaves.filter((path) => typeof valueAt(sample, path) === 'number');
      const large = fc.integer({ min: 100_000_000, max: 999_999_999 });
      const fraction = fc.double({ noInteger: true });
      if (numbers.length === 0) return;
      fc.assert(
        fc.property(fc.constantFrom(...numbers), fc.oneof(large, fraction), (path, value) => {
          assert.equal(parse(schema, withValueAt(sample, path, value)), undefined);
        }),
      );
    });

    it('never throws, and accepts of anything at all only what has exactly its fields', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.anything({
              withBigInt: true,
              withDate: true,
              withMap: true,
              withSet: true,
              withTypedArray: true,
              withNullPrototype: true,
            }),
            fc
              .tuple(fc.constantFrom(...leaves, ...objects), fc.anything())
              .map(([path, value]) => withValueAt(sample, path, value)),
          ),
          (value) => {
            const result = parse(schema, value);
            if (!result) return;
            // Accepted: then it is made of the sample's fields alone.
            const allowed = new Set(leaves.concat(objects).map(shapeOf));
            const { leaves: found, objects: inner } = pathsIn(result);
            for (const path of found.concat(inner)) assert.ok(allowed.has(shapeOf(path)), shapeOf(path));
          },
        ),
        { numRuns: 300 },
      );
    });
  });
}

/** "yes" and "no" are languages too (Nyankpa and Norwegian). The locale comes from the element's side, which has no answers. */
function isLanguage(value: unknown): boolean {
  return value === 'yes' || value === 'NO';
}

/** Random ids of 128 bits and more: whoever makes them could hide anything in them, but not write it down as it is spelled. */
function isRandomId(key: string | number | undefined): boolean {
  return key === 'channel' || key === 'actionUrl';
}

/** A path without the positions in lists. */
function shapeOf(path: readonly (string | number)[]): string {
  return path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
}
