import { type Appearance, coreLocale } from '../../channel/index.js';
import { localeOf } from '../locales/language.js';
import type { OpenMode } from '../modes.js';

/** Returns the appearance for the hosted page, from the element and its surroundings. */
export function appearanceOf(element: Element & { locale: string }, mode: OpenMode): Appearance {
  // The color-scheme around the element, not the system's: a light page must not get a dark frame.
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark');
  return {
    mode,
    locale: coreLocale(localeOf(element)),
    theme: isDark && scheme.includes('light') ? 'auto' : isDark ? 'dark' : 'light',
  };
}
