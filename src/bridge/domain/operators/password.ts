import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';
import { createMutex } from '../context.js';

/** The fewest characters of a password that an operator chooses. */
export const shortestPassword = 12;

/** The most: what is hashed is bounded before it is. */
export const longestPassword = 200;

/**
 * The costs of Argon2id: 19 MiB, two passes and one lane, which OWASP names as the least. A hash takes about 50 ms of this process,
 * and the one limit by address bounds how many there are.
 */
const costs = { parallelism: 1, iterations: 2, memorySize: 19_456, hashLength: 32 };

/** One hash at a time: many sign-ins at once must not take 19 MiB each. */
const withMutex = createMutex();

/** Hashes a password with a salt of its own. The text holds the salt and the costs. */
export function hashPassword(password: string): Promise<string> {
  return withMutex('argon2id', () =>
    argon2id({ ...costs, password: password.normalize('NFKC'), salt: randomBytes(16), outputType: 'encoded' }),
  );
}

/** The hash that unknown names are compared with: no password has it. Its costs are those of real ones. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Whether a password has a hash. `undefined`, for an operator that does not exist, takes as long as any other, so that the time does
 * not tell which names exist.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isRight = await withMutex('argon2id', () =>
    argon2Verify({ password: password.normalize('NFKC'), hash: passwordHash ?? nobody }),
  );
  return isRight && passwordHash !== undefined;
}

/** No letter or digit that looks like another one: it is copied by hand. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A random password of 20 characters in groups of five, 99 bits. */
export function generatePassword(): string {
  const characters: string[] = [];
  while (characters.length < 20) {
    // A byte that does not fit is drawn again: a remainder would favour the first letters.
    for (const byte of randomBytes(32)) {
      const character = alphabet[byte & 31];
      if (character !== undefined && characters.length < 20) characters.push(character);
    }
  }
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}
