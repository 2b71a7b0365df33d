import type { Problem } from '../check.js';
import type { topics, TopicId } from '../topics.js';

/** The words of one field. */
export interface FieldTexts {
  label: string;
  hint?: string;
  /** The message when the field is empty. */
  missing: string;
  /** What to do about something else. Default: `missing`. */
  problems?: Partial<Record<Problem, string>>;
  /** The values of a choice. */
  choices?: Readonly<Record<string, string>>;
}

/** The words of one topic. */
export interface TopicTexts<Id extends TopicId = TopicId> {
  title: string;
  /** A sentence below the title. */
  lead?: string;
  fields: { [Name in keyof (typeof topics)[Id]['fields']]: FieldTexts };
}

/** The words of everything that the profile step asks. The compiler names what a translation lacks. */
export type ProfileTexts = { [Id in TopicId]: TopicTexts<Id> };

/** The topics that are about the person. */
type PersonId = 'names' | 'about' | 'contact' | 'home' | 'business' | 'mailing' | 'citizenship' | 'work';
/** Their words. */
export type PersonTexts = Pick<ProfileTexts, PersonId>;
/** The words of all other topics. */
export type LicenseTexts = Omit<ProfileTexts, PersonId>;
