import type { Appearance } from '../channel/index.js';

/** The language tag that an element speaks: its own, the one around it, or the browser's. */
export function localeOf(element: Element & { locale: string }): string {
  return element.locale || element.closest<HTMLElement>('[lang]')?.lang || navigator.language;
}

/** What the hosted page is told about how it is shown. */
export function appearanceOf(element: Element & { locale: string; mode: 'modal' | 'inline' }): Appearance {
  // The colours around the element, not the system's: a light page must not get a dark frame because the night has come.
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark');
  return {
    mode: modeOf(element),
    locale: localeOf(element),
    theme: isDark && scheme.includes('light') ? 'auto' : isDark ? 'dark' : 'light',
  };
}

/** The mode, `modal` for everything unknown. */
export function modeOf({ mode }: { mode: string }): 'modal' | 'inline' {
  return mode === 'inline' ? mode : 'modal';
}
