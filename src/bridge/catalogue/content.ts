import type { Language, StateCode } from '../../contract/index.js';

/** The languages of the texts of every release. */
export const catalogueLanguages = ['en', 'es'] as const satisfies readonly Language[];

/** The source of an entry of the catalogue. */
export interface Provenance {
  /** The document or page with the value, or how a sample value was chosen. */
  source: string;
  /** The day from which it is valid, `YYYY-MM-DD`. */
  effective: string;
  /**
   * Whether it is not verified with the department. A live session that needs such a fee is
   * refused.
   */
  sample: boolean;
  /** The check with the department. Fees and requirements have it exactly when they are no sample. */
  confirmed?: Confirmation | undefined;
}

/** A check of an entry with its department. */
export interface Confirmation {
  /** The name of the operator. */
  by: string;
  /** The day, `YYYY-MM-DD`. */
  on: string;
}

/** `release.json`: the release of a folder. */
export interface Release {
  /** The permanent version of the release: `2026.11.1`. Other content needs another version. */
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`, in UTC. */
  effective: string;
  /** The changes, for the operator. */
  notes: string;
  /** The types that the release is made for. A session of another type is refused. */
  offers: {
    /** Such as `new`. */
    applicationTypes: string[];
    /** Such as `life_health`. */
    licenseTypes: string[];
  };
}

/** The condition of an entry. Absent: everywhere. All present conditions must match. */
export interface AppliesTo {
  /** At least one of these states is applied for. */
  states?: StateCode[] | undefined;
  /** Those of `states` whose nonresidents it does not apply to. Disclosures only. */
  onlyResidentsOf?: StateCode[] | undefined;
  /**
   * The license type, or one of its parts, is one of these: `life_health` has the parts `life` and
   * `health`.
   */
  licenseTypes?: string[] | undefined;
  /** The application type is one of these. */
  applicationTypes?: string[] | undefined;
}

/** The types of follow-ups. */
export const followUpTypes = [
  'date',
  'month',
  'money',
  'number',
  'text',
  'longText',
  'state',
  'place',
  'choice',
  'document',
] as const;

/** One of {@link followUpTypes}. */
export type FollowUpType = (typeof followUpTypes)[number];

/** A field below a "yes". */
export interface FollowUp {
  /** Unique within the question. */
  id: string;
  /**
   * `date`: a day. `month`: a month of a year. `money`: US dollars and cents. `number`: a whole
   * number. `text`: one line. `longText`: a paragraph. `state`: a state code. `place`: a city,
   * court or country as text. `choice`: one of `choices`. `document`: a file that is uploaded in
   * the step of documents.
   */
  type: FollowUpType;
  required: boolean;
  /**
   * For `text`, `longText` and `place`, in characters. Default: 200, for `longText` 2,000, the
   * maximum of a form.
   */
  maxLength?: number | undefined;
  /** Of `number`. Default: 0. */
  min?: number | undefined;
  /** Of `number`. Default: 999,999. */
  max?: number | undefined;
  /** Of `date` and `month`. Default: any day between 1900 and 2100. */
  when?: 'past' | 'future' | undefined;
  /** Of `choice`: the ids, whose labels are in the texts. */
  choices?: string[] | undefined;
}

/** An entry of `questions.json`. */
export interface Question extends Provenance {
  /** Lower-case, such as `felony`. Never used again for another question. */
  id: string;
  /** The number in the uniform application for individuals, such as `1a`. */
  number?: string | undefined;
  /** Its page. Pages are in the order of their first occurrence in the file. */
  group: string;
  appliesTo: AppliesTo;
  /**
   * The question whose "yes" leads to this one. It must be in the same group and earlier in the
   * file.
   */
  after?: { question: string; answer: 'yes' } | undefined;
  followUps: FollowUp[];
  /**
   * How many incidents a "yes" may tell, each with its own follow-ups and documents, such as two
   * convictions. Default: 1.
   */
  maxIncidents?: number | undefined;
}

/** An entry of `disclosures.json`. */
export interface Disclosure extends Provenance {
  id: string;
  /**
   * `shared`: one text for all states. `state`: names the states that it applies to, by `{state}`
   * in its texts.
   */
  kind: 'shared' | 'state';
  appliesTo: AppliesTo;
}

/** An entry of `attestations.json`: a statement that the user attests with the signature. */
export interface Attestation extends Provenance {
  id: string;
  appliesTo: AppliesTo;
}

/** The residency of an applicant in a state. */
export const residencies = ['resident', 'nonResident'] as const;

/** One of {@link residencies}. */
export type Residency = (typeof residencies)[number];

/** The fact behind fees by home state that are not known, among the {@link CatalogueTexts.feeConditions}. */
export const homeStateFee = 'home_state_fee';

/**
 * A fee of a department. The fees of an application are all whose lines are applied for, added up.
 * A line that no fee names has an unknown fee.
 */
export interface Fee extends Provenance {
  residency: Residency;
  /** A slug, such as `new`. */
  applicationType: string;
  /** The name that the department gives to the class of license or to the charge. */
  licenseClass: string;
  /** The lines of authority that it is for, by their ids. */
  lines: string[];
  /** `application`: once for all of its lines together. `line`: once for each of them. */
  per: 'application' | 'line';
  /** The number of lines from which it is charged: 2 for a fee of each further line. Default: 1. */
  fromLines?: number | undefined;
  /** Whether it is charged on top of the fees of its lines, such as a surcharge. Default: false. */
  addition?: boolean | undefined;
  /** It is not charged when one of these lines is applied for too. */
  unless?: string[] | undefined;
  /**
   * The amount in cents; with `dependsOn` the least one. Absent: it depends on the home state, or is
   * confirmed at filing.
   */
  stateFeeCents?: number | undefined;
  /** The amount in cents by the home state of the applicant. It takes precedence. */
  byHomeState?: Partial<Record<StateCode, number>> | undefined;
  /**
   * The home states whose residents pay a retaliatory fee instead. Its amount is confirmed at
   * filing.
   */
  retaliatoryFrom?: StateCode[] | undefined;
  /**
   * The id of the fact that determines the amount, such as `county_population`, whose words are in
   * the texts. The rest of the amount is confirmed at filing.
   */
  dependsOn?: string | undefined;
}

/** The charge for sending an application to a department. */
export interface ProcessingFee extends Provenance {
  /** In cents, for each application. */
  cents: number;
}

/** A line of authority that a state offers. */
export interface LineOfAuthority {
  /** Such as `life`; its name is in the texts. */
  id: string;
  /** Its license types, matched as in {@link AppliesTo}. */
  licenseTypes: string[];
  /**
   * Those of the license types for which few applicants choose it. An estimate counts it only once
   * it is chosen. Default: none.
   */
  optionalFor?: string[] | undefined;
}

/** The requirements of a department. */
export interface Needs {
  /** The courses before the exam. Empty: none is required. Absent: unknown. */
  education?: CourseNeed[] | undefined;
  /** Absent: none is known. */
  exam?: ExamNeed | undefined;
  /** Empty: none are required. Absent: unknown. */
  fingerprints?: FingerprintNeed[] | undefined;
  /** How the applicant must be reachable. Absent: nothing is known. */
  contact?: ContactNeed[] | undefined;
  /** Which lines go together, also for other applications than new ones. Absent: nothing is known. */
  lines?: LineRule[] | undefined;
}

/** A course. The courses of an application are those that together have all of its lines. */
export interface CourseNeed {
  lines: string[];
  /** All hours for these lines together. Absent: unknown. */
  hours?: number | undefined;
  /** Whether it comes on top of the courses of its lines, once. Default: false. */
  addition?: boolean | undefined;
  /** It is not required when one of these lines is applied for too. */
  unless?: string[] | undefined;
  /** The URL of the page that says so. */
  source: string;
}

/** The times of an exam in relation to the application. */
export const examTimes = ['beforeApplying', 'afterApplying'] as const;

/** An exam. */
export interface ExamNeed {
  /** The lines that require it. */
  lines: string[];
  /** Absent: unknown. */
  when?: (typeof examTimes)[number] | undefined;
  vendor?: string | undefined;
  url?: string | undefined;
  /** The URL of the page that says so. */
  source: string;
}

/** The times at which departments want fingerprints. */
export const fingerprintTimes = [
  'beforeExam',
  'afterExam',
  'beforeApplying',
  'withApplication',
  'afterApplying',
  'onRequest',
] as const;

/** Fingerprints. */
export interface FingerprintNeed {
  /** The lines that require them. Default: all. */
  lines?: string[] | undefined;
  when?: (typeof fingerprintTimes)[number] | undefined;
  vendor?: string | undefined;
  url?: string | undefined;
  /** The code of the service to book. */
  code?: string | undefined;
  /** The price in cents, when it is not part of a fee. */
  cents?: number | undefined;
  /** The URL of the page that says so. */
  source: string;
}

/**
 * The rules of departments for the ways to reach an applicant. `business…`: it may not be left out.
 * `noBusinessBox`: the business address is no post office box. `us…`: all of them are of the United
 * States.
 */
export const contactRules = [
  'businessEmail',
  'businessPhone',
  'businessAddress',
  'noBusinessBox',
  'usPhone',
  'usAddress',
] as const;

/** One of {@link contactRules}. */
export type ContactRule = (typeof contactRules)[number];

/** A rule of a department, which refuses applications that break it. */
export interface ContactNeed {
  rule: ContactRule;
  /** The URL of the page that says so. */
  source: string;
}

/**
 * The rules of departments for a line beside others, held or applied for. `needsAll`, `needsOne`: it
 * needs all of them, or one. `excludes`: it is not granted with one of them.
 */
export const rulesOfOneLine = ['needsAll', 'needsOne', 'excludes'] as const;

/**
 * The rules for all lines. `heldAtHome`: the home state must have granted them. `renewedTogether`:
 * none may be left out at a renewal.
 */
export const rulesOfAllLines = ['heldAtHome', 'renewedTogether'] as const;

/** A rule of a department for the lines of an application, which refuses those that break it. */
export type LineRule = (
  | { rule: (typeof rulesOfOneLine)[number]; line: string; lines: string[] }
  // Without `lines`: for all of them.
  | { rule: (typeof rulesOfAllLines)[number]; lines?: string[] | undefined }
) & {
  /** Default: all. */
  applicationTypes?: string[] | undefined;
  /** The URL of the page that says so. */
  source: string;
};

/** An entry of `jurisdictions.json`. Its provenance applies to everything except the fees. */
export interface Jurisdiction extends Provenance {
  code: StateCode;
  processingFee: ProcessingFee;
  fees: Fee[];
  /** Empty: unknown. */
  linesOfAuthority: LineOfAuthority[];
  /**
   * What the department asks of applicants besides the application: courses, exam and fingerprints
   * for a new license, the rest for each.
   */
  needs: Record<Residency, Needs>;
  department: { name: string; url: string };
}

/** The texts of a follow-up. */
export interface FollowUpTexts {
  label: string;
  hint?: string | undefined;
  /** By the id of the choice. */
  choices?: Record<string, string> | undefined;
}

/** The texts of a question. */
export interface QuestionTexts {
  /** The question, answerable with yes or no. */
  ask: string;
  /** What counts and what does not, as the form says it: a part of the question. */
  scope?: string | undefined;
  /** An explanation of the question, in our own words. */
  help?: string | undefined;
  /**
   * By the id of the follow-up. Takes precedence over the common texts of follow-ups with that id.
   */
  followUps?: Record<string, FollowUpTexts> | undefined;
}

/** The texts of a disclosure. */
export interface DisclosureTexts {
  /** A summary. `{state}` is replaced by the names of the states: "In {state}, …". */
  short: string;
  /** The full text, with `{state}` as above. */
  full: string;
}

/**
 * The texts of a language, one file each in kebab-case: `en/follow-ups.json`. Each file is an
 * object by id.
 */
export interface CatalogueTexts {
  /** The titles of the pages of questions. */
  groups: Record<string, string>;
  questions: Record<string, QuestionTexts>;
  /** The common texts of follow-ups by id, for questions without separate texts. */
  followUps: Record<string, FollowUpTexts>;
  disclosures: Record<string, DisclosureTexts>;
  attestations: Record<string, { statement: string }>;
  linesOfAuthority: Record<string, string>;
  /** The facts that determine fees: "The fee depends on …". */
  feeConditions: Record<string, string>;
  /** The disclosures of a state, by its code. */
  jurisdictions: Record<string, { refundPolicy?: string | undefined }>;
}

/** The contents of a release. */
export interface CatalogueContent {
  release: Release;
  questions: Question[];
  disclosures: Disclosure[];
  attestations: Attestation[];
  jurisdictions: Jurisdiction[];
  texts: Record<Language, CatalogueTexts>;
}
