import { monthOf } from './check.js';
import type { Values } from './topics.js';

/** Months without an entry, both included, each as `YYYY-MM`. */
export interface Gap {
  from: string;
  to: string;
}

/** The number of months for which states ask for the employment history: five years. */
const monthsAsked = 60;

/**
 * Finds the months of the last five years without an entry, earliest first. Work, study, military
 * service and unemployment all count. An entry without an end covers the current month.
 */
export function employmentGaps(entries: readonly Values[], today: Date): Gap[] {
  const last = monthNumber(monthOf(today));
  const covered = entries.map(({ from, until, to }) => ({
    from: monthNumber(String(from)),
    to: until === 'now' ? last : monthNumber(String(to)),
  }));
  const gaps: Gap[] = [];
  let begin: number | undefined;
  for (let month = last - monthsAsked; month <= last + 1; month += 1) {
    const isCovered = month > last || covered.some(({ from, to }) => from <= month && month <= to);
    if (!isCovered) begin ??= month;
    else if (begin !== undefined) {
      gaps.push({ from: monthText(begin), to: monthText(month - 1) });
      begin = undefined;
    }
  }
  // The current month may have just begun, or only in other time zones: a job that ended just now
  // leaves no gap.
  return gaps.filter(({ from }) => monthNumber(from) < last);
}

/** Newest first, entries without an end before those with one. */
export function byTime(left: Values, right: Values): number {
  const end = ({ until, to }: Values) => (until === 'now' ? '9999-12' : String(to));
  return end(right).localeCompare(end(left)) || String(right['from']).localeCompare(String(left['from']));
}

function monthNumber(text: string): number {
  const [year, month] = text.split('-').map(Number);
  return (year ?? Number.NaN) * 12 + (month ?? Number.NaN) - 1;
}

function monthText(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}
