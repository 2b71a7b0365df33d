// @ts-check

/**
 * One thing that happened.
 * @typedef {object} Entry
 * @property {string} at When, ISO 8601.
 * @property {string} name What, in the words of the code.
 * @property {Fact[]} facts
 */
/**
 * One thing known about it.
 * @typedef {object} Fact
 * @property {string} label
 * @property {string} text
 * @property {'passed' | 'refused'} [verdict] What a check said.
 */

const longest = 200;

/**
 * Puts an entry on top of a list.
 * @param {HTMLElement} list
 * @param {Entry} entry
 */
export function addEntry(list, { at, name, facts }) {
  const time = create('time', new Date(at).toLocaleTimeString('en-GB'));
  time.dateTime = at;
  const head = create('div', create('code', name), time);
  head.className = 'entry-head';
  const item = create('li', head);
  if (facts.length > 0) {
    const details = create('dl', ...facts.map(factRow));
    details.className = 'facts';
    item.append(details);
  }
  list.prepend(item);
  while (list.childElementCount > longest) list.lastElementChild?.remove();
}

/** @param {Fact} fact */
function factRow({ label, text, verdict }) {
  const row = create('div', create('dt', label), create('dd', text));
  if (verdict) row.dataset['verdict'] = verdict;
  return row;
}

/**
 * Makes an element with its contents.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {...(Node | string)} contents
 */
export function create(name, ...contents) {
  const element = document.createElement(name);
  element.append(...contents);
  return element;
}
