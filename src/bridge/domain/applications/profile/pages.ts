import { stateCodes, type Language, type StateCode } from '../../../../contract/index.js';
import { checkValues, type Checked } from './check.js';
import { employmentGaps } from './employment.js';
import { topicOf, type ListId, type TopicId, type Values, type ValuesOf } from './topics.js';

/** What states want of an applicant, as the catalogue says that the application has pinned. */
export interface Requirements {
  /** The lines of authority that a state gives with the license type of the application. */
  linesOf(state: StateCode): readonly string[];
  /** Whether a state wants a course of its residents before the license. */
  wantsCourse(state: StateCode): boolean;
  /** Whether a state wants an exam of its residents. */
  wantsExam(state: StateCode): boolean;
  /** Whether a state takes fingerprints of its residents. */
  wantsFingerprints(state: StateCode): boolean;
  /** The name of a line of authority. */
  lineName(id: string, language: Language): string;
}

/** The parts of an application's purpose that decide which questions it has. */
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

/** All that the profile step knows of an applicant. Encrypted where it is kept. */
export interface ProfileRecord {
  version: 2;
  /** What was typed, by page. It may lack something where the page is not confirmed. */
  pages: Record<string, Values>;
  lists: Record<ListId, Entry[]>;
  /** The pages that the user has confirmed. */
  confirmed: string[];
  /** How often an NPN was given with the name and birth date of somebody else. */
  registryMisses: number;
}

/** A page: a topic, or a topic of one state. */
export interface ProfilePage {
  /** As it stands in its address: `names`, or `education/TX`. */
  key: string;
  topic: TopicId;
  state?: StateCode;
}

/** A record in which nothing was typed. */
export function emptyRecord(): ProfileRecord {
  return { version: 2, pages: {}, lists: { employment: [], agencies: [] }, confirmed: [], registryMisses: 0 };
}

/** The values of a topic that is asked once, as they are kept. */
export function valuesOf<Id extends TopicId>(record: ProfileRecord, topic: Id, state?: StateCode): ValuesOf<Id> {
  return (record.pages[pageKey(topic, state)] ?? {}) as ValuesOf<Id>;
}

/** The pages that apply, in their order. They depend on what was answered before. */
export function pagesOf(record: ProfileRecord, applied: AppliedFor): ProfilePage[] {
  const { states, requirements, applicationType } = applied;
  const { citizen } = valuesOf(record, 'citizenship');
  const { agency } = valuesOf(record, 'affiliation');
  const once = (topic: TopicId, applies = true): ProfilePage[] => (applies ? [{ key: topic, topic }] : []);
  const each = (topic: TopicId, wanting: readonly StateCode[]) =>
    wanting.map((state): ProfilePage => ({ key: pageKey(topic, state), topic, state }));
  const residents = statesAsOfResident(record, states);
  const withLines = states.filter((state) => requirements.linesOf(state).length > 0);
  const isRenewal = applicationType === 'renewal';
  return [
    ...once('names'),
    ...once('about'),
    ...once('contact'),
    ...once('home'),
    ...once('business'),
    ...once('mailing'),
    ...once('citizenship'),
    ...once('work', citizen === 'other'),
    ...once('employment'),
    ...once('residency'),
    ...once('authority', withLines.length > 1),
    ...each('lines', withLines.length === 1 || valuesOf(record, 'authority').spread === 'each' ? withLines : []),
    ...once('affiliation'),
    ...once('agencies', agency === 'agency'),
    ...each('continuing', isRenewal ? residents : []),
    ...each('education', isRenewal ? [] : residents.filter(requirements.wantsCourse)),
    ...each('exam', isRenewal ? [] : residents.filter(requirements.wantsExam)),
    ...each('fingerprints', residents.filter(requirements.wantsFingerprints)),
  ];
}

/**
 * The states that treat the applicant as a resident: the home state, and all others as long as no active home license stands for
 * what the home state has checked.
 */
export function statesAsOfResident(record: ProfileRecord, states: readonly StateCode[]): StateCode[] {
  const { homeState, homeLicense } = valuesOf(record, 'residency');
  if (homeState === undefined || homeLicense === undefined) return [];
  const hasHomeLicense = homeLicense === 'active' || (homeLicense === 'applying' && states.includes(homeState));
  return states.filter((state) => state === homeState || !hasHomeLicense);
}

/** Checks what is kept for a page, or was just typed on it. */
export function checkPage(
  { topic, state }: Pick<ProfilePage, 'topic' | 'state'>,
  typed: Values,
  applied: AppliedFor,
  today: Date,
): Checked {
  return checkValues(topic, typed, today, offeredOn({ topic, state }, applied));
}

/** The values that the field of several choices on a page offers. */
export function offeredOn({ topic, state }: { topic: TopicId; state?: StateCode | undefined }, applied: AppliedFor) {
  if (topic === 'agencies') return applied.states;
  const states = state === undefined ? applied.states : [state];
  return [...new Set(states.flatMap((one) => applied.requirements.linesOf(one)))];
}

/** Whether a page still wants something: it was not confirmed, or what was confirmed does not suffice any more. */
export function isOpen(record: ProfileRecord, page: ProfilePage, applied: AppliedFor, today: Date): boolean {
  if (!record.confirmed.includes(page.key)) return true;
  if (topicOf(page.topic).asked !== 'list')
    return checkPage(page, record.pages[page.key] ?? {}, applied, today).problems !== undefined;
  return !isListComplete(record, page.topic as ListId, applied, today);
}

/** Whether a list has all that it must: no gap in five years, or at least one agency. */
export function isListComplete(record: ProfileRecord, topic: ListId, applied: AppliedFor, today: Date): boolean {
  const entries = record.lists[topic].map(({ values }) => values);
  const isFine = entries.every((values) => checkPage({ topic }, values, applied, today).problems === undefined);
  const suffices = topic === 'employment' ? employmentGaps(entries, today).length === 0 : entries.length > 0;
  return isFine && suffices;
}

/** The pages that still want something, in their order. */
export function openPages(record: ProfileRecord, applied: AppliedFor, today: Date): ProfilePage[] {
  return pagesOf(record, applied).filter((page) => isOpen(record, page, applied, today));
}

/** The key of a page. */
export function pageKey(topic: TopicId, state?: StateCode): string {
  return state === undefined ? topic : `${topic}/${state}`;
}

/** The state in an address, in capitals as it stands there. */
export function stateIn(text: string | undefined): StateCode | undefined {
  return stateCodes.find((code) => code === text);
}
