import { stateCodes, type ProducerSection } from '../../../contract/index.js';
import type { StoredProducer } from '../../store/tables/registry-tables.js';
import type { ProducerRecord } from '../producer-record.js';
import { someBiographic } from './biographic.js';
import { someAddresses, someContacts } from './contact-data.js';
import { createDice, type Dice } from './dice.js';
import { someLicenseInfo } from './licenses.js';
import { someTrade } from './lines.js';
import { someState } from './places.js';
import { someRegulatoryAction } from './regulatory-action.js';

/** The whole record of a synthetic producer. */
export type SyntheticProducer = StoredProducer & ProducerRecord;

/** The highest seed: NPNs have ten digits, and each seed has ten million of them. */
export const maxSeed = 99;

/** How many producers one seed can make. */
export const maxCount = 9_999_999;

/** The NPN of a synthetic producer: those from 9,000,000,001 up, another range for each seed. */
export function syntheticNpn(seed: number, index: number): string {
  return String(9_000_000_001 + seed * 10_000_000 + index);
}

/** Makes the synthetic producer number `index` (from 0) of a seed: always the same, whichever others are made. */
export function generateProducer(seed: number, index: number): SyntheticProducer {
  const dice = createDice(seed, index);
  const npn = syntheticNpn(seed, index);
  const isFirm = dice.happens(4);
  const home = someState(dice);
  const trade = someTrade(dice);
  const elsewhere = stateCodes.filter((state) => state !== home);
  const others = dice.pickSome(elsewhere, someNumberOfOtherStates(dice));
  return {
    npn,
    ...(isFirm ? {} : { ssn: syntheticSsn(seed, index) }),
    isBetaResponse: false,
    transactionType: isFirm ? 'Entity' : 'Individual',
    biographic: someBiographic(dice, npn, home, isFirm),
    clearanceCertificationInfo: dice.happens(3) ? 'Clearance letter on file' : '',
    nasdExamDetails: !isFirm && dice.happens(6) ? 'Series 6' : '',
    addresses: someAddresses(dice, home, others),
    contactInfos: someContacts(dice, home, npn),
    regulatoryActions: dice.happens(2) ? [someRegulatoryAction(dice, home)] : [],
    licenseInformation: [home, ...others].map((state) => someLicenseInfo(dice, state, trade, state === home)),
  };
}

/** All of the first hundred, so that whoever begins finds some with any NPN at hand. */
const firstWithUpdate = 100;

/**
 * The sections that the first update of a synthetic producer names: always the same. One in ten has one, and every one of the first hundred of a
 * seed; `undefined` for the others.
 */
export function generateUpdate(seed: number, index: number): ProducerSection[] | undefined {
  if (index >= firstWithUpdate && index % 10 !== 0) return undefined;
  return createDice(seed, index).pick([
    ['licenseInformation'],
    ['contactInfos'],
    ['addresses', 'contactInfos'],
  ] satisfies [ProducerSection[], ...ProducerSection[][]]);
}

/** Most producers stay at home or go next door, a few work all over the country. */
function someNumberOfOtherStates(dice: Dice): number {
  const percent = dice.below(100);
  if (percent < 45) return 0;
  if (percent < 85) return dice.between(1, 3);
  return percent < 98 ? dice.between(4, 9) : dice.between(10, 30);
}

/**
 * An SSN that nobody has or can get: no SSN begins with 9, and the taxpayer numbers that do have other middle digits (50 and up).
 * Within a seed all are different. The last four digits are none that mean something in test mode.
 */
function syntheticSsn(seed: number, index: number): string {
  const [areas, groups, serials] = [100, 40, 9_000];
  // A step that has no divisor in common with the number of places visits each place once.
  const place = (index * 7_368_787 + seed * 15_485_863) % (areas * groups * serials);
  const area = 900 + (place % areas);
  const group = 10 + (Math.floor(place / areas) % groups);
  const serial = 1_000 + Math.floor(place / (areas * groups));
  return `${String(area)}${String(group)}${String(serial)}`;
}
