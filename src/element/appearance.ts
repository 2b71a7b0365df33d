import type { Appearance } from '../channel/index.js';
import type { OpenMode } from './mode.js';

/** The language tag that an element speaks: its own, the one around it, or the browser's. */
export function localeOf(element: Element & { locale: string }): string {
  // On a server there is nothing around it.
  const around = typeof document === 'undefined' ? undefined : element.closest<HTMLElement>('[lang]');
  return [element.locale, around?.lang, navigator.language].find(isLanguageTag) ?? 'en';
}

/** Whether dates and numbers can be written in it. `en_US` cannot, nor can the `C` that WebKitGTK takes from its system: they throw. */
function isLanguageTag(tag = ''): boolean {
  try {
    return !!new Intl.Locale(tag);
  } catch {
    return false;
  }
}

/** What the hosted page is told about how it is shown. */
export function appearanceOf(element: Element & { locale: string }, mode: OpenMode): Appearance {
  // The colours around the element, not the system's: a light page must not get a dark frame because the night has come.
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark');
  return {
    mode,
    locale: localeOf(element),
    theme: isDark && scheme.includes('light') ? 'auto' : isDark ? 'dark' : 'light',
  };
}
