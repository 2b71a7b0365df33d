import { stateNames } from '../../contract/index.js';
import type { ApplicationSnapshot } from '../status/snapshot.js';
import type { Texts } from './texts.js';

/** The full name of a state; its code where the name is not known. */
export function stateName(state: string): string {
  return (stateNames as Readonly<Record<string, string>>)[state] ?? state;
}

/** Such as "Step 3 of 6 · Background questions"; "" before the application was opened. */
export function stepLine(texts: Texts, { step, index, count }: ApplicationSnapshot): string {
  const name = texts[`step_${step}`];
  if (step === 'submitted') return name;
  return index && count ? texts.step(index, count, name) : '';
}

/** An amount in US dollars, as whoever speaks the language writes it in the United States. */
export function amountOf(dollars: number, locale: string): string {
  return dollars.toLocaleString(new Intl.Locale(locale, { region: 'US' }), { style: 'currency', currency: 'USD' });
}
