import type { Language } from '../../contract/index.js';
import { longTime } from './page-context.js';
import { html, type Html } from '../pages/html.js';

/**
 * A time, written in UTC, which the script shows in the user's time zone. `isLinkEnd`: whether it
 * is the expiry of the link, which the script updates for a new link.
 */
export function localTime(date: Date, language: Language, isLinkEnd = false): Html {
  return html`<time datetime="${date.toISOString()}" data-local ${isLinkEnd && html`data-link-end`}
    >${longTime(date, language)}</time
  >`;
}
