/*
 * The search for an application by its person. Profiles are stored encrypted, so the words of a
 * name, the e-mail addresses, the phone numbers and the NPN are found by keyed hashes of them.
 * A copy of the database without the key reveals none of them. The hashes are columns of the row
 * with the encrypted profile: they change and are erased with it.
 */
import { modes } from '../../../contract/index.js';
import type { ListedWhere } from '../../store/applications/application-list-store.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { KeyRing, Keys } from '../keys/keys.js';
import type { Operator } from '../operators/operators.js';
import { actorOf } from '../operators/sign-in.js';
import { valuesOf, type ProfileRecord } from './profile/pages.js';
import { foldName, parseRecord } from './profile/prefill.js';

/** The kind of a search, as the audit trail names it. */
export type SearchKind = 'id' | 'receipt' | 'reference' | 'npn' | 'phone' | 'email' | 'name';

/** A search, as the list of applications takes it. */
export interface ApplicationSearch {
  kind: SearchKind;
  where: Pick<ListedWhere, 'id' | 'npn' | 'receiptNumber' | 'reference' | 'hashes'>;
}

/** The kinds of a search that reveal nothing about a person, for operators who see no names. */
export const impersonalSearches: readonly SearchKind[] = ['id', 'receipt', 'reference', 'npn'];

/** The kinds of a search that names one application. */
export const exactSearches: readonly SearchKind[] = ['id', 'receipt', 'reference'];

/** The maximum length of a search, in characters. */
export const longestSearch = 100;

/** 16 bytes distinguish all words of all applicants, and are half as long as the hash. */
const hashBytes = 16;
const keyIdBytes = 6;

/** The hashes by which an application is found, of the decrypted profile step. */
export function searchHashesOf(keys: Pick<KeyRing, 'mac'>, profile: string): string[] {
  return [...new Set(termsOf(parseRecord(profile)))].map((term) => shorten(keys.mac('search', term)));
}

function termsOf(record: ProfileRecord): string[] {
  const { firstName = '', middleName = '', lastName = '', otherNames = '' } = valuesOf(record, 'names');
  const { email = '', phone = '', businessEmail = '', businessPhone = '' } = valuesOf(record, 'contact');
  const { npn = '' } = valuesOf(record, 'about');
  return [
    ...wordsOf([firstName, middleName, lastName, otherNames].join(' ')).map(nameTerm),
    ...[email, businessEmail].filter(Boolean).map(emailTerm),
    ...[phone, businessPhone].filter(Boolean).map(phoneTerm),
    ...(npn === '' ? [] : [npnTerm(npn)]),
  ];
}

/**
 * Reads what an operator typed: an id, the number of a receipt, an NPN or a phone number, an e-mail
 * address, the reference of a state, which has digits, or else words of a name, all of which have to
 * be in it. Digits alone may be a reference, too.
 */
export function readSearch(keys: Keys, typed: string): ApplicationSearch {
  const text = typed.trim();
  const hashes = (terms: readonly string[]) => {
    const byTerm = terms.map((term) => searchHashesByKey(keys, term));
    // One set for each key, because the hashes of one application are all of one key.
    return (byTerm[0] ?? []).map((_, key) => byTerm.map((ofTerm) => ofTerm[key] ?? ''));
  };
  if (/^(app|ses)_/.test(text)) return { kind: 'id', where: { id: text } };
  if (/^[2-9a-z]{4}-[2-9a-z]{4}$/i.test(text)) return { kind: 'receipt', where: { receiptNumber: text.toUpperCase() } };
  if (text.includes('@')) return { kind: 'email', where: { hashes: hashes([emailTerm(text)]) } };
  const digits = text.replace(/\D/g, '');
  if (digits !== '' && /^[\d\s().+-]+$/.test(text)) {
    // Ten digits may be either.
    const isPhone = digits.length >= 10;
    const found = [...hashes([npnTerm(digits)]), ...(isPhone ? hashes([phoneTerm(digits)]) : [])];
    return {
      kind: isPhone ? 'phone' : 'npn',
      where: { npn: withoutZeros(digits), hashes: found, reference: text },
    };
  }
  if (digits !== '') return { kind: 'reference', where: { reference: text } };
  return { kind: 'name', where: { hashes: hashes(wordsOf(text).map(nameTerm)) } };
}

/** The hashes of a term with every key of both modes, in the same order for every term. */
function searchHashesByKey(keys: Keys, term: string): string[] {
  return [...new Set(modes.flatMap((mode) => keys.of(mode).macs('search', term).map(shorten)))];
}

/** Records that an operator searches, without the text, which may be a name. */
export function recordSearch(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  operator: Pick<Operator, 'operatorId'>,
  typed: string,
): Promise<void> {
  return recordAudit(context.db, context, {
    agencyId: '',
    actor: actorOf(operator),
    action: 'application.searched',
    subject: '',
    result: readSearch(context.keys, typed).kind,
  });
}

/**
 * The search in the URL of a list, encrypted, because a URL stays in histories and in the logs of
 * proxies. It works for one operator only, so that a colleague cannot read it.
 */
export function searchTokenOf(keys: Keys, operatorId: string, typed: string): string {
  return keys.of('live').encrypt(typed, searchAssociatedData(operatorId));
}

/** Reads a token of {@link searchTokenOf}; `undefined` for any other text. */
export function readSearchToken(keys: Keys, operatorId: string, token: string): string | undefined {
  try {
    const ring = keys.of('live');
    return ring.canDecrypt(token) ? ring.decrypt(token, searchAssociatedData(operatorId)) : undefined;
  } catch {
    return undefined;
  }
}

function searchAssociatedData(operatorId: string): string {
  return `operator_search:${operatorId}`;
}

const wordsOf = (text: string) => foldName(text).split(' ').filter(Boolean);
const nameTerm = (word: string) => `name:${word}`;
const emailTerm = (address: string) => `email:${address.trim().toLowerCase()}`;
/** By the last ten digits, so that the country code may be absent. */
const phoneTerm = (phone: string) => `phone:${phone.replace(/\D/g, '').slice(-10)}`;
const npnTerm = (npn: string) => `npn:${withoutZeros(npn)}`;
const withoutZeros = (npn: string) => npn.replace(/^0+(?=\d)/, '');

function shorten(mac: Buffer): string {
  return mac.subarray(keyIdBytes, keyIdBytes + hashBytes).toString('base64url');
}
