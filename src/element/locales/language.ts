import { en } from './en.js';
import type { PartialTexts, Texts } from './texts.js';

/** The language of an element. */
export interface Language {
  /** All texts, with those of more general languages in place of missing ones. */
  texts: Texts;
  /** The language tag for the texts, dates and amounts. */
  locale: string;
  /** The direction in which the language is written. */
  direction: 'ltr' | 'rtl';
}

/**
 * The data shared by all copies of this package on a page: registrations may come from another copy
 * than the element.
 */
interface Registry {
  registered: [tag: string, texts: PartialTexts][];
  listeners: Set<() => void>;
}

const key = Symbol.for('licensing-apply.locales');
const rightToLeftScripts = /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/;
const builtIn: [tag: string, texts: Texts][] = [['en', en]];
let loading: Promise<void> | undefined;

/**
 * Returns the language for a tag. Texts of more specific tags override those of more general ones;
 * missing texts are English. The whole language is English when no texts are registered or loaded
 * for the tag.
 */
export function languageFor(tag: string): Language {
  const layers = layersOf(tag);
  const locale = layers.length > 0 ? tag : 'en';
  const direction = rightToLeftScripts.test(new Intl.Locale(locale).maximize().baseName) ? 'rtl' : 'ltr';
  const english = layersOf('en').reduce<Texts>(override, en);
  const fallback = direction === 'rtl' ? (isolate(english) as Texts) : english;
  return { texts: layers.reduce<Texts>(override, fallback), locale, direction };
}

/**
 * Returns the language tag of an element: its own `locale`, else the `lang` around it, else the
 * browser's.
 */
export function localeOf(element: Element & { locale: string }): string {
  // On a server there is no document around the element.
  const around = typeof document === 'undefined' ? undefined : element.closest<HTMLElement>('[lang]');
  for (const name of [element.locale, around?.lang, navigator.language] as string[])
    try {
      // Some backends write `es_MX` for `es-MX`.
      return new Intl.Locale(name.replace(/_/g, '-')).toString();
    } catch {
      // Absent or invalid. WebKitGTK can take the invalid tag `C` from its system.
    }
  return 'en';
}

/**
 * Loads the texts for a tag, if they are not in the first file of the element. Returns `undefined`
 * when there is nothing to load. The promise never rejects: when loading fails, the texts stay
 * English and the next call tries again.
 */
export function loadLanguage(tag: string): Promise<void> | undefined {
  if (new Intl.Locale(tag).language !== 'es' || builtIn.length > 1) return undefined;
  return (loading ??= import('./es.js')
    .then(
      ({ es }) => {
        builtIn.push(['es', es]);
        notify();
      },
      () => undefined,
    )
    .finally(() => (loading = undefined)));
}

/**
 * Adds a language to every `<licensing-apply>` of this page, also to those that are already shown.
 * Missing texts are taken from the more general language, at last from English. Texts for `en` and
 * `es` override the built-in ones.
 *
 * @param tag A language tag, such as `fr` or `fr-CA`. `fr` serves `fr-CA` as well.
 * @param texts The texts. With `satisfies Texts`, a missing text is a type error.
 * @throws RangeError when `tag` is no language tag.
 */
export function registerLocale(tag: string, texts: PartialTexts): void {
  registry().registered.push([new Intl.Locale(tag).baseName, texts]);
  notify();
}

/**
 * Calls `onChange` after each registration and whenever a `lang` attribute of the document changes.
 * Returns the function that ends this.
 */
export function observeLanguages(onChange: () => void): () => void {
  const { listeners } = registry();
  const observer = new MutationObserver(onChange);
  observer.observe(document, { subtree: true, attributeFilter: ['lang'] });
  listeners.add(onChange);
  return () => {
    observer.disconnect();
    listeners.delete(onChange);
  };
}

function registry(): Registry {
  const page = globalThis as { [key]?: Registry | undefined };
  return (page[key] ??= { registered: [], listeners: new Set() });
}

function notify(): void {
  for (const listener of registry().listeners) listener();
}

/** The texts that apply to a tag, the most general first; built-in texts before registered ones. */
function layersOf(tag: string): PartialTexts[] {
  const { baseName } = new Intl.Locale(tag);
  return [...builtIn, ...registry().registered]
    .filter(([known]) => `${baseName}-`.startsWith(`${known}-`))
    .sort(([one], [other]) => one.length - other.length)
    .map(([, texts]) => texts);
}

/**
 * Texts of another type than the text they override are ignored: pages without TypeScript make such
 * mistakes.
 */
function override<Below extends object>(below: Below, above: object): Below {
  const texts = { ...below } as Record<string, unknown>;
  for (const [name, text] of Object.entries(above) as [string, unknown][]) {
    const replaced = texts[name];
    if (isGroup(text) && isGroup(replaced)) texts[name] = override(replaced, text);
    else if (typeof text === typeof replaced && !isGroup(replaced)) texts[name] = text;
  }
  return texts as Below;
}

/**
 * Marks English texts in a right-to-left layout: otherwise their full stop would stand before their
 * first word.
 */
function isolate(text: unknown): unknown {
  if (typeof text === 'string') return `\u2066${text}\u2069`;
  if (isGroup(text)) return Object.fromEntries(Object.entries(text).map(([name, each]) => [name, isolate(each)]));
  return (values: unknown) => isolate((text as (values: unknown) => string)(values));
}

function isGroup(text: unknown): text is object {
  return typeof text === 'object' && text !== null;
}
