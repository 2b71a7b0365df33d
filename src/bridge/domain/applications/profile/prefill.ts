import type { Address, ProducerDetail, StateCode } from '../../../../contract/index.js';
import type { StoredProfile } from '../../../store/tables/tables.js';
import { addressStates } from './fields.js';
import { emptyRecord, stateIn, type ProfileRecord } from './pages.js';
import type { TopicId, Values } from './topics.js';

/**
 * Known values of an applicant, by the key of the page. They are shown for confirmation and do not
 * count before it.
 */
export type Prefill = Partial<Record<TopicId | `lines/${StateCode}`, Values>>;

/** Converts the profile of a partner. */
export function prefillFromProfile(profile: StoredProfile): Prefill {
  const { street, city, state, zip } = profile.residentialAddress ?? {};
  return {
    names: given({ firstName: profile.firstName, lastName: profile.lastName }),
    about: given({ dateOfBirth: profile.dateOfBirth, npn: profile.npn }),
    contact: given({ email: profile.email, phone: profile.phone }),
    home: given({ street, city, abroad: state && 'us', state, zip }),
    residency: given({ homeState: state }),
  };
}

/**
 * Converts the registry's record of a producer. Only for an applicant for whom {@link isSamePerson}
 * is true: an NPN is public, and would otherwise be enough to read a home address.
 */
export function prefillFromRegistry(producer: ProducerDetail): Prefill {
  const { biographic } = producer;
  const addresses = producer.addresses.flatMap((group) => group.addresses);
  const ofType = (type: string) => addresses.find(({ addressType }) => addressType === type);
  const contact = producer.contactInfos.flatMap((group) => group.contactInfo)[0];
  const home = homeLicense(producer);
  const [residence, business, mailing] = [ofType('Residence'), ofType('Business'), ofType('Mailing')];
  return {
    names: given({ middleName: biographic.middleName, suffix: biographic.suffix, otherNames: aliases(producer) }),
    contact: given({ businessEmail: contact?.businessEmail, businessPhone: contact?.businessPhone }),
    ...(residence && { home: addressValues(residence) }),
    ...(business && { business: { which: 'other', ...addressValues(business) } }),
    ...(mailing && { mailing: { which: 'other', ...addressValues(mailing) } }),
    ...(home && { residency: { homeState: home.state, homeLicense: 'active', licenseNumber: home.number } }),
  };
}

/** Merges two prefills by field; the second takes precedence. */
export function mergePrefill(lower: Prefill, upper: Prefill): Prefill {
  const merged: Prefill = { ...lower };
  for (const [topic, values] of Object.entries(upper) as [keyof Prefill, Values][]) {
    merged[topic] = { ...lower[topic], ...values };
  }
  return merged;
}

/** Reads the decrypted record of the profile step; an empty one when nothing was saved. */
export function parseRecord(secret: string | undefined): ProfileRecord {
  return secret === undefined ? emptyRecord() : (JSON.parse(secret) as ProfileRecord);
}

/** The person that the user claims to be. */
export interface ClaimedPerson {
  lastName: string;
  /** `YYYY-MM-DD` */
  dateOfBirth: string;
}

/** Whether a producer of the registry has this current or former last name. */
export function hasLastName({ biographic }: ProducerDetail, lastName: string): boolean {
  const names = [biographic, ...biographic.otherNames].map((one) => foldName(one.lastName));
  return names.includes(foldName(lastName));
}

/** Converts a day of the registry, `MM/DD/YYYY`, to `YYYY-MM-DD`; "" when it is none. */
export function isoDayOf(day: string): string {
  return /^\d{2}\/\d{2}\/\d{4}$/.test(day) ? `${day.slice(6)}-${day.slice(0, 2)}-${day.slice(3, 5)}` : '';
}

/** Whether a producer of the registry has this name and birth date. */
export function isSamePerson(producer: ProducerDetail, { lastName, dateOfBirth }: ClaimedPerson): boolean {
  const known = isoDayOf(producer.biographic.dateOfBirth);
  return hasLastName(producer, lastName) && known !== '' && dateOfBirth === known;
}

/** The person in a record or a prefill, when name and birth date are known. */
export function claimedPerson(record: ProfileRecord, prefill: Prefill): (ClaimedPerson & { npn: string }) | undefined {
  const names = record.pages['names'] ?? prefill.names ?? {};
  const about = record.pages['about'] ?? prefill.about ?? {};
  const { lastName } = names;
  const { dateOfBirth, npn } = about;
  const isComplete = [lastName, dateOfBirth, npn].every((value) => typeof value === 'string' && value !== '');
  return isComplete ? { lastName: String(lastName), dateOfBirth: String(dateOfBirth), npn: String(npn) } : undefined;
}

function addressValues(address: Address): Values {
  return given({
    street: address.addressLine1,
    line2: [address.addressLine2, address.addressLine3].filter((line) => line !== '').join(', '),
    city: address.city,
    abroad: 'us',
    state: addressStates.find((code) => code === address.state),
    zip: address.zip,
  });
}

function homeLicense({ licenseInformation }: ProducerDetail): { state: StateCode; number: string } | undefined {
  for (const { state, licenses } of licenseInformation) {
    const license = licenses.find(({ active, residencyStatus }) => active && residencyStatus === 'R');
    const code = stateIn(state);
    if (license && code) return { state: code, number: license.licenseNumber };
  }
  return undefined;
}

function aliases({ biographic }: ProducerDetail): string {
  return biographic.otherNames
    .map(({ firstName, middleName, lastName }) => [firstName, middleName, lastName].filter(Boolean).join(' '))
    .join('\n');
}

function given(values: Record<string, string | undefined>): Values {
  const known = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return Object.fromEntries(known);
}

/** Removes the differences between two spellings of one name. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
