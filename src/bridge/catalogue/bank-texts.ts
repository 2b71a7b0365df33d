import type { AttestationId, DisclosureId } from './disclosures.js';
import type { QuestionId } from './questions.js';

/** The words of the question bank. */
export type QuestionTexts = Record<
  QuestionId,
  {
    /** The question, answerable with yes or no. */
    ask: string;
    /** What counts and what does not. */
    help: string;
  }
>;

/** The words of the disclosures, by the name of a state. */
export type DisclosureTexts = Record<
  DisclosureId,
  {
    /** Plain words. */
    short: (state: string) => string;
    /** The full sentence below them. */
    full: (state: string) => string;
  }
>;

/** The words of the statements below which a user signs. */
export type AttestationTexts = Record<AttestationId, string>;
