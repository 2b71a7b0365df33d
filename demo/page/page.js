// @ts-check
import { drawMap, markState } from './map.js';

const map = /** @type {SVGElement} */ (document.querySelector('#map'));
const apply = /** @type {HTMLElementTagNameMap['licensing-apply']} */ (document.querySelector('licensing-apply'));

drawMap(map, { OR: 'licensed', WA: 'licensed', NV: 'licensed', TX: 'applying', CA: 'applying' });

// What a site with a database renders into its page: the application that this user began earlier. This script comes before
// the element's, so that the element finds it at once.
const begun = localStorage.getItem('application');
if (begun) {
  apply.setAttribute('application-id', begun);
  apply.setAttribute('status-url', `/licensing/applications/${begun}`);
  apply.setAttribute('events-url', `/licensing/applications/${begun}/events`);
}
apply.addEventListener('licensing-progress', ({ snapshot }) => {
  localStorage.setItem('application', snapshot.applicationId);
});

apply.addEventListener('licensing-status', ({ states }) => {
  for (const { state, status } of states) markState(map, state, status);
});
