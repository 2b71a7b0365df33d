// @ts-check

/** Where each state stands in the grid: one text a row, two letters a tile, dots where there is sea or a neighbour. */
const rows = [
  'AK ·· ·· ·· ·· ·· ·· ·· ·· ·· ME',
  '·· ·· ·· ·· ·· ·· ·· ·· ·· VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT ··',
  'CA UT CO NE MO KY WV VA MD DE ··',
  '·· AZ NM KS AR TN NC SC DC ·· ··',
  '·· ·· ·· OK LA MS AL GA ·· ·· ··',
  'HI ·· ·· TX ·· ·· ·· ·· FL ·· ··',
];
const pitch = 32;
const size = 28;

/**
 * Draws the tile map of the states.
 * @param {SVGElement} map
 * @param {Record<string, string>} kinds What is known of a state, by its code: the tile's `data-kind`.
 */
export function drawMap(map, kinds) {
  const tiles = rows.flatMap((row, y) => row.split(' ').map((state, x) => ({ state, x, y })));
  for (const { state, x, y } of tiles.filter((tile) => tile.state !== '··')) {
    const tile = create('g', { class: 'tile', transform: `translate(${x * pitch} ${y * pitch})` });
    tile.dataset['state'] = state;
    if (kinds[state]) tile.dataset['kind'] = kinds[state];
    const name = create('text', { x: size / 2, y: size / 2 });
    name.textContent = state;
    tile.append(create('rect', { x: 0.5, y: 0.5, width: size - 1, height: size - 1, rx: 4 }), name);
    map.append(tile);
  }
}

/**
 * Shows another kind at one state.
 * @param {SVGElement} map
 * @param {string} state
 * @param {string} kind
 */
export function markState(map, state, kind) {
  const tile = map.querySelector(`[data-state="${CSS.escape(state)}"]`);
  if (tile instanceof SVGElement) tile.dataset['kind'] = kind;
}

/**
 * @param {'g' | 'rect' | 'text'} name
 * @param {Record<string, string | number>} attributes
 */
function create(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
