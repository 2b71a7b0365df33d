import type { ApplicationSnapshot } from '../status/snapshot.js';
import type { Texts } from './texts.js';

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
