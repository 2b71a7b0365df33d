import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../src/channel/schema.js';
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

const parse = (name: string, value: unknown): unknown => check(schemas[name]!, value).value;

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
  });
}

/**
 * "yes" and "no" are languages too (Nyankpa and Norwegian). The locale comes from the element's
 * side, which has no answers.
 */
function isLanguage(value: unknown): boolean {
  return value === 'yes' || value === 'NO';
}
