import { type Appearance, coreLocale } from '../../channel/index.js';
import { localeOf } from '../locales/locale.js';
import type { OpenMode } from '../mode.js';

/** What the hosted page is told about how it is shown. */
export function appearanceOf(element: Element & { locale: string }, mode: OpenMode): Appearance {
  // The colours around the element, not the system's: a light page must not get a dark frame because the night has come.
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark');
  return {
    mode,
    locale: coreLocale(localeOf(element)),
    theme: isDark && scheme.includes('light') ? 'auto' : isDark ? 'dark' : 'light',
  };
}
