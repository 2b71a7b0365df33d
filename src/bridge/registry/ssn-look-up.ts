import type { Mode } from '../../contract/index.js';
import type { Keys } from '../domain/keys/keys.js';

/**
 * The hash under which an SSN (nine digits) and a last name are kept. One hash of both: whether a look-up fails by the SSN or by the
 * name is not even known here, and neither can be guessed apart from the other.
 */
export function lookUpHash(keys: Keys, mode: Mode, lastName: string, ssn: string): Buffer {
  return keys.mac('ssn-lookup', hashedText(mode, lastName, ssn));
}

/** The same with every key, the newest first: one of them may have been the newest when it was kept. */
export function lookUpHashes(keys: Keys, mode: Mode, lastName: string, ssn: string): Buffer[] {
  return keys.macs('ssn-lookup', hashedText(mode, lastName, ssn));
}

/** Where the SSN of a producer is kept, as {@link Keys.seal} asks. */
export function ssnPlace(mode: Mode, npn: string): string {
  return `registry:${mode}:${npn}`;
}

function hashedText(mode: Mode, lastName: string, ssn: string): string {
  return JSON.stringify([mode, ssn, foldName(lastName)]);
}

/** What people type differently of a name that is the same: case, spaces, the apostrophe, how a letter is composed. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[’ʼ`´]/g, "'")
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
