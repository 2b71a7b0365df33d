import type { Language, StateCode } from '../../contract/index.js';

/** The languages that every release has texts in. */
export const catalogueLanguages = ['en', 'es'] as const satisfies readonly Language[];

/** Where a fact of the catalogue comes from. */
export interface Provenance {
  /** The document or page that says so, or how the value was made up. */
  source: string;
  /** The day from which it holds, `YYYY-MM-DD`. */
  effective: string;
  /** Whether it was not verified with the department. A live session is refused while a fee that it needs is one. */
  sample: boolean;
}

/** `release.json`: which release of the catalogue a folder is. */
export interface Release {
  /** Names the release for good: `2026.11.1`. Another content needs another version. */
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`, in UTC. */
  effective: string;
  /** What changed, for the operator. */
  notes: string;
  /** The license types that fees are listed for, by exact slug. Other slugs get the line whose type is `*`. */
  offers: {
    /** Such as `new`. */
    applicationTypes: string[];
    /** Such as `life_health`. */
    licenseTypes: string[];
  };
}

/** Where something is asked. Absent: everywhere. All that are present must match. */
export interface AppliesTo {
  /** At least one of these states is applied for. */
  states?: StateCode[] | undefined;
  /** The license type, or one of its parts, is one of these: `life_health` has the parts `life` and `health`. */
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

/** What a "yes" asks for. */
export interface FollowUp {
  /** Unique within the question. */
  id: string;
  /**
   * `date`: a day. `month`: a month of a year. `money`: US dollars and cents. `number`: a whole number. `text`: one line.
   * `longText`: a paragraph. `state`: a state code. `place`: a city, court or country in words. `choice`: one of `choices`.
   * `document`: a file that is uploaded in the step of documents.
   */
  type: FollowUpType;
  required: boolean;
  /** Of `text`, `longText` and `place`, in characters. Default: 200, of `longText` 2,000, which is the most that a form takes. */
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
  /** The page that it is on. Pages come in the order in which the file first names them. */
  group: string;
  appliesTo: AppliesTo;
  /** Asked only below a "yes" to that question, which is in the same group and earlier in the file. */
  after?: { question: string; answer: 'yes' } | undefined;
  followUps: FollowUp[];
}

/** An entry of `disclosures.json`. */
export interface Disclosure extends Provenance {
  id: string;
  /** `shared`: one text for all states. `state`: names the states that it applies to, by `{state}` in its texts. */
  kind: 'shared' | 'state';
  appliesTo: AppliesTo;
}

/** An entry of `attestations.json`: a statement below which a user signs. */
export interface Attestation extends Provenance {
  id: string;
  appliesTo: AppliesTo;
}

/** How a state sees an applicant. */
export const residencies = ['resident', 'nonResident'] as const;

/** One of {@link residencies}. */
export type Residency = (typeof residencies)[number];

/** What one application costs in one state. */
export interface Fee extends Provenance {
  /** A slug, or `*` for all that have no line of their own. */
  applicationType: string;
  /** A slug, or `*` for all that have no line of their own. */
  licenseType: string;
  /** Whom it is for: those whose home state this is, or all others. Absent: everybody who has no line of their own. */
  residency?: Residency | undefined;
  /** What the department charges, in cents. */
  stateFeeCents: number;
  /** What processing costs, in cents. */
  processingFeeCents: number;
}

/** A line of authority that a state offers. */
export interface LineOfAuthority {
  /** Such as `life`; its name is in the texts. */
  id: string;
  /** The license types that it belongs to, matched as in {@link AppliesTo}. */
  licenseTypes: string[];
}

/** An entry of `jurisdictions.json`. Its own provenance is that of everything but the fees. */
export interface Jurisdiction extends Provenance {
  code: StateCode;
  fees: Fee[];
  linesOfAuthority: LineOfAuthority[];
  /** What the state asks of its residents only. */
  residentNeeds: {
    fingerprints?: { vendor?: string | undefined; url?: string | undefined; code?: string | undefined } | undefined;
    education?: { hours: number } | undefined;
    exam?: { vendor?: string | undefined; url?: string | undefined } | undefined;
  };
  department: { name: string; url: string };
}

/** The words of a follow-up. */
export interface FollowUpTexts {
  label: string;
  hint?: string | undefined;
  /** By the id of the choice. */
  choices?: Record<string, string> | undefined;
}

/** The words of a question. */
export interface QuestionTexts {
  /** The question, answerable with yes or no. */
  ask: string;
  /** What counts and what does not. */
  help?: string | undefined;
  /** By the id of the follow-up. Takes precedence over the texts of all follow-ups of that id. */
  followUps?: Record<string, FollowUpTexts> | undefined;
}

/** The words of a disclosure. */
export interface DisclosureTexts {
  /** Plain words. `{state}` is replaced by the name of the state, or by several: "In {state}, …". */
  short: string;
  /** The full sentence below them, with `{state}` alike. */
  full: string;
}

/** The words of one language, one file each in kebab-case: `en/follow-ups.json`. Each file is an object by id. */
export interface CatalogueTexts {
  /** The titles of the pages of questions. */
  groups: Record<string, string>;
  questions: Record<string, QuestionTexts>;
  /** The words of all follow-ups of an id whose question has none of its own for it. */
  followUps: Record<string, FollowUpTexts>;
  disclosures: Record<string, DisclosureTexts>;
  attestations: Record<string, { statement: string }>;
  linesOfAuthority: Record<string, string>;
  /** What a state wants to be said, by its code. */
  jurisdictions: Record<string, { refundPolicy?: string | undefined; residents?: string | undefined }>;
}

/** Everything that a release says. */
export interface CatalogueContent {
  release: Release;
  questions: Question[];
  disclosures: Disclosure[];
  attestations: Attestation[];
  jurisdictions: Jurisdiction[];
  texts: Record<Language, CatalogueTexts>;
}
