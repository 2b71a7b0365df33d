import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pathsIn, samples, schemas, valueAt, withValueAt } from './samples.js';

/**
 * Social security numbers in the formats of people and programs, and answers to background
 * questions.
 */
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
  'https://apply.example/a/1?ssn=900-11-0001',
  'https://apply.example/a/1#900-11-0001',
  'https://apply.example/a/900-11-0001/1',
  'https://apply.example/a/I was terminated',
];

const parse = (name: string, value: unknown): unknown => schemas[name]!.safeParse(value).data;

describe('every message of the channel', () => {
  it('there is a sample of every message of the channel', () => {
    assert.deepEqual(Object.keys(samples).sort(), Object.keys(schemas).sort());
  });
});

for (const [name, sample] of Object.entries(samples)) {
  describe(name, () => {
    const { leaves, objects } = pathsIn(sample);

    it(`${name} accepts its sample and returns the same fields`, () => {
      assert.deepEqual(parse(name, sample), sample);
    });

    it(`${name} accepts no social security number, answer or free text in any field`, () => {
      for (const path of [...leaves, ...objects.slice(1)]) {
        for (const value of smuggled) {
          if (path.at(-1) === 'locale' && isLanguage(value)) continue;
          assert.equal(
            parse(name, withValueAt(sample, path, value)),
            undefined,
            `${path.join('.')} = ${String(value)}`,
          );
        }
      }
    });

    it(`${name} accepts no unknown field`, () => {
      for (const path of objects) {
        for (const key of ['ssn', 'answer', 'note', '__proto__', 'constructor', 'toString', '']) {
          if (Array.isArray(valueAt(sample, path))) continue;
          const forged = withValueAt(sample, [...path, key], '900-11-0001');
          assert.equal(parse(name, forged), undefined, `${path.join('.')}.${key}`);
        }
      }
    });

    it(`${name} never throws, and accepts only values with exactly its fields`, () => {
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
            const result = parse(name, value);
            if (!result) return;
            // If it is accepted, it has only the sample's fields.
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

/**
 * "yes" and "no" are languages too (Nyankpa and Norwegian). The locale comes from the element's
 * side, which has no answers.
 */
function isLanguage(value: unknown): boolean {
  return value === 'yes' || value === 'NO';
}

/** A path without list indexes. */
function shapeOf(path: readonly (string | number)[]): string {
  return path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
}
