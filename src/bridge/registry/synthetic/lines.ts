import type { Dice } from './dice.js';

/** A line of authority: what its holder may sell. Names and numbers as the national database's could be; they are not its. */
export interface Line {
  loa: string;
  loaCode: number;
}

/** A kind of license, with the lines it can have. */
export interface LicenseKind {
  licenseClass: string;
  licenseClassCode: number;
  lines: readonly [Line, ...Line[]];
}

const life: Line = { loa: 'Life', loaCode: 16 };
const health: Line = { loa: 'Accident and Health or Sickness', loaCode: 17 };
const variable: Line = { loa: 'Variable Life and Variable Annuity', loaCode: 18 };
const property: Line = { loa: 'Property', loaCode: 22 };
const casualty: Line = { loa: 'Casualty', loaCode: 23 };
const personal: Line = { loa: 'Personal Lines', loaCode: 24 };
const crop: Line = { loa: 'Crop', loaCode: 31 };
const surplus: Line = { loa: 'Surplus Lines', loaCode: 42 };
const title: Line = { loa: 'Title', loaCode: 51 };

const producer = { licenseClass: 'Insurance Producer', licenseClassCode: 1 };

/** What a producer does for a living; each as often as it stands here. */
const trades: readonly [LicenseKind, ...LicenseKind[]] = [
  { ...producer, lines: [life, health] },
  { ...producer, lines: [life, health] },
  { ...producer, lines: [life, health, variable] },
  { ...producer, lines: [health] },
  { ...producer, lines: [property, casualty] },
  { ...producer, lines: [property, casualty] },
  { ...producer, lines: [property, casualty, personal] },
  { ...producer, lines: [personal] },
  { ...producer, lines: [life, health, property, casualty] },
  { ...producer, lines: [casualty, crop] },
  { licenseClass: 'Surplus Lines Broker', licenseClassCode: 7, lines: [surplus] },
  { licenseClass: 'Title Agent', licenseClassCode: 9, lines: [title] },
];

/** What somebody does for a living. */
export function someTrade(dice: Dice): LicenseKind {
  return dice.pick(trades);
}
