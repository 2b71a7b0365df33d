import {
  type Address,
  type AddressStateGroup,
  type Biographic,
  type Contact,
  type ContactStateGroup,
  type ProducerSection,
  type StateAlias,
  type StateCode,
  stateCodes,
} from '../../../contract/index.js';
import type { StoredProducer } from '../../store/tables/producer-tables.js';
import type { ProducerRecord } from '../producer-record.js';
import { someLicenseInfo, someRegulatoryAction, someTrade } from './licenses.js';
import { createPrng, type Prng } from './prng.js';
import { firmKinds, givenNames, someName, somePhone, someState, someStreet, someZip } from './words.js';

/** The whole record of a synthetic producer. */
export type SyntheticProducer = StoredProducer & ProducerRecord;

/** The highest seed: NPNs have ten digits, and each seed has ten million of them. */
export const maxSeed = 99;

/** The number of producers per seed. */
export const maxCount = 9_999_999;

/** The NPN of a synthetic producer: from 9,000,000,001 up, with a separate range for each seed. */
export function syntheticNpn(seed: number, index: number): string {
  return String(9_000_000_001 + seed * 10_000_000 + index);
}

/** Creates the synthetic producer number `index` (from 0) of a seed, independent of the others. */
export function generateProducer(seed: number, index: number): SyntheticProducer {
  const prng = createPrng(seed, index);
  const npn = syntheticNpn(seed, index);
  const isFirm = prng.happens(4);
  const home = someState(prng);
  const trade = someTrade(prng);
  const elsewhere = stateCodes.filter((state) => state !== home);
  const others = prng.pickSome(elsewhere, someNumberOfOtherStates(prng));
  return {
    npn,
    ...(isFirm ? {} : { ssn: syntheticSsn(seed, index) }),
    isBetaResponse: false,
    transactionType: isFirm ? 'Entity' : 'Individual',
    biographic: someBiographic(prng, npn, home, isFirm),
    clearanceCertificationInfo: prng.happens(3) ? 'Clearance letter on file' : '',
    nasdExamDetails: !isFirm && prng.happens(6) ? 'Series 6' : '',
    addresses: someAddresses(prng, home, others),
    contactInfos: someContacts(prng, home, npn),
    regulatoryActions: prng.happens(2) ? [someRegulatoryAction(prng, home)] : [],
    licenseInformation: [home, ...others].map((state) => someLicenseInfo(prng, state, trade, state === home)),
  };
}

/** All of the first hundred, so that new users find an update with any of these NPNs. */
const firstWithUpdate = 100;

/**
 * The sections in the first update of a synthetic producer. One in ten has an update, and all of
 * the first hundred of a seed; `undefined` for the others.
 */
export function generateUpdate(seed: number, index: number): ProducerSection[] | undefined {
  if (index >= firstWithUpdate && index % 10 !== 0) return undefined;
  return createPrng(seed, index).pick([
    ['licenseInformation'],
    ['contactInfos'],
    ['addresses', 'contactInfos'],
  ] satisfies [ProducerSection[], ...ProducerSection[][]]);
}

/** Most producers work in their home state or its neighbors, a few in many states. */
function someNumberOfOtherStates(prng: Prng): number {
  const percent = prng.below(100);
  if (percent < 45) return 0;
  if (percent < 85) return prng.between(1, 3);
  return percent < 98 ? prng.between(4, 9) : prng.between(10, 30);
}

/**
 * An SSN that is never issued: no SSN begins with 9, and taxpayer numbers that do have other middle
 * digits (50 and up). All are different within a seed. The last four digits have no meaning in test
 * mode.
 */
function syntheticSsn(seed: number, index: number): string {
  const [areas, groups, serials] = [100, 40, 9_000];
  // A step that is coprime to the number of positions visits each position once.
  const place = (index * 7_368_787 + seed * 15_485_863) % (areas * groups * serials);
  const area = 900 + (place % areas);
  const group = 10 + (Math.floor(place / areas) % groups);
  const serial = 1_000 + Math.floor(place / (areas * groups));
  return `${area}${group}${serial}`;
}

/** The identity of a producer: a person, or a firm. */
function someBiographic(prng: Prng, npn: string, home: StateCode, isFirm: boolean): Biographic {
  return isFirm ? someFirm(prng, npn, home) : somePerson(prng, npn, home);
}

function somePerson(prng: Prng, npn: string, home: StateCode): Biographic {
  const firstName = prng.pick(givenNames);
  const middleName = prng.happens(60) ? prng.pick(givenNames) : '';
  const lastName = prng.happens(4) ? `${someName(prng)}-${someName(prng)}` : someName(prng);
  return {
    companyName: '',
    dateOfBirth: prng.day(1955, 2001),
    fein: '',
    firstName,
    lastName,
    middleName,
    npn,
    otherNames: prng.happens(10) ? [someAlias(prng, home, { firstName, middleName })] : [],
    stateCoID: '',
    stateDomicile: home,
    suffix: prng.happens(4) ? prng.pick(['Jr', 'Sr', 'II', 'III'] as const) : '',
  };
}

function someAlias(
  prng: Prng,
  state: StateCode,
  { firstName, middleName }: Pick<StateAlias, 'firstName' | 'middleName'>,
): StateAlias {
  const nameType = prng.pick(['Maiden name', 'Former name', 'Alias'] as const);
  return { state, firstName, lastName: someName(prng), middleName, nameType };
}

function someFirm(prng: Prng, npn: string, home: StateCode): Biographic {
  return {
    companyName: `${someName(prng)} ${prng.pick(firmKinds)}`,
    dateOfBirth: '',
    // Employer numbers do not begin with 00.
    fein: `00-${prng.digits(7)}`,
    firstName: '',
    lastName: '',
    middleName: '',
    npn,
    otherNames: [],
    stateCoID: prng.digits(6),
    stateDomicile: home,
    suffix: '',
  };
}

const addressTypes = { Business: 1, Mailing: 2, Residence: 3 } as const;

/**
 * The addresses of a producer: those of the home state, and the business address in another state.
 */
function someAddresses(prng: Prng, home: StateCode, others: readonly StateCode[]): AddressStateGroup[] {
  const business = someAddress(prng, home, 'Business');
  const second = someAddress(prng, home, prng.happens(50) ? 'Mailing' : 'Residence');
  return [
    { state: home, addresses: prng.happens(70) ? [business, second] : [business] },
    ...others.filter(() => prng.happens(15)).map((state) => ({ state, addresses: [business] })),
  ];
}

function someAddress(prng: Prng, state: StateCode, addressType: keyof typeof addressTypes): Address {
  return {
    addressLine1: someStreet(prng),
    addressLine2: prng.happens(25) ? `Suite ${prng.between(100, 999)}` : '',
    addressLine3: '',
    addressType,
    addressTypeCode: addressTypes[addressType],
    city: someName(prng),
    country: 'USA',
    lastUpdatedDate: prng.day(2018, 2025),
    state,
    zip: someZip(prng, state),
  };
}

/** The business contact of a producer, with a fictional address and number. */
function someContacts(prng: Prng, home: StateCode, npn: string): ContactStateGroup[] {
  const date = prng.day(2018, 2025);
  const contact: Contact = {
    businessEmail: `producer.${npn}@example.com`,
    businessEmailLastUpdatedDate: date,
    businessPhone: somePhone(prng, home),
    businessPhoneLastUpdatedDate: date,
  };
  return [{ state: home, contactInfo: [contact] }];
}
