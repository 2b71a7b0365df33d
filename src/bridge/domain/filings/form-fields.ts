import { stateNames, type StateCode } from '../../../contract/index.js';
import { readableAnswers } from '../../catalogue/answers.js';
import type { HeldLicense } from '../applications/profile/held-licenses.js';
import { isAsked } from '../applications/profile/check.js';
import { countryName } from '../applications/profile/countries.js';
import { byTime } from '../applications/profile/employment.js';
import type { Field } from '../applications/profile/fields.js';
import { findLineConflicts } from '../applications/profile/line-rules.js';
import {
  chosenLines,
  pageKey,
  pagesOf,
  residencyIn,
  valuesOf,
  type AppliedFor,
  type ProfileRecord,
} from '../applications/profile/pages.js';
import { appliedFor } from '../applications/profile/profile.js';
import { nameOfState } from '../applications/profile/rows.js';
import { fieldTexts, topicTexts } from '../applications/profile/texts/index.js';
import { conflictSentence } from '../applications/profile/texts/line-rules.js';
import { fieldsOf, type TopicId, type Values } from '../applications/profile/topics.js';
import { answersTitle, type OpenedFiling } from './package.js';

/** A value to copy into the form of a state. */
export interface FormField {
  label: string;
  /** Never empty. */
  value: string;
}

/** Fields that belong together in the form. */
export interface FormSection {
  title: string;
  /** At least one. */
  fields: FormField[];
  /** What to check before filing, such as a rule of the state that the lines break. */
  notes?: string[];
}

/**
 * Returns the values that an operator types into the form of a state: answers to its requests, and
 * then in the order of the uniform application of individuals the person, the addresses, other names,
 * employment, agencies, the license, the requirements of this state alone, and the background
 * questions. Values look as forms take them, such as `04/12/1988`; an address that is the same as
 * another is written out. It includes the SSN.
 *
 * @param licenses Those of the applicant in the registry, in all states.
 */
export function formFieldsOf(opened: OpenedFiling, state: StateCode, licenses: readonly HeldLicense[]): FormSection[] {
  const { record, ssn, application, pinned } = opened;
  const applied = appliedFor({ application, pinned });
  // Those that the filing is about.
  const held = application.applicationType === 'new' ? [] : licenses.filter((license) => license.state === state);
  const about = valuesOf(record, 'about');
  const securities = valuesOf(record, 'securities');
  const names = valuesOf(record, 'names');
  const contact = valuesOf(record, 'contact');
  const home = valuesOf(record, 'home');
  const business = valuesOf(record, 'business');
  const mailing = valuesOf(record, 'mailing');
  const { homeState, licenseNumber } = valuesOf(record, 'residency');
  const atWork = business.which === 'home' ? home : business;
  const forMail = { home, business: atWork, other: mailing }[mailing.which ?? 'other'];
  const rows = (topic: TopicId, values: Values, ...chosen: string[]) => fieldsFor(topic, values, applied, chosen);
  const address = (values: Values) => rows('home', { ...values }, ...addressFields);
  const ofState = pagesOf(record, applied).filter((page) => page.state === state && page.topic !== 'lines');

  const sections: FormSection[] = [
    // First: nothing else is new when the filing is for an answer.
    { title: answersTitle, fields: opened.answersToState.flatMap((answer, index) => field(String(index + 1), answer)) },
    {
      title: 'Applicant',
      fields: [
        ...field('Social Security number', ssn.replace(/^(\d{3})(\d{2})(\d{4})$/, '$1-$2-$3')),
        ...field('National producer number (NPN)', about.npn),
        ...field('FINRA number (CRD)', about.crd ?? securities.crd),
        ...rows('names', names, 'lastName', 'suffix', 'firstName', 'middleName'),
        ...rows('about', about, 'dateOfBirth'),
      ],
    },
    {
      title: 'Residence',
      fields: [
        ...address(home),
        ...rows('contact', contact, 'phone'),
        ...rows('about', about, 'gender'),
        ...rows('citizenship', valuesOf(record, 'citizenship')),
        ...rows('work', valuesOf(record, 'work')),
      ],
    },
    {
      title: 'Business address',
      fields: [
        ...(business.which === 'none' ? [] : address(atWork)),
        ...rows('contact', contact, 'businessPhone', 'businessEmail', 'email'),
      ],
    },
    { title: 'Mailing address', fields: address(forMail) },
    { title: 'Other names', fields: (names.otherNames ?? '').split('\n').flatMap((name) => field('Name', name)) },
    ...numbered(
      'Employment',
      record.lists.employment
        .map(({ values }) => values)
        .toSorted(byTime)
        .map((values) => rows('employment', values)),
    ),
    ...numbered(
      'Agency',
      record.lists.agencies
        .map(({ values }) => values)
        .filter(({ states }) => states === undefined || states.includes(state))
        .map((values) => rows('agencies', values, 'name', 'fein', 'npn')),
    ),
    {
      title: 'Applied for',
      notes: lineNotes(record, state, applied, licenses),
      fields: [
        ...field('State', stateNames[state]),
        ...field('Residency', residencyOf(opened, state)),
        ...field('Home state', homeState && stateNames[homeState]),
        ...field('License number of the home state', licenseNumber),
        ...(chosenLines(record, state, applied.requirements.linesOf(state)) ?? []).flatMap((line) =>
          field('Line of authority', applied.requirements.lineName(line, 'en')),
        ),
        ...held.flatMap(({ number, licenseClass, expires }) => [
          ...field(`License number in ${stateNames[state]}`, number),
          ...field('License class', licenseClass),
          ...field('Expiration date', expires.replace(isoDay, '$2/$3/$1')),
        ]),
      ],
    },
    ...ofState.map(({ key, topic }) => ({
      title: topicTexts(topic, 'en').title,
      fields: rows(topic, record.pages[key] ?? {}),
    })),
    { title: 'Background questions', fields: answersFor(opened, state) },
  ];
  return sections.filter(({ fields }) => fields.length > 0);
}

/** The rules of the state that the lines break, about which the pages have asked the user. */
function lineNotes(record: ProfileRecord, state: StateCode, applied: AppliedFor, licenses: readonly HeldLicense[]) {
  const page = { key: pageKey('lines', state), topic: 'lines', state } as const;
  const conflicts = findLineConflicts(record, page, record.pages[page.key] ?? {}, applied, licenses);
  return conflicts.map((conflict) => conflictSentence(conflict, applied.requirements, 'en'));
}

const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;

const addressFields = ['street', 'line2', 'city', 'state', 'zip', 'region', 'postalCode', 'country'];

/** The fields of a topic that were given, in the order of `chosen`. Default: all of them. */
function fieldsFor(topic: TopicId, values: Values, applied: AppliedFor, chosen: readonly string[]): FormField[] {
  const fields = Object.fromEntries(fieldsOf(topic));
  const names = chosen.length > 0 ? chosen : Object.keys(fields);
  return names.flatMap((name) => {
    const described = fields[name];
    const value = values[name];
    if (described === undefined || value === undefined || !isAsked(topic, described, values)) return [];
    const { label, choices } = fieldTexts(topic, name, 'en');
    return [value].flat().flatMap((one) => field(label, choices?.[one] ?? asTyped(described, one, applied)));
  });
}

/** A stored value as the forms of states take it. */
function asTyped(described: Field, value: string, { requirements }: AppliedFor): string {
  if (described.choices === 'lines of authority') return requirements.lineName(value, 'en');
  switch (described.kind) {
    case 'state':
      return nameOfState(value, 'en');
    case 'country':
      return countryName(value, 'en');
    case 'day':
      return value.replace(isoDay, '$2/$3/$1');
    case 'month':
      return value.replace(/^(\d{4})-(\d{2})$/, '$2/$1');
    default:
      return value;
  }
}

function residencyOf({ record, application }: OpenedFiling, state: StateCode): string {
  const residency = residencyIn(record, state, application.states);
  return residency === 'nonResident' ? 'Non-resident' : residency === undefined ? '' : 'Resident';
}

function answersFor({ pinned, answers, application }: OpenedFiling, state: StateCode): FormField[] {
  const words = { yes: 'Yes', no: 'No' };
  return readableAnswers(pinned, { ...application, states: [state] }, answers, 'en').flatMap(
    ({ number, ask, scope, answer, details }) => {
      if (answer === undefined) return [];
      const question = [number === undefined ? '' : `${number}.`, ask, scope].filter(Boolean).join(' ');
      return [...field(question, words[answer]), ...details.flatMap(({ label, value }) => field(label, value))];
    },
  );
}

function numbered(title: string, entries: readonly FormField[][]): FormSection[] {
  return entries.map((fields, index) => ({
    title: entries.length > 1 ? `${title} ${index + 1}` : title,
    fields,
  }));
}

function field(label: string, value: string | undefined): FormField[] {
  return value === undefined || value === '' ? [] : [{ label, value }];
}
