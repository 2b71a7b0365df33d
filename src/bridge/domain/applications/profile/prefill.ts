import type { Address, ProducerDetail, ResidentialAddress, StateCode } from '../../../../contract/index.js';
import { emptyRecord, stateIn, type ProfileRecord } from './pages.js';
import type { TopicId, Values } from './topics.js';

/** What is known of an applicant before they type, by topic. It is shown to be confirmed, and nothing of it counts before. */
export type Prefill = Partial<Record<TopicId, Values>>;

/** A profile as partners send it, and as the version before stored it with an application. */
export type ToldProfile = {
  [Key in 'npn' | 'firstName' | 'lastName' | 'email' | 'phone' | 'dateOfBirth']?: string | undefined;
} & { residentialAddress?: { [Key in keyof ResidentialAddress]?: string | undefined } | undefined };

/** What a told profile says. */
export function prefillFromProfile(told: ToldProfile): Prefill {
  const { street, city, state, zip } = told.residentialAddress ?? {};
  return {
    names: given({ firstName: told.firstName, lastName: told.lastName }),
    about: given({ dateOfBirth: told.dateOfBirth, npn: told.npn }),
    contact: given({ email: told.email, phone: told.phone }),
    home: given({ street, city, abroad: 'us', state, zip }),
    residency: given({ homeState: state }),
  };
}

/**
 * What the registry says of a producer. Only for an applicant of whom {@link isSamePerson} holds: an NPN is public, and with it alone
 * anybody could read where its owner lives.
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

/** Lays one prefill over another, field by field. */
export function mergePrefill(lower: Prefill, upper: Prefill): Prefill {
  const merged: Prefill = { ...lower };
  for (const [topic, values] of Object.entries(upper) as [TopicId, Values][]) {
    merged[topic] = { ...lower[topic], ...values };
  }
  return merged;
}

/** Reads what the profile step keeps: encrypted, or from the version before in the open, whose answers are to be confirmed. */
export function parseRecord(secret: string | undefined, data: Record<string, unknown> | undefined): ProfileRecord {
  if (secret !== undefined) return JSON.parse(secret) as ProfileRecord;
  return { ...emptyRecord(), pages: { ...prefillFromProfile(data ?? {}) } };
}

/** The person that the user claims to be. */
export interface ClaimedPerson {
  lastName: string;
  /** `YYYY-MM-DD` */
  dateOfBirth: string;
}

/** Whether a producer of the registry has this last name, now or before. */
export function hasLastName({ biographic }: ProducerDetail, lastName: string): boolean {
  const names = [biographic, ...biographic.otherNames].map((one) => fold(one.lastName));
  return names.includes(fold(lastName));
}

/** Whether a producer of the registry is a person of this name and birth date. */
export function isSamePerson(producer: ProducerDetail, { lastName, dateOfBirth }: ClaimedPerson): boolean {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(producer.biographic.dateOfBirth) ?? [];
  return hasLastName(producer, lastName) && dateOfBirth === `${String(year)}-${String(month)}-${String(day)}`;
}

/** The person that a record or a prefill claims, once it says enough. */
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
    state: stateIn(address.state),
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
function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
