/** The codes and passwords of operators after the first check, whose failures count by operator. */
import { takeTotpStep, type LocalOperatorRow } from '../../store/operators/operator-store.js';
import type { BridgeContext } from '../context.js';
import { hashToken, UnknownKeyError } from '../keys/keys.js';
import { verifyPassword } from './password.js';
import { totpAssociatedData, totpStepOf } from './totp.js';

type GuessContext = Pick<BridgeContext, 'db' | 'clock' | 'keys' | 'limiter'>;

/**
 * Checks a code of the authenticator app. Only after a valid password or in a session, so that
 * attempts by others do not use up an operator's codes.
 *
 * @throws ApiError `too_many_logins` after too many wrong codes of the operator.
 */
export async function checkCode(
  { db, keys, clock, limiter }: GuessContext,
  operator: LocalOperatorRow,
  code: string,
): Promise<boolean> {
  const { id, totpEncrypted: encrypted } = operator;
  // Not a guess: the operator has forgotten the field.
  if (encrypted === null || code === '') return false;
  let secret: string;
  try {
    secret = keys.of('live').decrypt(encrypted, totpAssociatedData(id));
  } catch (error) {
    // The key is missing, so the code cannot be checked. `operator reset --totp` issues a new
    // secret.
    if (error instanceof UnknownKeyError) return false;
    throw error;
  }
  const key = guessKeyOf(operator);
  // Before the comparison, so that concurrent guesses count, too.
  await limiter.take('wrongCodes', key);
  const step = totpStepOf(secret, code, clock());
  if (step === undefined || !(await takeTotpStep(db, operator, step))) return false;
  await limiter.giveBack('wrongCodes', key);
  return true;
}

/**
 * Checks the current password in a session, which may be stolen. Failures count like failed
 * sign-ins, and by operator.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address, or of the operator.
 */
export async function checkCurrentPassword(
  { limiter }: GuessContext,
  operator: LocalOperatorRow,
  password: string,
  address: string,
): Promise<boolean> {
  const key = guessKeyOf(operator);
  await limiter.take('failedSignIns', address);
  await limiter.take('wrongCurrentPasswords', key);
  let isRight: boolean | undefined;
  try {
    isRight = await verifyPassword(password, operator.passwordHash);
  } finally {
    // An error is no guess.
    if (isRight !== false) {
      await limiter.giveBack('failedSignIns', address);
      await limiter.giveBack('wrongCurrentPasswords', key);
    }
  }
  return isRight;
}

/**
 * The owner of a count of guesses: the operator with the current password. After `operator reset`,
 * which ends the guesses of an intruder, the operator can sign in at once.
 */
function guessKeyOf({ id, passwordHash }: Pick<LocalOperatorRow, 'id' | 'passwordHash'>): string {
  return `${id}:${hashToken(passwordHash).toString('base64url')}`;
}
