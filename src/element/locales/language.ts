import type { Texts } from '../texts.js';
import { languages } from './languages.js';
import type { TaggedText } from './phrase.js';

/** What an element speaks. */
export interface Language {
  texts: Texts;
  /** The tag of the language that the texts are in, for dates and amounts as well. */
  locale: string;
  /** Which way it is written. */
  direction: 'ltr' | 'rtl';
}

const rightToLeft = /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/;

/** The language for a tag: the texts of each more special tag go before those of the more general ones; English when nobody taught it. */
export function languageFor(tag: string): Language {
  const { translations } = languages();
  const said = { ...translations.get('en') };
  let locale = 'en';
  const { baseName } = new Intl.Locale(tag);
  // In the order of the alphabet the more general tag is the earlier one.
  for (const [known, translation] of [...translations].sort()) {
    if (!`${baseName}-`.startsWith(`${known}-`)) continue;
    Object.assign(said, translation);
    locale = tag;
  }
  return {
    // English has all of them, and each has the signature that its type says.
    texts: Object.fromEntries(Object.entries(said).map(([id, text]) => [id, spoken(text, locale)])) as unknown as Texts,
    locale,
    direction: rightToLeft.test(new Intl.Locale(locale).maximize().baseName) ? 'rtl' : 'ltr',
  };
}

function spoken(text: string | TaggedText | ((...values: never[]) => string), locale: string): unknown {
  if (typeof text !== 'object') return text;
  return (...values: { toLocaleString(locale: string): string }[]) =>
    String.raw({ raw: text.strings }, ...text.values.map((index) => values[index as number]?.toLocaleString(locale)));
}
