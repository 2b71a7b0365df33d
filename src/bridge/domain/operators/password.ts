import { randomBytes } from 'node:crypto';
import { runArgon2, type Argon2Costs } from './argon2.js';

/** The minimum length of a password. */
export const shortestPassword = 12;

/** The maximum length, checked before hashing. */
export const longestPassword = 200;

/** The costs of Argon2id: 19 MiB, two passes and one lane, the minimum of OWASP. */
const costs: Argon2Costs = { parallelism: 1, iterations: 2, memorySize: 19_456, hashLength: 32 };

/**
 * Hashes a password with a random salt. The text contains the salt and the costs.
 *
 * @throws ApiError `too_many_requests` when too many passwords are being hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const options = { ...costs, password: password.normalize('NFKC'), salt: randomBytes(16) };
  return String(await runArgon2({ kind: 'hash', options }));
}

/** The hash for unknown names: no password matches it, and its costs are those of real hashes. */
const unknownNameHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Verifies a password. `undefined`, for an operator that does not exist, takes as long as a real
 * hash, so that the time does not reveal which names exist.
 *
 * @throws ApiError `too_many_requests` when too many passwords are being hashed.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const options = { password: password.normalize('NFKC'), hash: passwordHash ?? unknownNameHash };
  const isRight = await runArgon2({ kind: 'verify', options });
  return isRight === true && passwordHash !== undefined;
}

/** Without letters and digits that look alike, because the password is copied by hand. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A random password of 20 characters in groups of five, 99 bits. */
export function generatePassword(): string {
  const characters: string[] = [];
  while (characters.length < 20) {
    // A byte outside the range is drawn again, because a remainder would favour the first letters.
    for (const byte of randomBytes(32)) {
      const character = alphabet[byte & 31];
      if (character !== undefined && characters.length < 20) characters.push(character);
    }
  }
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}
