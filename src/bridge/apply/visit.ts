import {
  spanishStateNames,
  stateNames,
  type ApplicationStatus,
  type Language,
  type Progress,
} from '../../contract/index.js';
import type { ApplySession } from '../domain/apply/session.js';
import type { ApplyAssets } from './assets.js';
import type { Ending } from './ending.js';
import type { Texts } from './texts/index.js';

/** How far the application is, as the script tells the element. */
export interface PageSnapshot extends Progress {
  dirty: boolean;
  savedAt?: string | undefined;
  states: { state: string; status: ApplicationStatus }[];
}

/** What any page needs, also one without an application. */
export interface PageVisit {
  texts: Texts;
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  /** Whether the page is shown in a frame, where the element has a header of its own. */
  isFramed: boolean;
  assets: ApplyAssets;
  /** The host's name, as the user finds it in the address bar. */
  host: string;
  /** The page in the other language. */
  otherLanguageHref?: string | undefined;
  /** The partner, where it is known. */
  agencyName?: string | undefined;
  isTest: boolean;
  /** What the script tells the element, and to which origins. Only pages of a known application have it. */
  channel?: { origins: string[]; snapshot: PageSnapshot; ending?: Ending } | undefined;
}

/** A visit to an application. */
export interface Visit extends PageVisit {
  token: string;
  session: ApplySession;
  agencyName: string;
  /** Whether the user came from the review to change something, and goes back there. */
  isChange: boolean;
  /** The query that carries the choices of display, "" when there are none. */
  query: string;
  /** The path of a page of this application, with the choices of display that ride in the query. */
  path(to: string): string;
  /** As {@link Visit.path}, and back to the review afterwards. */
  changePath(to: string): string;
}

/** The full name of a state. */
export function stateName(code: string, language: Language): string {
  const names: Readonly<Record<string, string>> = language === 'es' ? spanishStateNames : stateNames;
  return names[code] ?? code;
}

/** US dollars. */
export function dollars(cents: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** A day, such as March 3, 2027. */
export function longDate(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** A day and a time in UTC. */
export function longTime(date: Date, language: Language): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), options).format(date)} UTC`;
}

/** Names in a sentence: Texas and California. */
export function listed(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names);
}

function localeOf(language: Language): string {
  return `${language}-US`;
}
