// @ts-check
// The user's states on a map of tiles, which fills as departments decide.
const rows = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT ..',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. PR',
];
const names = { CA: 'California', NV: 'Nevada', OR: 'Oregon', TX: 'Texas', WA: 'Washington' };
/** The words for what the map shows of a state. */
const words = {
  licensed: 'licensed',
  pending_review: 'waiting for a decision',
  approved: 'newly licensed',
  denied: 'denied',
  requires_action: 'asks for something',
};

const apply = /** @type {HTMLElementTagNameMap['licensing-apply']} */ (document.querySelector('licensing-apply'));
const map = /** @type {HTMLElement} */ (document.querySelector('.map'));
const licensed = (map.dataset['licensed'] ?? '').split(',');

/** @type {Map<string, HTMLElement>} */
const tiles = new Map();
for (const [row, codes] of rows.entries()) {
  for (const [column, code] of codes.split(' ').entries()) {
    if (code === '..') continue;
    const tile = document.createElement('span');
    tile.textContent = code;
    tile.style.gridArea = `${row + 1} / ${column + 1}`;
    tiles.set(code, tile);
  }
}
map.append(...tiles.values());

function show() {
  /** @type {Record<string, keyof typeof words>} */
  const shown = Object.fromEntries(licensed.map((code) => [code, 'licensed']));
  for (const { state, status } of apply.snapshot.states) {
    if (status in words) shown[state] = /** @type {keyof typeof words} */ (status);
  }
  for (const [code, tile] of tiles) tile.dataset['is'] = shown[code] ?? '';
  map.ariaLabel = Object.entries(shown)
    .map(([code, is]) => `${names[/** @type {keyof typeof names} */ (code)] ?? code}: ${words[is]}`)
    .join(', ');
}

await customElements.whenDefined('licensing-apply');
for (const name of ['licensing-status', 'licensing-statechange']) apply.addEventListener(name, show);
show();
