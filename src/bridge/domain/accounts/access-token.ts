import { randomBytes } from 'node:crypto';
import { modes, type Mode } from '../../../contract/index.js';
import { type Keys, sameHash } from '../keys/keys.js';

/** 192 random bits cannot be guessed. */
const randomPartBytes = 24;

/** One invented token in 2^64 has the right proof, and then costs one look-up. */
const proofBytes = 8;

/**
 * A token of the API: 24 random bytes, and 8 that prove that the bridge issued it, as 43 characters
 * of base64url. The proof is not needed for security: by it, {@link isIssued} recognizes invented
 * tokens without the database.
 */
export function newAccessToken(keys: Keys, mode: Mode): string {
  const random = randomBytes(randomPartBytes);
  return Buffer.concat([random, proofOf(keys.of(mode).mac('token', random.toString('base64url')))]).toString(
    'base64url',
  );
}

/**
 * Whether a token was issued by this bridge, with a key that this instance has. While keys are being
 * replaced, another instance may have a newer one.
 */
export function isIssued(keys: Keys, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const random = bytes.subarray(0, randomPartBytes).toString('base64url');
  const proof = bytes.subarray(randomPartBytes);
  // Both modes have the same ring unless test mode has a separate key.
  const rings = new Set(modes.map((mode) => keys.of(mode)));
  return [...rings].some((ring) => ring.macs('token', random).some((mac) => sameHash(proofOf(mac), proof)));
}

function proofOf(mac: Buffer): Buffer {
  return mac.subarray(mac.length - proofBytes);
}
