import type { Language } from '../locales/language.js';

/**
 * Opens a window that says what it waits for; `null` when the browser blocks it. To be called in the task of the user's click,
 * while the session is still on its way: a window that is opened later is blocked. It keeps its opener, because that is
 * whom the hosted page talks to.
 */
export function openPopup({ texts, locale, direction }: Language): Window | null {
  // The browser finds its place, and keeps it on the screen, whatever is left of 920 pixels there.
  const popup = window.open('', '_blank', 'popup,width=720,height=920');
  if (popup) {
    // Node by node: the empty page has this page's policy, which may forbid markup and inline styles.
    const { document: page } = popup;
    page.title = texts.title;
    page.body.append(texts.preparing);
    Object.assign(page.documentElement, { lang: locale, dir: direction });
    page.documentElement.style.cssText = 'color-scheme:light dark;font:1em system-ui;padding:2em';
  }
  return popup;
}
