import type { StateCode } from '../../../../contract/index.js';
import type { ContactRule } from '../../../catalogue/content.js';
import { boxLines, type FieldProblem } from './check.js';
import type { TopicId, Values } from './topics.js';

/*
 * Departments refuse an application without a way to reach the applicant, such as a business e-mail
 * address, which the pages otherwise leave to the user. Each rule is checked on the pages that ask
 * for it.
 */

/**
 * Finds the values of a page that break rules of states.
 *
 * @param statesWith The states of the application that have a rule.
 */
export function contactProblems(
  topic: TopicId,
  values: Values,
  statesWith: (rule: ContactRule) => StateCode[],
): FieldProblem[] {
  return (Object.entries(checks) as [ContactRule, Checks][]).flatMap(([rule, { [topic]: find }]) => {
    const problems = find?.(values) ?? [];
    if (problems.length === 0) return [];
    const states = statesWith(rule);
    return states.length === 0 ? [] : problems.map((problem) => ({ ...problem, states }));
  });
}

/** By topic: finds what breaks the rule. */
type Checks = Partial<Record<TopicId, (values: Values) => FieldProblem[]>>;

const checks: Readonly<Record<ContactRule, Checks>> = {
  businessEmail: { contact: ({ businessEmail }) => required('businessEmail', businessEmail === undefined) },
  businessPhone: { contact: ({ businessPhone }) => required('businessPhone', businessPhone === undefined) },
  businessAddress: { business: ({ which }) => required('which', which === 'none') },
  noBusinessBox: { business: (values) => boxLines(values).flatMap((line) => refused(line, true)) },
  usPhone: {
    contact: (values) => ['phone', 'businessPhone'].flatMap((name) => refused(name, isForeignPhone(values[name]))),
  },
  usAddress: { home: notAbroad, business: notAbroad, mailing: notAbroad },
};

function notAbroad({ abroad }: Values): FieldProblem[] {
  return refused('abroad', abroad === 'abroad');
}

/** Whether a number has more than the ten digits of the United States, with or without the 1 before them. */
function isForeignPhone(typed: Values[string] = ''): boolean {
  const [number = ''] = String(typed).split(/x|ext/i);
  return typed !== '' && !/^1?\d{10}$/.test(number.replace(/\D/g, ''));
}

function required(field: string, is: boolean): FieldProblem[] {
  return is ? [{ field, problem: 'required' }] : [];
}

function refused(field: string, is: boolean): FieldProblem[] {
  return is ? [{ field, problem: 'refused' }] : [];
}
