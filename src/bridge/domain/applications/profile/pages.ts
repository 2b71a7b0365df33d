import { stateCodes, type Language, type StateCode } from '../../../../contract/index.js';
import type { AskedFor } from '../../../catalogue/catalogue.js';
import type { ContactRule, LineRule, Residency } from '../../../catalogue/content.js';
import { checkValues, type Checked } from './check.js';
import { contactProblems } from './contact-rules.js';
import { employmentGaps } from './employment.js';
import { topicOf, type ListId, type TopicId, type Values, type ValuesOf } from './topics.js';

/**
 * The requirements of states for an applicant, from the catalogue release that the application
 * pins.
 */
export interface Requirements {
  /** The lines of authority of a state for the license type of the application. */
  linesOf(state: StateCode): readonly string[];
  /** The topics of what a state requires of an applicant for some lines. */
  topicsOf(state: StateCode, residency: Residency, lines: readonly string[]): readonly NeedTopic[];
  /** The rules of a state for the ways to reach an applicant. */
  contactRulesOf(state: StateCode, residency: Residency): readonly ContactRule[];
  /** The rules of a state for lines that the application can ask for. */
  lineRulesOf(state: StateCode, residency: Residency): readonly LineRule[];
  /** The name of a line of authority. */
  lineName(id: string, language: Language): string;
}

/** The topics about what a state requires for a new license. */
export type NeedTopic = 'education' | 'exam' | 'fingerprints';

/** The properties of an application that determine its pages. */
export interface AppliedFor {
  applicationType: string;
  states: readonly StateCode[];
  requirements: Requirements;
}

/** One entry of a list. */
export interface Entry {
  id: string;
  values: Values;
}

/** The record of the profile step. Stored encrypted. */
export interface ProfileRecord {
  version: 2;
  /** The typed values, by page. They may be incomplete where the page is not confirmed. */
  pages: Record<string, Values>;
  lists: Record<ListId, Entry[]>;
  /** The pages that the user has confirmed. */
  confirmed: string[];
  /** How often an NPN did not match the name and birth date. */
  registryMisses: number;
}

/** A page: a topic, or a topic of one state. */
export interface ProfilePage {
  /** The path segment of its URL: `names`, or `education/TX`. */
  key: string;
  topic: TopicId;
  state?: StateCode;
}

/** An empty record. */
export function emptyRecord(): ProfileRecord {
  return { version: 2, pages: {}, lists: { employment: [], agencies: [] }, confirmed: [], registryMisses: 0 };
}

/** The stored values of a topic that is asked once. */
export function valuesOf<Id extends TopicId>(record: ProfileRecord, topic: Id, state?: StateCode): ValuesOf<Id> {
  return (record.pages[pageKey(topic, state)] ?? {}) as ValuesOf<Id>;
}

/** The pages that apply, in order. They depend on earlier answers. */
export function pagesOf(record: ProfileRecord, applied: AppliedFor): ProfilePage[] {
  const { states, requirements, applicationType } = applied;
  const { citizen } = valuesOf(record, 'citizenship');
  const { agency } = valuesOf(record, 'affiliation');
  const once = (topic: TopicId, applies = true): ProfilePage[] => (applies ? [{ key: topic, topic }] : []);
  const each = (topic: TopicId, wanting: readonly StateCode[]) =>
    wanting.map((state): ProfilePage => ({ key: pageKey(topic, state), topic, state }));
  const residents = states.filter((state) => residencyIn(record, state, states) === 'resident');
  const withLines = statesWithLines(applied);
  const { spread } = valuesOf(record, 'authority');
  // Also for the one state that is left when the user leaves out the others: the lines are chosen.
  const isForAll = withLines.length > 1 || (withLines.length === 1 && spread !== undefined);
  const isRenewal = applicationType === 'renewal';
  const wanting = (topic: NeedTopic) =>
    states.filter((state) => {
      const residency = residencyIn(record, state, states);
      if (residency === undefined || isRenewal) return false;
      return requirements.topicsOf(state, residency, linesAppliedFor(record, state, requirements)).includes(topic);
    });
  return [
    ...once('names'),
    ...once('about'),
    ...once('home'),
    ...once('contact'),
    ...once('business'),
    ...once('mailing'),
    ...once('citizenship'),
    ...once('work', citizen === 'other'),
    ...once('employment'),
    ...once('residency'),
    ...once('authority', isForAll),
    ...each('lines', !isForAll || spread === 'each' ? withLines : []),
    ...once('securities', sellsVariable(record, withLines) && valuesOf(record, 'about').crd === undefined),
    ...once('affiliation'),
    ...once('agencies', agency === 'agency'),
    ...each('continuing', isRenewal ? residents : []),
    ...each('education', wanting('education')),
    ...each('exam', wanting('exam')),
    ...each('fingerprints', wanting('fingerprints')),
  ];
}

/** The states of an application that divide its license type into lines. */
export function statesWithLines({ states, requirements }: AppliedFor): StateCode[] {
  return states.filter((state) => requirements.linesOf(state).length > 0);
}

/** The line whose states ask for the FINRA registration of the applicant. */
const variableLine = 'variable';

/** Whether a variable line is chosen, for all states together or for one of them. */
function sellsVariable(record: ProfileRecord, states: readonly StateCode[]): boolean {
  return states.some((state) => linesIn(record, state)?.includes(variableLine) === true);
}

/** The chosen lines for a state, also those that it does not offer; `undefined` before the choice. */
function linesIn(record: ProfileRecord, state: StateCode): readonly string[] | undefined {
  const { spread, lines } = valuesOf(record, 'authority');
  return spread === 'same' ? lines : valuesOf(record, 'lines', state).lines;
}

/** The chosen lines among those that a state offers; `undefined` before the choice. */
export function chosenLines(
  record: ProfileRecord,
  state: StateCode,
  offered: readonly string[],
): readonly string[] | undefined {
  const chosen = linesIn(record, state);
  return chosen && offered.filter((line) => chosen.includes(line));
}

/** The lines of a state that the user applies for; before the choice, all that it offers. */
export function linesAppliedFor(
  record: ProfileRecord,
  state: StateCode,
  { linesOf }: Pick<Requirements, 'linesOf'>,
): readonly string[] {
  const offered = linesOf(state);
  return chosenLines(record, state, offered) ?? offered;
}

/**
 * How a state treats the applicant: as a resident in the home state, and in all others unless the
 * applicant has an active license of the home state. `undefined` until the user says where that is.
 */
export function residencyIn(
  record: ProfileRecord,
  state: StateCode,
  states: readonly StateCode[],
): Residency | undefined {
  const { homeState, homeLicense } = valuesOf(record, 'residency');
  if (homeState === undefined || homeLicense === undefined) return undefined;
  const hasHomeLicense = homeLicense === 'active' || (homeLicense === 'applying' && states.includes(homeState));
  return state === homeState || !hasHomeLicense ? 'resident' : 'nonResident';
}

/** An application, with the residency of its user in each state. */
export function askedOf({ application, profile }: { application: AskedFor; profile: ProfileRecord }): AskedFor {
  const { states } = application;
  return { ...application, residencyIn: (state) => residencyIn(profile, state, states) };
}

/** Checks the typed values of a page of a record, or stored ones. */
export function checkPage(
  record: ProfileRecord,
  { topic, state }: Pick<ProfilePage, 'topic' | 'state'>,
  typed: Values,
  applied: AppliedFor,
  today: Date,
): Checked {
  const checked = checkValues(topic, typed, today, offeredOn({ topic, state }, applied));
  if (!checked.values) return checked;
  const filled = { ...record, pages: { ...record.pages, [pageKey(topic, state)]: checked.values } };
  const problems = contactProblems(topic, checked.values, (rule) => statesWithRule(rule, filled, applied));
  return problems.length > 0 ? { problems } : checked;
}

/** The optional fields of a page that a state requires. */
export function requiredOn(record: ProfileRecord, { topic }: ProfilePage, applied: AppliedFor): string[] {
  // Of an empty page, only what is required is a problem.
  return contactProblems(topic, {}, (rule) => statesWithRule(rule, record, applied)).map(({ field }) => field);
}

function statesWithRule(rule: ContactRule, record: ProfileRecord, { states, requirements }: AppliedFor): StateCode[] {
  return states.filter((state) => {
    const residency = residencyIn(record, state, states) ?? likelyResidency(record, state);
    return residency !== undefined && requirements.contactRulesOf(state, residency).includes(rule);
  });
}

/** The residency by the home address, until the user says which state is home. */
function likelyResidency(record: ProfileRecord, state: StateCode): Residency | undefined {
  const { state: livesIn } = valuesOf(record, 'home');
  if (livesIn === undefined) return undefined;
  return livesIn === state ? 'resident' : 'nonResident';
}

/** The choices of the field of several choices on a page. */
export function offeredOn({ topic, state }: { topic: TopicId; state?: StateCode | undefined }, applied: AppliedFor) {
  if (topic === 'agencies') return applied.states;
  const states = state === undefined ? applied.states : [state];
  return [...new Set(states.flatMap((one) => applied.requirements.linesOf(one)))];
}

/**
 * Whether a page is incomplete: it is not confirmed, or its confirmed values are no longer
 * sufficient.
 */
export function isOpen(record: ProfileRecord, page: ProfilePage, applied: AppliedFor, today: Date): boolean {
  if (!record.confirmed.includes(page.key)) return true;
  if (topicOf(page.topic).asked !== 'list')
    return checkPage(record, page, record.pages[page.key] ?? {}, applied, today).problems !== undefined;
  return !isListComplete(record, page.topic as ListId, applied, today);
}

/** Whether a list is complete: no gap in five years, or at least one agency. */
export function isListComplete(record: ProfileRecord, topic: ListId, applied: AppliedFor, today: Date): boolean {
  const entries = record.lists[topic].map(({ values }) => values);
  const isFine = entries.every((values) => checkPage(record, { topic }, values, applied, today).problems === undefined);
  const suffices = topic === 'employment' ? employmentGaps(entries, today).length === 0 : entries.length > 0;
  return isFine && suffices;
}

/** The incomplete pages, in order. */
export function openPages(record: ProfileRecord, applied: AppliedFor, today: Date): ProfilePage[] {
  return pagesOf(record, applied).filter((page) => isOpen(record, page, applied, today));
}

/** The key of a page. */
export function pageKey(topic: TopicId, state?: StateCode): string {
  return state === undefined ? topic : `${topic}/${state}`;
}

/** Reads the state code in a path. */
export function stateIn(text: string | undefined): StateCode | undefined {
  return stateCodes.find((code) => code === text);
}
