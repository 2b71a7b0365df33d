import type { Problem } from '../check.js';
import type { topics, TopicId } from '../topics.js';

/** The texts of one field. */
export interface FieldTexts {
  label: string;
  hint?: string;
  /** The message when the field is empty. */
  missing: string;
  /** The message for any other problem. Default: `missing`. `{states}` is replaced by their names. */
  problems?: Partial<Record<Problem, string>>;
  /** The values of a choice. */
  choices?: Readonly<Record<string, string>>;
}

/** The texts of one topic. */
export interface TopicTexts<Id extends TopicId = TopicId> {
  title: string;
  /** A sentence below the title. */
  lead?: string;
  fields: { [Name in keyof (typeof topics)[Id]['fields']]: FieldTexts };
}

/** The texts of the profile step. The compiler reports missing translations. */
export type ProfileTexts = { [Id in TopicId]: TopicTexts<Id> };

/** The topics about the person. */
type PersonId = 'names' | 'about' | 'contact' | 'home' | 'business' | 'mailing' | 'citizenship' | 'work';
/** Their texts. */
export type PersonTexts = Pick<ProfileTexts, PersonId>;
/** The texts of all other topics. */
export type LicenseTexts = Omit<ProfileTexts, PersonId>;
