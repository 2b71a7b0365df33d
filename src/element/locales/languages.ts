import { templates as english } from './en.js';
import { templates as spanish } from './es.js';
import type { Translation } from './translation.js';

/** What a page has been taught. */
interface Languages {
  /** The translations by their language tags. */
  translations: Map<string, Partial<Translation>>;
  /** The elements that are in the page. */
  speakers: Set<Speaker>;
}

/** What speaks another language when it renders again. */
interface Speaker {
  requestUpdate(): void;
}

const key = Symbol.for('licensing-apply.languages');

/** One for the page: of two copies of this package, the one that is taught need not be the one that registered the element. */
export function languages(): Languages {
  const page = globalThis as { [key]?: Languages | undefined };
  return (page[key] ??= {
    translations: new Map<string, Partial<Translation>>([
      ['en', english],
      ['es', Object.fromEntries(Object.keys(english).map((id, index) => [id, spanish[index]]))],
    ]),
    speakers: new Set<Speaker>(),
  });
}

/**
 * Teaches every `<licensing-apply>` of this page a language, those included that are shown already. What is missing is said as in the more
 * general language, at last in English. What is given for `en` and `es`, which are there from the start, goes before that.
 *
 * @param locale A language tag, such as `fr` or `fr-CA`. `fr` serves a page in `fr-CA` as well.
 * @param translation The texts. Declared as {@link Translation}, the compiler says which are missing.
 * @throws RangeError when `locale` is no language tag.
 */
export function registerLocale(locale: string, translation: Partial<Translation>): void {
  const { translations, speakers } = languages();
  const { baseName } = new Intl.Locale(locale);
  translations.set(baseName, { ...translations.get(baseName), ...translation });
  for (const speaker of speakers) speaker.requestUpdate();
}
