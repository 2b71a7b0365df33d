import type { Mode } from '../../contract/index.js';
import type { Keys } from '../domain/keys.js';

/**
 * The hashes under which an SSN (nine digits) and a last name may be kept, one a key, the newest first. One hash of both: whether a
 * look-up fails by the SSN or by the name is not even known here, and neither can be guessed apart from the other.
 */
export function lookUpHashes(keys: Keys, mode: Mode, lastName: string, ssn: string): [newest: Buffer, ...Buffer[]] {
  return [keys.mac('ssn-lookup', JSON.stringify([mode, ssn, foldName(lastName)]))];
}

/** Where the SSN of a producer is kept, as {@link Keys.seal} asks. */
export function ssnPlace(mode: Mode, npn: string): string {
  return `registry:${mode}:${npn}`;
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
