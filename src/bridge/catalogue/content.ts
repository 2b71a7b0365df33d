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
}

/** `release.json`: the release of a folder. */
export interface Release {
  /** The permanent version of the release: `2026.11.1`. Other content needs another version. */
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`, in UTC. */
  effective: string;
  /** The changes, for the operator. */
  notes: string;
  /**
   * The license types with separate fees, by exact slug. Other slugs use the line with the type
   * `*`.
   */
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

/** The fee of an application in a state. */
export interface Fee extends Provenance {
  /** A slug, or `*` for all without a separate line. */
  applicationType: string;
  /** A slug, or `*` for all without a separate line. */
  licenseType: string;
  /** The residency of the applicants. Absent: all applicants without a separate line. */
  residency?: Residency | undefined;
  /** The fee of the department, in cents. */
  stateFeeCents: number;
  /** The processing fee, in cents. */
  processingFeeCents: number;
}

/** A line of authority that a state offers. */
export interface LineOfAuthority {
  /** Such as `life`; its name is in the texts. */
  id: string;
  /** Its license types, matched as in {@link AppliesTo}. */
  licenseTypes: string[];
}

/** An entry of `jurisdictions.json`. Its provenance applies to everything except the fees. */
export interface Jurisdiction extends Provenance {
  code: StateCode;
  fees: Fee[];
  linesOfAuthority: LineOfAuthority[];
  /** The requirements for residents only. */
  residentNeeds: {
    fingerprints?: { vendor?: string | undefined; url?: string | undefined; code?: string | undefined } | undefined;
    education?: { hours: number } | undefined;
    exam?: { vendor?: string | undefined; url?: string | undefined } | undefined;
  };
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
  /** An explanation of the question. */
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
  /** The disclosures of a state, by its code. */
  jurisdictions: Record<string, { refundPolicy?: string | undefined; residents?: string | undefined }>;
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
