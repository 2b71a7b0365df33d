// @ts-check
import { drawMap, markState } from './map.js';

const map = /** @type {SVGElement} */ (document.querySelector('#map'));
const apply = /** @type {import('licensing-apply').LicensingApply} */ (document.querySelector('licensing-apply'));

drawMap(map, { OR: 'licensed', WA: 'licensed', NV: 'licensed', TX: 'applying', CA: 'applying' });

// All that this page does with the element: it shows on the map what the states decide.
apply.addEventListener('licensing-status', ({ states }) => {
  for (const { state, status } of states) markState(map, state, status);
});
