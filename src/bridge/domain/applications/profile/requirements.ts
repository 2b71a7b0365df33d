import { isOfLicenseType, type Catalogue } from '../../../catalogue/catalogue.js';
import type { Language } from '../../../../contract/index.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import { pagesOf, type AppliedFor, type ProfilePage, type ProfileRecord, type Requirements } from './pages.js';
import type { TopicId } from './topics.js';

/** What a state asks of its residents on one page, as far as the release knows it. */
export interface ResidentNeed {
  /**
   * The whole way of those who apply for the first time, on the first page about the state. Absent
   * for renewals.
   */
  overview?: string | undefined;
  /** The hours of the course. */
  hours?: number | undefined;
  /** Who gives the exam or takes the fingerprints. */
  vendor?: string | undefined;
  /** The site of the vendor. */
  url?: string | undefined;
  /** The code of the service to book. */
  code?: string | undefined;
  refundPolicy?: string | undefined;
  department: { name: string; url: string };
  /** Whether it is not verified with the department. */
  isSample: boolean;
}

/** The field of each topic about residents that tells whether the thing is done. */
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
  return {
    linesOf: (state) =>
      catalogue
        .jurisdiction(state)
        .linesOfAuthority.filter(({ licenseTypes }) => isOfLicenseType(licenseTypes, licenseType))
        .map(({ id }) => id),
    wantsCourse: (state) => catalogue.jurisdiction(state).residentNeeds.education !== undefined,
    wantsExam: (state) => catalogue.jurisdiction(state).residentNeeds.exam !== undefined,
    wantsFingerprints: (state) => catalogue.jurisdiction(state).residentNeeds.fingerprints !== undefined,
    lineName: (id, language) => catalogue.texts[language].linesOfAuthority[id] ?? id,
  };
}

/** The need behind a page; `undefined` for pages that are not about what a state asks of residents. */
export function residentNeedOf(
  catalogue: Pick<Catalogue, 'jurisdiction' | 'texts'>,
  { topic, state }: Pick<ProfilePage, 'topic' | 'state'>,
  { applicationType }: Pick<ApplicationRow, 'applicationType'>,
  language: Language,
): ResidentNeed | undefined {
  if (state === undefined || !(topic in statusFields)) return undefined;
  const { residentNeeds, department, sample } = catalogue.jurisdiction(state);
  const { residents, refundPolicy } = catalogue.texts[language].jurisdictions[state] ?? {};
  const first = (['education', 'exam', 'fingerprints'] as const).find((one) => residentNeeds[one] !== undefined);
  return {
    overview: applicationType !== 'renewal' && topic === first ? residents : undefined,
    ...(topic === 'education' && residentNeeds.education),
    ...(topic === 'exam' && residentNeeds.exam),
    ...(topic === 'fingerprints' && residentNeeds.fingerprints),
    refundPolicy,
    department,
    isSample: sample,
  };
}

/** The pages about residents on which the user said that the thing is booked or not done yet. */
export function pendingPages(record: ProfileRecord, applied: AppliedFor): ProfilePage[] {
  return pagesOf(record, applied).filter(({ key, topic }) => {
    const status = record.pages[key]?.[statusFields[topic] ?? ''];
    return status === 'pending' || status === 'booked';
  });
}
