import { stateCodes } from '../../contract/index.js';
import type { FollowUp } from './content.js';

/** The problem of a follow-up's value. */
export type FollowUpProblem =
  | { kind: 'missing' | 'date' | 'month' | 'past' | 'future' | 'money' | 'state' | 'place' | 'choice' }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'tooLong'; maxLength: number };

/** A normalized value, or its problem. "" for an empty optional follow-up. */
export type ParsedFollowUp = { value: string; problem?: undefined } | { value?: undefined; problem: FollowUpProblem };

/** The parts of a value in a form. A follow-up without parts is one field. */
export const followUpParts: Partial<Record<FollowUp['type'], readonly ('month' | 'day' | 'year')[]>> = {
  date: ['month', 'day', 'year'],
  month: ['month', 'year'],
};

/** The difference between UTC and other time zones. */
const zonesMs = 14 * 3_600_000;

/** The maximum length of a field. */
const longestText = 2_000;

/** The maximum length of texts. */
export function maxLengthOf({ type, maxLength }: FollowUp): number {
  return Math.min(longestText, maxLength ?? (type === 'longText' ? longestText : 200));
}

/**
 * Parses the value of a follow-up. Normalized forms: `2019-03-27`, `2019-03`, `1250.00`, `12`,
 * `TX`, the id of a choice.
 *
 * @param read Reads a trimmed field by the name of the part; "" for a follow-up without parts.
 */
export function parseFollowUp(followUp: FollowUp, read: (part: string) => string, now: Date): ParsedFollowUp {
  const parts = (followUpParts[followUp.type] ?? ['']).map((part) => read(part));
  if (parts.every((part) => part === '')) {
    return followUp.required ? { problem: { kind: 'missing' } } : { value: '' };
  }
  // The length first, so that later checks are bounded.
  const maxLength = maxLengthOf(followUp);
  if (parts.some((part) => part.length > maxLength)) return { problem: { kind: 'tooLong', maxLength } };
  const [value = ''] = parts;
  switch (followUp.type) {
    case 'date': {
      const [month = '', day = '', year = ''] = parts;
      return checkTime(followUp, isoDay(year, month, day), now);
    }
    case 'month': {
      const [month = '', year = ''] = parts;
      return checkTime(followUp, isoDay(year, month, '1')?.slice(0, 7), now);
    }
    case 'money':
      return parseMoney(value);
    case 'number':
      return parseNumber(followUp, value);
    case 'state':
      return stateCodes.some((code) => code === value) ? { value } : { problem: { kind: 'state' } };
    case 'place':
      return /\p{L}.*\p{L}/u.test(value) ? { value } : { problem: { kind: 'place' } };
    case 'choice':
      return followUp.choices?.includes(value) ? { value } : { problem: { kind: 'choice' } };
    case 'text':
    case 'longText':
      return { value };
    case 'document':
      throw new Error('A document is not a field of a form.');
  }
}

function isoDay(year: string, month: string, day: string): string | undefined {
  if (![year, month, day].every((part) => /^[0-9]{1,4}$/.test(part))) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isDay = Number(year) >= 1900 && Number(year) <= 2100 && date.toISOString().slice(0, 10) === iso;
  return isDay ? iso : undefined;
}

function checkTime({ type, when }: FollowUp, value: string | undefined, now: Date): ParsedFollowUp {
  if (value === undefined) return { problem: { kind: type === 'month' ? 'month' : 'date' } };
  const edge = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(0, value.length);
  if (when === 'past' && value > edge(zonesMs)) return { problem: { kind: 'past' } };
  if (when === 'future' && value < edge(-zonesMs)) return { problem: { kind: 'future' } };
  return { value };
}

function parseMoney(value: string): ParsedFollowUp {
  const [, dollars, cents = '00'] =
    /^\$? ?([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.([0-9]{2}))?$/.exec(value) ?? [];
  if (dollars === undefined) return { problem: { kind: 'money' } };
  return { value: `${Number(dollars.replaceAll(',', ''))}.${cents}` };
}

function parseNumber({ min = 0, max = 999_999 }: FollowUp, value: string): ParsedFollowUp {
  const number = /^-?[0-9]{1,6}$/.test(value) ? Number(value) : Number.NaN;
  return number >= min && number <= max ? { value: String(number) } : { problem: { kind: 'number', min, max } };
}
