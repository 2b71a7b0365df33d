import { isOfLicenseType, type Catalogue } from '../../../catalogue/catalogue.js';
import type { Language, StateCode } from '../../../../contract/index.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import type { ExamNeed, FingerprintNeed } from '../../../catalogue/content.js';
import { courseHoursFor, examFor, fingerprintsFor } from '../../../catalogue/needs.js';
import type { ApplySession } from '../session.js';
import {
  linesAppliedFor,
  pagesOf,
  residencyIn,
  type AppliedFor,
  type NeedTopic,
  type ProfilePage,
  type ProfileRecord,
  type Requirements,
} from './pages.js';
import type { TopicId } from './topics.js';

/** What a state asks of an applicant on one page, as far as the release knows it. */
export interface StateNeed {
  /**
   * All that the state asks for, on the first page about it. Absent on others, and for nonresidents,
   * who have done most of it at home.
   */
  overview?: NeedOverview | undefined;
  /** The hours of the course. */
  hours?: number | undefined;
  /** When the exam is taken, or fingerprints are wanted. */
  when?: FingerprintNeed['when'];
  /** The vendor that gives the exam or takes the fingerprints. */
  vendor?: string | undefined;
  /** The site of the vendor. */
  url?: string | undefined;
  /** The code of the service to book. */
  code?: string | undefined;
  /** The price of the fingerprints. */
  cents?: number | undefined;
  refundPolicy?: string | undefined;
  department: { name: string; url: string };
  /** Whether it is not verified with the department. */
  isSample: boolean;
}

/** What a state asks of residents for a first license. */
export interface NeedOverview {
  /** The hours of the course: 0 for none, `undefined` when they are unknown. */
  hours: number | undefined;
  exam: ExamNeed | undefined;
  fingerprints: FingerprintNeed | undefined;
}

/** The topics about what a state requires, in the order of their pages. */
const needTopics = ['education', 'exam', 'fingerprints'] as const satisfies readonly NeedTopic[];

/** The field of each topic about requirements that tells whether the thing is done. */
const statusFields: Partial<Record<TopicId, string>> = {
  education: 'course',
  exam: 'exam',
  continuing: 'credits',
  fingerprints: 'taken',
};

/**
 * The requirements of the states of an application, from the catalogue release that it pins. Where
 * no line of a state belongs to the license type, no line is asked for.
 */
export function requirementsOf(
  catalogue: Pick<Catalogue, 'jurisdiction' | 'texts'>,
  { licenseType }: Pick<ApplicationRow, 'licenseType'>,
): Requirements {
  const linesOf = (state: StateCode) =>
    catalogue
      .jurisdiction(state)
      .linesOfAuthority.filter(({ licenseTypes }) => isOfLicenseType(licenseTypes, licenseType))
      .map(({ id }) => id);
  return {
    linesOf,
    topicsOf: (state, residency, lines) => {
      const needs = catalogue.jurisdiction(state).needs[residency];
      const wanted: Record<NeedTopic, boolean> = {
        education: (courseHoursFor(needs, lines) ?? 0) > 0,
        exam: examFor(needs, lines) !== undefined,
        fingerprints: fingerprintsFor(needs, lines) !== undefined,
      };
      return needTopics.filter((topic) => wanted[topic]);
    },
    contactRulesOf: (state, residency) =>
      (catalogue.jurisdiction(state).needs[residency].contact ?? []).map(({ rule }) => rule),
    lineRulesOf: (state, residency) => {
      const offered = linesOf(state);
      const { lines: rules = [] } = catalogue.jurisdiction(state).needs[residency];
      return rules.filter((rule) => {
        const about = 'line' in rule ? [rule.line] : (rule.lines ?? offered);
        return about.some((line) => offered.includes(line));
      });
    },
    lineName: (id, language) => catalogue.texts[language].linesOfAuthority[id] ?? id,
  };
}

/** The need behind a page; `undefined` for pages that are not about what a state asks for. */
export function stateNeedOf(
  { pinned, application, profile }: Pick<ApplySession, 'pinned' | 'application' | 'profile'>,
  { topic, state }: Pick<ProfilePage, 'topic' | 'state'>,
  language: Language,
): StateNeed | undefined {
  if (state === undefined || !(topic in statusFields)) return undefined;
  const { needs, department, sample } = pinned.jurisdiction(state);
  const requirements = requirementsOf(pinned, application);
  const residency = residencyIn(profile, state, application.states) ?? 'resident';
  const lines = linesAppliedFor(profile, state, requirements);
  const hours = courseHoursFor(needs[residency], lines);
  const exam = examFor(needs[residency], lines);
  const fingerprints = fingerprintsFor(needs[residency], lines);
  const [first] = requirements.topicsOf(state, residency, lines);
  return {
    overview: residency === 'resident' && topic === first ? { hours, exam, fingerprints } : undefined,
    ...(topic === 'education' && { hours }),
    ...(topic === 'exam' && exam && { when: exam.when, vendor: exam.vendor, url: exam.url }),
    ...(topic === 'fingerprints' && fingerprints && detailsOf(fingerprints)),
    refundPolicy: pinned.texts[language].jurisdictions[state]?.refundPolicy,
    department,
    isSample: sample,
  };
}

function detailsOf({ when, vendor, url, code, cents }: FingerprintNeed) {
  return { when, vendor, url, code, cents };
}

/** The pages about requirements on which the user said that the thing is booked or not done yet. */
export function pendingPages(record: ProfileRecord, applied: AppliedFor): ProfilePage[] {
  return pagesOf(record, applied).filter(({ key, topic }) => {
    const status = record.pages[key]?.[statusFields[topic] ?? ''];
    return status === 'pending' || status === 'booked';
  });
}
