import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CourseNeed } from '../../../src/bridge/catalogue/content.js';
import { courseHoursFor, examFor, fingerprintsFor } from '../../../src/bridge/catalogue/needs.js';

const source = 'https://department.example';
const course = (lines: string[], hours: number, change: Partial<CourseNeed> = {}): CourseNeed => ({
  lines,
  hours,
  source,
  ...change,
});

describe('the requirements of a department', () => {
  it('The hours of the courses are those of the fewest courses that have all lines.', () => {
    const education = [
      course(['life', 'accident_health'], 60),
      course(['life'], 30),
      course(['accident_health'], 40),
      course(['property', 'casualty'], 90),
      course(['personal_lines'], 40, { unless: ['property', 'casualty'] }),
      course(['life', 'property'], 12, { addition: true }),
    ];
    const hours = (...lines: string[]) => courseHoursFor({ education }, lines);
    equal(hours('life'), 42);
    equal(hours('accident_health'), 40);
    equal(hours('life', 'accident_health'), 72);
    equal(hours('life', 'property'), 132, 'an addition has the lines of no course');
    equal(hours('casualty'), 90);
    equal(hours('personal_lines'), 40);
    equal(hours('property', 'casualty', 'personal_lines'), 102);
    equal(hours('travel'), 0);
  });

  it('A state without courses differs from one whose courses are unknown.', () => {
    deepEqual([courseHoursFor({ education: [] }, ['life']), courseHoursFor({}, ['life'])], [0, undefined]);
    const education = [course(['life'], 20), { lines: ['bail'], source }];
    deepEqual(
      [courseHoursFor({ education }, ['life']), courseHoursFor({ education }, ['life', 'bail'])],
      [20, undefined],
    );
  });

  it('An exam and fingerprints are only required for the lines that they name.', () => {
    const exam = { lines: ['life'], source };
    equal(examFor({ exam }, ['travel', 'life']), exam);
    equal(examFor({ exam }, ['travel']), undefined);
    const [producers, adjusters] = [
      { lines: ['life'], code: 'A', source },
      { lines: ['adjuster'], code: 'B', source },
    ];
    equal(fingerprintsFor({ fingerprints: [producers, adjusters] }, ['adjuster']), adjusters);
    equal(fingerprintsFor({ fingerprints: [producers, adjusters] }, ['travel']), undefined);
    equal(fingerprintsFor({ fingerprints: [{ source }] }, ['travel'])?.source, source);
    equal(fingerprintsFor({}, ['life']), undefined);
  });
});
