import type { Language } from '../locales/language.js';

/**
 * Opens a popup that shows its loading state; `null` when the browser, or a script that replaced
 * `window.open`, blocks it. Call it in the task of the user's click, while the session is still
 * being created: a later popup is blocked. It keeps its opener, which is the window that the hosted
 * page connects to.
 */
export function openPopup({ texts, locale, direction }: Language): Window | null {
  try {
    // The browser chooses the position and keeps a window of this size on the screen.
    const popup = window.open('', '_blank', 'popup,width=720,height=920');
    if (!popup) return null;
    // Node by node: the empty page has this page's policy, which may forbid markup and inline styles.
    const { document: page } = popup;
    page.title = texts.title;
    page.body.append(texts.preparing);
    Object.assign(page.documentElement, { lang: locale, dir: direction });
    page.documentElement.style.cssText = 'color-scheme:light dark;font:1em system-ui;padding:2em';
    return popup;
  } catch {
    // Blockers and apps replace `window.open`, with one that throws or returns what is no window.
    return null;
  }
}
