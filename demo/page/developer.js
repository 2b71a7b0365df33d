// @ts-check
import { showCode } from './developer/code.js';
import { createDesk } from './developer/desk.js';
import { connectDrawer } from './developer/drawer.js';
import { listenToElement } from './developer/element-events.js';
import { addEntry, create } from './developer/log.js';
import { connectSwitches } from './developer/switches.js';
import { createTabs } from './developer/tabs.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const apply = /** @type {HTMLElementTagNameMap['licensing-apply']} */ (document.querySelector('licensing-apply'));

const site = /** @type {HTMLElement} */ (document.querySelector('.site'));
connectDrawer(byId('developer'), byId('drawer-button'), byId('drawer-close'), [site, byId('drawer-button')]);
connectSwitches(/** @type {HTMLFormElement} */ (byId('switches')), apply);
showCode(byId('code-page'), apply);
const tabs = createTabs(/** @type {HTMLElement} */ (document.querySelector('[role="tablist"]')));

// This script comes before the element's, too: else the first of what it tells may be missed.
listenToElement(apply, (entry) => {
  addEntry(byId('events'), entry);
  tabs.countUnseen('tab-events');
});

apply.addEventListener('licensing-statechange', ({ to }) => {
  byId('standing-state').textContent = to;
});
apply.addEventListener('licensing-progress', ({ snapshot }) => {
  byId('standing-step').textContent = `step ${snapshot.index} of ${snapshot.count}, ${snapshot.step}`;
});

// Nothing more to type: the room goes to what happens now. Once, for whoever opens it again wants it open.
apply.addEventListener('licensing-status', () => byId('data').removeAttribute('open'), { once: true });

const desk = createDesk(byId('desk'), byId('desk-problem'), () => apply.snapshot.applicationId);
apply.addEventListener('licensing-status', ({ states }) => desk.show(states));

const feed = new EventSource('/demo/feed');
feed.addEventListener('received', (message) => {
  addEntry(byId('received'), JSON.parse(message.data));
  tabs.countUnseen('tab-backend');
});

byId('new-visitor').addEventListener('click', async () => {
  await fetch('/demo/visitors', { method: 'POST' });
  localStorage.removeItem('application');
  location.reload();
});

/** @type {import('../developer-view.ts').PageFacts} */
const facts = await (await fetch('/demo/facts')).json();
byId('code-backend').textContent = facts.code;
byId('test-ssns').append(...facts.ssns.map(({ ssn, what }) => row(ssn, what)));
byId('test-cards').append(...facts.cards.map(({ number, what }) => row(number, what)));

/**
 * @param {string} value
 * @param {string} what
 */
function row(value, what) {
  return create('tr', create('td', create('code', value)), create('td', what));
}
