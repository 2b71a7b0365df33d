import type { StateCode } from '../../../../contract/index.js';
import type { LineRule } from '../../../catalogue/content.js';
import { activeLines, hasOnlyKnownLines, type HeldLicense } from './held-licenses.js';
import {
  chosenLines,
  pageKey,
  residencyIn,
  statesWithLines,
  valuesOf,
  type AppliedFor,
  type ProfilePage,
  type ProfileRecord,
} from './pages.js';
import type { Values } from './topics.js';

/*
 * Departments refuse lines that need others, that exclude others, that the home state has not
 * granted, or that leave out a part of a license at its renewal. The registry may not know all that
 * a user holds, so that a broken rule is a doubt and not an error: the user may keep the lines.
 */

/** The lines of an applicant in a state. */
export interface LinesInState {
  /** Those that the application asks for. */
  asked: readonly string[];
  /** Those that it can ask for. */
  offered: readonly string[];
  /** Those of active licenses of the state. */
  held: readonly string[];
  /** Those of active licenses of the home state; `undefined` when they are not known. */
  heldAtHome: readonly string[] | undefined;
}

/** Lines that break a rule of states. */
export interface LineConflict {
  rule: LineRule['rule'];
  /** The line that the rule is for; `undefined` when it is for all. */
  line: string | undefined;
  /** The lines that are missing, or that exclude it. */
  others: string[];
  states: StateCode[];
}

/**
 * Finds the rules of states that the typed lines of a page break.
 *
 * @param licenses Those of the applicant in the registry.
 */
export function findLineConflicts(
  record: ProfileRecord,
  { key, topic, state: own }: Pick<ProfilePage, 'key' | 'topic' | 'state'>,
  typed: Values,
  applied: AppliedFor,
  licenses: readonly HeldLicense[],
): LineConflict[] {
  // Where the user chooses for each state, the lines are on pages of their own.
  const isAboutLines = topic === 'lines' || (topic === 'authority' && typed['spread'] === 'same');
  if (!isAboutLines) return [];
  const filled = { ...record, pages: { ...record.pages, [key]: typed } };
  const atHome = licenses.filter(({ isActive, isResident }) => isActive && isResident);
  const isHomeKnown = atHome.length > 0 && atHome.every(hasOnlyKnownLines);
  const found = (own === undefined ? statesWithLines(applied) : [own]).flatMap((state) => {
    const offered = applied.requirements.linesOf(state);
    const lines: LinesInState = {
      asked: chosenLines(filled, state, offered) ?? [],
      offered,
      held: activeLines(licenses.filter((license) => license.state === state)),
      heldAtHome: isHomeKnown ? activeLines(atHome) : undefined,
    };
    return brokenRules(rulesIn(record, state, applied), lines).map((broken) => ({ ...broken, states: [state] }));
  });
  return together(found);
}

/** A profile, and what its application is for. */
interface Applicant {
  record: ProfileRecord;
  applied: AppliedFor;
}

/**
 * Opens the pages of lines again where a state has a rule that it did not have before: it was added,
 * or the user has another home state.
 */
export function reopenLines({ record, applied }: Applicant, before: Applicant): void {
  const { spread } = valuesOf(record, 'authority');
  for (const state of applied.states) {
    const known = before.applied.states.includes(state) ? rulesIn(before.record, state, before.applied) : [];
    if (rulesIn(record, state, applied).every((rule) => known.includes(rule))) continue;
    const page = spread === 'same' ? pageKey('authority') : pageKey('lines', state);
    record.confirmed = record.confirmed.filter((key) => key !== page);
  }
}

/** The rules of a state for an application; none before the user's residency there is known. */
function rulesIn(record: ProfileRecord, state: StateCode, applied: AppliedFor): readonly LineRule[] {
  const { applicationType, states, requirements } = applied;
  const residency = residencyIn(record, state, states);
  if (residency === undefined) return [];
  return requirements.lineRulesOf(state, residency).filter((rule) => {
    const { applicationTypes = rule.rule === 'renewedTogether' ? ['renewal'] : [applicationType] } = rule;
    return applicationTypes.includes(applicationType);
  });
}

/** Whether the user has confirmed the typed lines of a page before. */
export function areLinesConfirmed(
  { confirmed, pages }: Pick<ProfileRecord, 'confirmed' | 'pages'>,
  { key }: Pick<ProfilePage, 'key'>,
  typed: Values,
): boolean {
  const { spread, lines } = pages[key] ?? {};
  return confirmed.includes(key) && spread === typed['spread'] && textOf(lines) === textOf(typed['lines']);
}

/** The rules that the lines of a state break. */
export function brokenRules(rules: readonly LineRule[], lines: LinesInState): Omit<LineConflict, 'states'>[] {
  return rules.flatMap((rule) => {
    const line = 'line' in rule ? rule.line : undefined;
    const others = line === undefined || lines.asked.includes(line) ? conflictingLines(rule, lines) : [];
    return others.length === 0 ? [] : [{ rule: rule.rule, line, others }];
  });
}

/** The lines that are missing for a rule, or that exclude its line. */
function conflictingLines(rule: LineRule, { asked, offered, held, heldAtHome }: LinesInState): string[] {
  const has = (line: string) => asked.includes(line) || held.includes(line);
  const isMeant = (line: string) => rule.lines === undefined || rule.lines.includes(line);
  switch (rule.rule) {
    case 'needsAll':
      return rule.lines.filter((line) => !has(line));
    case 'needsOne':
      return rule.lines.some(has) ? [] : rule.lines;
    case 'excludes':
      return rule.lines.filter(has);
    case 'heldAtHome':
      return heldAtHome === undefined ? [] : asked.filter((line) => isMeant(line) && !heldAtHome.includes(line));
    case 'renewedTogether':
      if (!asked.some(isMeant)) return [];
      return offered.filter((line) => isMeant(line) && held.includes(line) && !asked.includes(line));
  }
}

/** Several states with the same conflict are one. */
function together(conflicts: readonly LineConflict[]): LineConflict[] {
  const kinds = new Map<string, LineConflict>();
  for (const conflict of conflicts) {
    const { rule, line, others, states } = conflict;
    const kind = [rule, line, ...others].join();
    kinds.set(kind, { ...conflict, states: [...(kinds.get(kind)?.states ?? []), ...states] });
  }
  return [...kinds.values()];
}

function textOf(lines: Values[string] = []): string {
  return [lines].flat().sort().join();
}
