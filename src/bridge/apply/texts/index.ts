import type { Language } from '../../../contract/index.js';
import { en } from './en.js';
import { es } from './es.js';
import type { Texts } from './en.js';

export type { Texts } from './en.js';

const languages: Record<Language, Texts> = { en, es };

/** The languages of the application. */
export const languagesSpoken = Object.keys(languages) as Language[];

/** The texts in a language. */
export function textsIn(language: Language): Texts {
  return languages[language];
}
