// @ts-check
// Lists the events of the element and what the backend received. The module comes before the element's: no event is missed.
// @ts-expect-error view.ts generates this module.
import { facts } from '/developer/facts.js';

const timeline = /** @type {HTMLElement} */ (document.querySelector('#timeline'));

for (const name of facts.eventNames) {
  document.addEventListener(name, (event) => addEntry('page', { name, at: new Date().toISOString(), facts: event }));
}

const backend = new EventSource('/developer/timeline');
// The stream starts with everything again after a reconnection.
backend.addEventListener('open', () =>
  timeline.querySelectorAll('[data-source=backend]').forEach((row) => row.remove()),
);
backend.addEventListener('message', ({ data }) => addEntry('backend', JSON.parse(data)));

for (const { ssn, number, what } of [...facts.testSsns, ...facts.testCards]) {
  document.querySelector('#test-data')?.append(create('dt', ssn ?? number), create('dd', what));
}

/**
 * @param {'page' | 'backend'} source
 * @param {{ name: string, at: string, facts: object }} entry
 */
function addEntry(source, { name, at, facts }) {
  const time = create('time', new Date(at).toLocaleTimeString('en-GB'));
  const row = create('li', create('strong', name), time, create('span', textOf(facts)));
  row.dataset['source'] = source;
  timeline.prepend(row);
}

/**
 * URLs of the application are capabilities: they are not shown.
 * @param {object} facts
 * @returns {string}
 */
function textOf(facts) {
  return Object.entries(facts)
    .filter(([name, value]) => value != null && name !== 'isTrusted' && !/function|symbol/.test(typeof value))
    .map(([name, value]) => (typeof value === 'object' ? textOf(value) : `${name}: ${value}`))
    .filter((text) => text && !text.includes('://'))
    .join(' · ');
}

/**
 * @param {string} name
 * @param {(string | Node)[]} contents
 */
function create(name, ...contents) {
  const element = document.createElement(name);
  element.append(...contents);
  return element;
}
