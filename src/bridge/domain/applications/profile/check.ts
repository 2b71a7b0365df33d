import type { StateCode } from '../../../../contract/index.js';
import { fieldsOf, topicOf, type TopicId, type Values } from './topics.js';
import type { Field } from './fields.js';

/**
 * The problem of a field: missing, malformed, inconsistent with other fields, or required or refused
 * by states.
 */
export type Problem =
  'missing' | 'wrong' | 'age' | 'past' | 'future' | 'order' | 'postOfficeBox' | 'required' | 'refused';

/** A field and its problem. */
export interface FieldProblem {
  field: string;
  problem: Problem;
  /** The states that require or refuse the value. */
  states?: readonly StateCode[];
}

/** Complete values in their stored form, or the problems. */
export type Checked = { values: Values; problems?: undefined } | { values?: undefined; problems: FieldProblem[] };

/**
 * Checks the typed or stored values of a topic. Values of fields that are not asked are dropped.
 *
 * @param today For the checks of past dates and of age.
 * @param offered The choices that a field of several choices offers; other values are dropped.
 */
export function checkValues(id: TopicId, typed: Values, today: Date, offered: readonly string[] = []): Checked {
  const values: Values = {};
  const problems: FieldProblem[] = [];
  for (const [name, field] of fieldsOf(id)) {
    if (!isAsked(id, field, typed)) continue;
    const given = givenValue(typed[name], field, offered);
    if (given.length === 0) {
      if (!field.isOptional) problems.push({ field: name, problem: 'missing' });
      continue;
    }
    const { success, data } = field.schema.safeParse(given);
    if (success) values[name] = data;
    else problems.push({ field: name, problem: 'wrong' });
  }
  const found = rules[id]?.(values, today) ?? [];
  problems.push(...found.filter(({ field }) => field in values));
  return problems.length > 0 ? { problems } : { values };
}

/**
 * Whether a field is asked, given the values of its page: the choice that it depends on is asked
 * and has one of the required values.
 */
export function isAsked(id: TopicId, { when }: Field, values: Values): boolean {
  if (when === undefined) return true;
  const deciding = topicOf(id).fields[when.field];
  const isChosen = when.is.includes(String(values[when.field] ?? ''));
  return isChosen && deciding !== undefined && isAsked(id, deciding, values);
}

/** A day or month without any part counts as empty. */
function givenValue(value: string | string[] | undefined, { kind }: Field, offered: readonly string[]) {
  if (kind === 'choices') return [value ?? []].flat().filter((one) => offered.includes(one));
  const text = String(value ?? '').trim();
  return /^-*$/.test(text) ? '' : text;
}

/** Checks of fields of one page against each other. */
const rules: Partial<Record<TopicId, (values: Values, today: Date) => FieldProblem[]>> = {
  about: ({ dateOfBirth }, today) => problemIf('dateOfBirth', 'age', !isOfAge(String(dateOfBirth), today)),
  // A state serves papers at the residence.
  home: (values) => boxLines(values).map((field) => ({ field, problem: 'postOfficeBox' })),
  work: ({ expires }, today) => problemIf('expires', 'past', String(expires) < dayOf(today)),
  employment: ({ from, to }, today) => [
    ...problemIf('from', 'future', String(from) > monthOf(today)),
    ...problemIf('to', 'future', String(to) > monthOf(today)),
    ...problemIf('to', 'order', to !== undefined && String(to) < String(from)),
  ],
  education: ({ completed }, today) => problemIf('completed', 'future', String(completed) > dayOf(today)),
  exam: ({ exam, examDate }, today) =>
    problemIf('examDate', 'future', exam === 'passed' && String(examDate) > dayOf(today)),
  continuing: ({ completed }, today) => problemIf('completed', 'future', String(completed) > dayOf(today)),
  fingerprints: ({ taken, appointment }, today) =>
    problemIf('appointment', 'future', taken === 'done' && String(appointment) > dayOf(today)),
};

/** The lines of an address that are a box of the post office. */
export function boxLines(address: Values): ('street' | 'line2')[] {
  return (['street', 'line2'] as const).filter((line) => isPostOfficeBox(String(address[line] ?? '')));
}

/** Whether a line of an address is a box of the post office, in English or Spanish. */
function isPostOfficeBox(line: string): boolean {
  return /^\W*(p(ost)?[\s.]*o(ffice)?[\s.]*(box|b)|apartado(\s+postal)?)\b[\s.#:]*\w*\d/i.test(line);
}

function problemIf(field: string, problem: Problem, is: boolean): FieldProblem[] {
  return is ? [{ field, problem }] : [];
}

/** The largest differences between local time and UTC, in hours. */
const firstClocksMs = 14 * 3_600_000;

/** The newest day anywhere, as `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return new Date(now.getTime() + firstClocksMs).toISOString().slice(0, 10);
}

/** The newest month anywhere, as `YYYY-MM`. */
export function monthOf(now: Date): string {
  return dayOf(now).slice(0, 7);
}

function isOfAge(dateOfBirth: string, today: Date): boolean {
  const birth = new Date(`${dateOfBirth}T00:00:00Z`);
  const eighteen = new Date(birth);
  eighteen.setUTCFullYear(birth.getUTCFullYear() + 18);
  return eighteen <= today && today.getUTCFullYear() - birth.getUTCFullYear() <= 120;
}
