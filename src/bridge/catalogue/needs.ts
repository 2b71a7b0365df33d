import type { CourseNeed, ExamNeed, FingerprintNeed, Needs } from './content.js';

/**
 * The hours of the courses that a department requires for some lines, all together; 0 when it
 * requires none, `undefined` when the release does not know it.
 */
export function courseHoursFor({ education }: Needs, lines: readonly string[]): number | undefined {
  if (education === undefined) return undefined;
  const isUnknown = ({ hours: known, lines: of }: CourseNeed) =>
    known === undefined && of.some((line) => lines.includes(line));
  if (education.some(isUnknown)) return undefined;
  const needs = education.filter(({ unless = [] }) => !unless.some((line) => lines.includes(line)));
  const courses = needs.filter(({ addition }) => addition !== true);
  const left = new Set(lines);
  let hours = 0;
  const take = (course: CourseNeed) => {
    hours += course.hours ?? 0;
    for (const line of course.lines) left.delete(line);
  };
  // A course for several lines has fewer hours than one for each of them.
  const byMostLines = courses.toSorted((one, other) => other.lines.length - one.lines.length);
  for (const course of byMostLines) if (course.lines.every((line) => left.has(line))) take(course);
  for (const course of byMostLines.reverse()) if (course.lines.some((line) => left.has(line))) take(course);
  for (const { lines: of, hours: added = 0, addition } of needs) {
    if (addition === true && of.some((line) => lines.includes(line))) hours += added;
  }
  return hours;
}

/** The exam that a department requires for some lines; `undefined` for none. */
export function examFor({ exam }: Needs, lines: readonly string[]): ExamNeed | undefined {
  return exam?.lines.some((line) => lines.includes(line)) === true ? exam : undefined;
}

/** The fingerprints that a department requires for some lines; `undefined` for none. */
export function fingerprintsFor({ fingerprints = [] }: Needs, lines: readonly string[]): FingerprintNeed | undefined {
  return fingerprints.find(({ lines: of }) => of === undefined || of.some((line) => lines.includes(line)));
}
