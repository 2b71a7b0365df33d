import { stateNames } from '../contract/index.js';
import type { ApplicationSnapshot, StateSnapshot } from './snapshot.js';
import type { Texts } from './texts.js';

/** The full name of a state; its code where the name is not known. */
export function stateName(state: string): string {
  return (stateNames as Readonly<Record<string, string>>)[state] ?? state;
}

/** The name of a status. A status that is newer than this build is shown as it came, in words. */
export function statusName(texts: Texts, { status }: StateSnapshot): string {
  return (texts.names.statuses as Readonly<Record<string, string>>)[status] ?? status.replaceAll('_', ' ');
}

/** Such as "Step 3 of 6 · Background questions"; "" before the application was opened. */
export function stepLine(texts: Texts, { step, index, count }: ApplicationSnapshot): string {
  const name = texts.names.steps[step];
  if (step === 'submitted') return name;
  return index && count ? texts.step(index, count, name) : '';
}

/** A day, such as "Nov 20, 2026". */
export function dateOf(moment: string, locale: string): string {
  return formatted(moment, locale, { dateStyle: 'medium' });
}

/** A time of day, such as "2:02 PM". */
export function timeOf(moment: string, locale: string): string {
  return formatted(moment, locale, { timeStyle: 'short' });
}

function formatted(moment: string, locale: string, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  // A backend may send anything: what is no date is left out, it must not break the list.
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(locale, style);
}

/** An amount in US dollars. */
export function amountOf(dollars: number, locale: string): string {
  return dollars.toLocaleString(locale, { style: 'currency', currency: 'USD' });
}
