import type { Language } from '../../../contract/index.js';
import { en } from './en/index.js';
import type { Texts } from './texts.js';

export type { Texts } from './texts.js';

const languages: Partial<Record<Language, Texts>> = { en };

/** The languages that the application speaks. */
export const languagesSpoken = Object.keys(languages) as Language[];

/** The words in a language. */
export function textsIn(language: Language): Texts {
  return languages[language] ?? en;
}
