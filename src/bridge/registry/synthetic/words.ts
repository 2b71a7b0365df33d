import { type StateCode, stateCodes } from '../../../contract/index.js';
import type { Prng } from './prng.js';

// Names of stones, plants and colors, combined with endings of fictional places: plausible, and of
// no real person.

/** Given names. */
// prettier-ignore
export const givenNames = [
  'Agate', 'Amber', 'Aspen', 'Basil', 'Beryl', 'Bramble', 'Calla', 'Cedar', 'Clover', 'Cobalt', 'Coral', 'Cosmos', 'Dahlia',
  'Ember', 'Fennel', 'Fern', 'Flint', 'Garnet', 'Ginger', 'Hazel', 'Heather', 'Indigo', 'Iris', 'Ivory', 'Jade', 'Jasper',
  'Juniper', 'Larch', 'Laurel', 'Lilac', 'Linden', 'Maple', 'Marble', 'Marigold', 'Mint', 'Myrtle', 'Olive', 'Onyx', 'Opal',
  'Pearl', 'Poppy', 'Quartz', 'River', 'Rowan', 'Ruby', 'Sable', 'Saffron', 'Sage', 'Sienna', 'Slate', 'Sorrel', 'Sterling',
  'Tansy', 'Teal', 'Thistle', 'Topaz', 'Umber', 'Vesper', 'Violet', 'Willow', 'Wren', 'Yarrow', 'Zephyr', 'Zinnia',
] as const;

/** First halves of family names and of names of towns and companies. */
// prettier-ignore
export const nameBeginnings = [
  'Alder', 'Amber', 'Ash', 'Barley', 'Birch', 'Bright', 'Bronze', 'Candle', 'Cedar', 'Clay', 'Clear', 'Copper', 'Cotton',
  'Dapple', 'Elder', 'Fallow', 'Feather', 'Fern', 'Flax', 'Frost', 'Gold', 'Granite', 'Harbor', 'Hazel', 'Heron', 'Honey',
  'Iron', 'Juniper', 'Kestrel', 'Lantern', 'Larch', 'Linden', 'Maple', 'Meadow', 'Mill', 'Mossy', 'Nettle', 'North', 'Oat',
  'Orchard', 'Pebble', 'Pepper', 'Pine', 'Quill', 'Raven', 'Rose', 'Rush', 'Saddle', 'Salt', 'Silver', 'Slate', 'Sparrow',
  'Summer', 'Thistle', 'Thorn', 'Timber', 'Velvet', 'Walnut', 'Wheat', 'Willow', 'Winter', 'Wren', 'Yarrow',
] as const;

/** Second halves of the same. */
// prettier-ignore
const nameEndings = [
  'acre', 'bank', 'bourne', 'bridge', 'brook', 'combe', 'croft', 'dale', 'fell', 'field', 'ford', 'gate', 'glen', 'grove',
  'hollow', 'hurst', 'lake', 'ley', 'mere', 'mont', 'moor', 'ridge', 'shore', 'stead', 'stone', 'vale', 'wick', 'wood',
] as const;

/** Streets. */
const streetKinds = ['Street', 'Avenue', 'Road', 'Lane', 'Drive', 'Court', 'Way', 'Place'] as const;

/** Suffixes of agency names. */
export const firmKinds = [
  'Insurance Agency LLC',
  'Insurance Services Inc',
  'Coverage Partners LLC',
  'Benefits Group Inc',
] as const;

/** The first three digits of a ZIP code, and an area code, of each state. */
// prettier-ignore
const numbersOfStates: Readonly<Record<StateCode, readonly [zip: string, area: string]>> = {
  AL: ['352', '205'], AK: ['995', '907'], AZ: ['850', '602'], AR: ['722', '501'], CA: ['900', '213'], CO: ['802', '303'],
  CT: ['061', '860'], DE: ['198', '302'], FL: ['331', '305'], GA: ['303', '404'], HI: ['968', '808'], ID: ['837', '208'],
  IL: ['606', '312'], IN: ['462', '317'], IA: ['503', '515'], KS: ['672', '316'], KY: ['402', '502'], LA: ['701', '504'],
  ME: ['041', '207'], MD: ['212', '410'], MA: ['021', '617'], MI: ['482', '313'], MN: ['554', '612'], MS: ['392', '601'],
  MO: ['641', '816'], MT: ['591', '406'], NE: ['681', '402'], NV: ['891', '702'], NH: ['031', '603'], NJ: ['071', '201'],
  NM: ['871', '505'], NY: ['100', '212'], NC: ['282', '704'], ND: ['581', '701'], OH: ['432', '614'], OK: ['731', '405'],
  OR: ['972', '503'], PA: ['191', '215'], RI: ['029', '401'], SC: ['292', '803'], SD: ['571', '605'], TN: ['372', '615'],
  TX: ['770', '713'], UT: ['841', '801'], VT: ['054', '802'], VA: ['232', '804'], WA: ['981', '206'], WV: ['253', '304'],
  WI: ['532', '414'], WY: ['820', '307'], DC: ['200', '202'], AS: ['967', '684'], GU: ['969', '671'], MP: ['969', '670'],
  PR: ['009', '787'], VI: ['008', '340'],
};

const largeStates = ['CA', 'TX', 'FL', 'NY', 'PA', 'IL', 'OH', 'GA', 'NC', 'MI'] as const;

/** A state; more than half live in the ten largest. */
export function someState(prng: Prng): StateCode {
  return prng.pick(prng.happens(55) ? largeStates : stateCodes);
}

/** Such as `Silverbrook`. */
export function someName(prng: Prng): string {
  return `${prng.pick(nameBeginnings)}${prng.pick(nameEndings)}`;
}

/** Such as `4120 Silverbrook Lane`. */
export function someStreet(prng: Prng): string {
  return `${prng.between(100, 9899)} ${someName(prng)} ${prng.pick(streetKinds)}`;
}

/** A ZIP code of the state. */
export function someZip(prng: Prng, state: StateCode): string {
  return `${numbersOfStates[state][0]}${prng.digits(2)}`;
}

/** A phone number of the state, from the range reserved for fiction. */
export function somePhone(prng: Prng, state: StateCode): string {
  return `${numbersOfStates[state][1]}-555-01${prng.digits(2)}`;
}
