// @ts-check
// @ts-expect-error The backend makes this file of what the package says: see developer-view.ts.
import { eventNames } from '/demo/event-names.js';

/** @typedef {import('./log.js').Fact} Fact */

/**
 * Reports each event of the element as an entry for the log.
 * @param {HTMLElement} element
 * @param {(entry: import('./log.js').Entry) => void} report
 */
export function listenToElement(element, report) {
  for (const name of eventNames) {
    element.addEventListener(name, (event) => {
      const own = Object.entries(event).filter(([key]) => key !== 'isTrusted' && key !== 'handled');
      report({ at: new Date().toISOString(), name, facts: own.flatMap(([key, value]) => factsOf(key, value)) });
    });
  }
}

/**
 * @param {string} label
 * @param {unknown} value
 * @returns {Fact[]}
 */
function factsOf(label, value) {
  if (value === undefined || value === null || typeof value === 'function') return [];
  if (Array.isArray(value)) return value.length > 0 ? [{ label, text: value.map(shortened).join(', ') }] : [];
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, inner]) => factsOf(key, inner));
  return [{ label, text: withoutCapability(String(value)) }];
}

/** @param {unknown} item */
function shortened(item) {
  if (typeof item !== 'object' || item === null) return String(item);
  const { state, status } = /** @type {{ state?: string, status?: string }} */ (item);
  return [state, status].filter(Boolean).join(' ');
}

/**
 * Whoever holds an address of the application can act as the user, so it is not shown, here as anywhere.
 * @param {string} text
 */
function withoutCapability(text) {
  return URL.canParse(text) && /^https?:/.test(text) ? `${new URL(text).origin}/…` : text;
}
