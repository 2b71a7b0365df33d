import type { Texts } from './texts.js';
import { languages } from './languages.js';
import type { TaggedText } from './phrase.js';
import type { Translation } from './translation.js';

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
  const english: Readonly<Record<string, unknown>> = { ...translations.get('en') };
  const said: Partial<Translation> = { ...english };
  let locale = 'en';
  const { baseName } = new Intl.Locale(tag);
  // In the order of the alphabet the more general tag is the earlier one.
  for (const [known, translation] of [...translations].sort()) {
    if (!`${baseName}-`.startsWith(`${known}-`)) continue;
    Object.assign(said, translation);
    locale = tag;
  }
  const direction = rightToLeft.test(new Intl.Locale(locale).maximize().baseName) ? 'rtl' : 'ltr';
  const spoken = Object.entries(said).map(([id, text]) => {
    const isForeign = direction === 'rtl' && text === english[id];
    return [id, speak(text, locale, isForeign ? fromLeftToRight : String)];
  });
  // English has all of them, and each has the signature that its type says.
  return { texts: Object.fromEntries(spoken) as Texts, locale, direction };
}

function speak(
  text: string | TaggedText | ((...values: never[]) => string),
  locale: string,
  write: (text: string) => string,
): unknown {
  if (typeof text === 'string') return write(text);
  return (...values: { toLocaleString(locale: string): string }[]) =>
    write(
      typeof text === 'function'
        ? text(...(values as never[]))
        : String.raw(
            { raw: text.strings },
            ...text.values.map((index) => values[index as number]?.toLocaleString(locale)),
          ),
    );
}

/** English where the rest runs the other way: without these marks its full stop would stand before its first word. */
function fromLeftToRight(text: string): string {
  return `\u2066${text}\u2069`;
}
