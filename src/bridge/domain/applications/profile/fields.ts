import { z } from 'zod';
import { stateCodes } from '../../../../contract/index.js';
import { characters } from '../../limits/limits.js';
import { countryCodes } from './countries.js';
import { militaryAreas } from './military-areas.js';

/** The kind of input of a field. */
export type FieldKind = 'text' | 'lines' | 'day' | 'month' | 'state' | 'country' | 'choice' | 'choices';

/** The condition of a field that is only asked for some values of an earlier choice. */
export interface Condition {
  /** The name of the choice, on the same page. */
  field: string;
  /** The values for which the field is asked. */
  is: readonly string[];
}

/** One field of a page. Its value is a text, or several of `choices`. */
export interface Field<Schema extends z.ZodType<string | string[]> = z.ZodType<string | string[]>> {
  kind: FieldKind;
  /** Checks a typed value, and converts it to its stored form. */
  schema: Schema;
  /** Whether it may be left empty. */
  isOptional: boolean;
  /** The maximum number of characters. */
  maxLength: number;
  /**
   * The values of a choice or of a list of states, or their source: the states of the application, or
   * a state's lines of authority.
   */
  choices?: readonly string[] | 'states' | 'lines of authority';
  when?: Condition;
  /** The `autocomplete` token. */
  autocomplete?: string;
  width?: 'tiny' | 'short' | 'medium' | 'full';
  /** The keyboard that a phone shows. */
  input?: 'numeric' | 'tel' | 'email';
}

type Look = Partial<Pick<Field, 'autocomplete' | 'width' | 'input' | 'maxLength'>>;

/** A line of text. */
export function text(look: Look = {}) {
  return textLike(/^[^\r\n]+$/, { maxLength: characters.name.max, ...look });
}

/** A line of text with a pattern. */
export function textLike(pattern: RegExp, look: Look, clean: (typed: string) => string = (typed) => typed) {
  return field('text', z.string().regex(pattern).transform(clean), look);
}

/** Several short texts, one per line. */
export function lines(look: Look = {}) {
  const clean = (typed: string) =>
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n');
  const isShort = (typed: string) =>
    typed.split('\n').length <= 20 && typed.split('\n').every((line) => line.length <= characters.name.max);
  return field('lines', z.string().transform(clean).refine(isShort), { maxLength: characters.followUp.max, ...look });
}

/** An e-mail address. */
export function email(look: Look = {}) {
  return textLike(/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/, { maxLength: characters.email.max, input: 'email', ...look });
}

/** A phone number with area code, with or without an extension, in any usual form. */
export function phone(look: Look = {}) {
  const schema = z
    .string()
    .regex(/^[\d\s()+./-]+((x|ext\.?)\s*\d{1,6})?$/i)
    .refine((typed) => /^\d{10,18}$/.test(typed.replace(/\D/g, '')));
  return field('text', schema, { width: 'medium', input: 'tel', maxLength: characters.phone.max, ...look });
}

/**
 * An identification number of a person or company: digits, which may be typed with spaces or
 * dashes.
 */
export function digits(pattern: RegExp, look: Look, clean?: (typed: string) => string) {
  const schema = z
    .string()
    .transform((typed) => typed.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(pattern))
    .transform((typed) => clean?.(typed) ?? typed);
  return field('text', schema, { width: 'short', input: 'numeric', maxLength: 12, ...look });
}

/** A national producer number. Stored without leading zeros. */
export function npn(look: Look = {}) {
  return digits(/^0*[1-9]\d{0,9}$/, look, (typed) => typed.replace(/^0+/, ''));
}

/** A day, as `YYYY-MM-DD`. */
export function day(look: Look = {}) {
  return field('day', z.string().transform(isoDay).pipe(z.string()), { maxLength: 10, ...look });
}

/** A month, as `YYYY-MM`. */
export function month(look: Look = {}) {
  return field('month', z.string().transform(isoMonth).pipe(z.string()), { maxLength: 7, ...look });
}

/** A state of the US. */
export function state(look: Look = {}) {
  return stateAmong(stateCodes, look);
}

/** The codes in the place of the state in an address of the US. */
export const addressStates = [...stateCodes, ...militaryAreas] as const;

/** The state of an address, or the area of the armed forces. */
export function addressState(look: Look = {}) {
  return stateAmong(addressStates, look);
}

function stateAmong<const Code extends string>(choices: readonly Code[], look: Look) {
  return { ...field('state', z.enum(choices), { width: 'medium', maxLength: 2, ...look }), choices };
}

/** A country other than the US. */
export function country(look: Look = {}) {
  return field('country', z.enum(countryCodes), { width: 'medium', maxLength: 2, ...look });
}

/** One of a few values, by radio buttons. */
export function choice<const Value extends string>(choices: readonly Value[]) {
  return { ...field('choice', z.enum(choices), {}), choices };
}

/** Some of the states of the application, or of their lines of authority. */
export function choices(from: 'states' | 'lines of authority') {
  return { ...field('choices', z.array(z.string().max(characters.id.max)).min(1).max(200), {}), choices: from };
}

/** Makes a field optional. */
export function optional<F extends Field>(given: F): F {
  return { ...given, isOptional: true };
}

/** Asks a field only for some values of an earlier choice. */
export function when<F extends Field>(field: string, is: string | readonly string[], given: F): F {
  return { ...given, when: { field, is: [is].flat() } };
}

function field<Schema extends z.ZodType<string | string[]>>(
  kind: FieldKind,
  schema: Schema,
  look: Look,
): Field<Schema> {
  return { kind, schema, isOptional: false, maxLength: characters.formLine.max, ...look };
}

/**
 * Converts `1985-3-7` or `1985-03-07` to `1985-03-07`; `undefined` for a day that does not exist.
 */
function isoDay(typed: string): string | undefined {
  const [, year = '', month = '', dayOfMonth = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // `2001-02-30` is read as 2 March by some engines and as invalid by others.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function isoMonth(typed: string): string | undefined {
  return isoDay(`${typed}-1`)?.slice(0, 7);
}
