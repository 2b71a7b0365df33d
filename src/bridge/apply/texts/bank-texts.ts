import type { DisclosureId } from '../../domain/apply/disclosures.js';
import type { QuestionId } from '../../domain/apply/questions.js';

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
