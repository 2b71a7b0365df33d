import type { Language } from '../locales/language.js';

/** The element whose application a popup shows. */
export interface PopupHost extends HTMLElement {
  applicationId: string;
}

const nameKey = 'licensing-apply.popup';
/** The names of the popups that this document has opened. Only those of the document before are found again. */
const usedNames = new Set<string>();

/**
 * Opens a popup that shows its loading state; `null` when the browser, or a script that replaced
 * `window.open`, blocks it. Call it in the task of the user's click, while the session is still
 * being created: a later popup is blocked. It keeps its opener, which is the window that the hosted
 * page connects to. After a reload of this page it returns the popup of before, with its page.
 */
export function openPopup(host: PopupHost, { texts, locale, direction }: Language): Window | null {
  const name = nameOf(host);
  let popup: Window | null = null;
  try {
    // The browser chooses the position and keeps a window of this size on the screen.
    popup = window.open('', usedNames.has(name) ? '' : name, 'popup,width=720,height=920');
    if (!popup) return null;
    usedNames.add(name);
    // Node by node: the empty page has this page's policy, which may forbid markup and inline styles.
    const { document: page } = popup;
    popup.name = name;
    page.title = texts.title;
    page.body.replaceChildren(texts.preparing);
    Object.assign(page.documentElement, { lang: locale, dir: direction });
    page.documentElement.style.cssText = 'color-scheme:light dark;font:1em system-ui;padding:2em';
    return popup;
  } catch (error) {
    // The page of another site, which the hosted application is, is closed to scripts.
    // Blockers and apps replace `window.open`, with one that throws or returns what is no window.
    if ((error as Error).name !== 'SecurityError') return null;
    popup?.focus();
    return popup;
  }
}

/**
 * The name by which the browser finds the popup of an element again. Random for each tab: a site
 * that opened this page could otherwise have a window of that name, and would control the
 * application in it.
 */
function nameOf(host: PopupHost): string {
  try {
    const tab = (sessionStorage[nameKey] ??= crypto.getRandomValues(new Uint32Array(4)).join('')) as string;
    return `${tab}#${host.id || host.applicationId}`;
  } catch {
    // Storage may be forbidden: then each popup is a new one.
    return '';
  }
}
