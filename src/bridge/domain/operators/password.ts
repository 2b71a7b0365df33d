import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';
import { createMutex } from '../mutex.js';

/** The minimum length of a password. */
export const shortestPassword = 12;

/** The maximum length, checked before hashing. */
export const longestPassword = 200;

/**
 * The costs of Argon2id: 19 MiB, two passes and one lane, the minimum of OWASP. A hash takes about
 * 50 ms of this process, and the limit by IP address restricts their number.
 */
const costs = { parallelism: 1, iterations: 2, memorySize: 19_456, hashLength: 32 };

/** One hash at a time, so that concurrent sign-ins do not take 19 MiB each. */
const withMutex = createMutex();

/** Hashes a password with a random salt. The text contains the salt and the costs. */
export function hashPassword(password: string): Promise<string> {
  return withMutex('argon2id', () =>
    argon2id({ ...costs, password: password.normalize('NFKC'), salt: randomBytes(16), outputType: 'encoded' }),
  );
}

/** The hash for unknown names: no password matches it, and its costs are those of real hashes. */
const unknownNameHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Verifies a password. `undefined`, for an operator that does not exist, takes as long as a real
 * hash, so that the time does not reveal which names exist.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isRight = await withMutex('argon2id', () =>
    argon2Verify({ password: password.normalize('NFKC'), hash: passwordHash ?? unknownNameHash }),
  );
  return isRight && passwordHash !== undefined;
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
