import type { Language, StateCode } from '../../../../contract/index.js';
import { stateName } from '../../../catalogue/state-names.js';
import { isAsked } from './check.js';
import { countryName } from './countries.js';
import { byTime } from './employment.js';
import { militaryAreaNames } from './military-areas.js';
import type { Field } from './fields.js';
import { pagesOf, residencyIn, type AppliedFor, type ProfilePage, type ProfileRecord } from './pages.js';
import { fieldTexts, topicTexts } from './texts/index.js';
import { fieldsOf, topicOf, type ListId, type TopicId, type Values } from './topics.js';

/** One answer as text. */
export interface ProfileRow {
  label: string;
  /** Its lines. */
  value: string[];
}

/** The contents of one page as text, for the review and the filing package. */
export interface ProfileSection {
  title: string;
  /**
   * The path of the page below the application's link, without a leading slash: `profile/names`.
   */
  path: string;
  /** Set when only the department of this state receives it. */
  state?: StateCode;
  rows: ProfileRow[];
}

/** The contents of the profile step by page, in one language. Empty fields are omitted. */
export function describeProfile(record: ProfileRecord, applied: AppliedFor, language: Language): ProfileSection[] {
  return pagesOf(record, applied).map((page) => ({
    title: pageTitle(page, language),
    path: `profile/${page.key}`,
    ...(page.state && { state: page.state }),
    rows: rowsOf(record, page, applied, language),
  }));
}

/** The title of a page, with the name of its state if it has one. */
export function pageTitle({ topic, state }: Pick<ProfilePage, 'topic' | 'state'>, language: Language): string {
  const { title } = topicTexts(topic, language);
  return state === undefined ? title : `${title}: ${nameOfState(state, language)}`;
}

/** One entry of a list as text. */
export function describeEntry(topic: ListId, values: Values, applied: AppliedFor, language: Language): ProfileRow[] {
  return topicRows(topic, values, applied, language);
}

/** A month as text, such as "March 2022". */
export function monthInWords(month: string, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** The full name of a state, or of an area of the armed forces in an address. */
export function nameOfState(code: string, language: Language): string {
  const areas: Readonly<Record<string, string>> = militaryAreaNames[language];
  return areas[code] ?? stateName(code, language);
}

function rowsOf(record: ProfileRecord, page: ProfilePage, applied: AppliedFor, language: Language): ProfileRow[] {
  const { topic } = page;
  if (topicOf(topic).asked === 'list') {
    const entries = record.lists[topic as ListId].map(({ values }) => values);
    return entries
      .sort(topic === 'employment' ? byTime : () => 0)
      .flatMap((values) => topicRows(topic, values, applied, language));
  }
  const rows = topicRows(topic, record.pages[page.key] ?? {}, applied, language);
  return topic === 'residency' ? [...rows, ...residencyRows(record, applied, language)] : rows;
}

function topicRows(topic: TopicId, values: Values, applied: AppliedFor, language: Language): ProfileRow[] {
  return fieldsOf(topic).flatMap(([name, field]) => {
    const value = values[name];
    if (value === undefined || value.length === 0 || !isAsked(topic, field, values)) return [];
    const { label, choices } = fieldTexts(topic, name, language);
    const words = (one: string) => choices?.[one] ?? valueInWords(field, one, applied, language);
    return [{ label, value: [value].flat().flatMap((one) => words(one).split('\n')) }];
  });
}

function valueInWords(field: Field, value: string, { requirements }: AppliedFor, language: Language): string {
  if (field.kind === 'state' || field.choices === 'states') return nameOfState(value, language);
  if (field.choices === 'lines of authority') return requirements.lineName(value, language);
  if (field.kind === 'country') return countryName(value, language);
  if (field.kind === 'month') return monthInWords(value, language);
  if (field.kind !== 'day') return value;
  const format = new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${value}T00:00:00Z`));
}

const residencyWords = {
  en: { resident: 'As a resident', nonResident: 'As a non-resident' },
  es: { resident: 'Como residente', nonResident: 'Como no residente' },
} satisfies Record<Language, unknown>;

/** Whether the applicant applies as a resident or non-resident, by state. */
function residencyRows(record: ProfileRecord, { states }: AppliedFor, language: Language): ProfileRow[] {
  return states.flatMap((state) => {
    const residency = residencyIn(record, state, states);
    return residency ? [{ label: nameOfState(state, language), value: [residencyWords[language][residency]] }] : [];
  });
}
