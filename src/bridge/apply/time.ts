import type { Language } from '../../contract/index.js';
import { longTime } from './page-context.js';
import { html, type Html } from '../pages/html.js';

/**
 * A moment. It is written in UTC, and the script shows it in the user's own time zone. `isLinkEnd`: whether it is when the link ends,
 * which the script changes when the link is renewed.
 */
export function localTime(date: Date, language: Language, isLinkEnd = false): Html {
  return html`<time datetime="${date.toISOString()}" data-local ${isLinkEnd && html`data-link-end`}
    >${longTime(date, language)}</time
  >`;
}
