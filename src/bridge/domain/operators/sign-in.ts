/**
 * Sign-in to the console.
 *
 * 1. The IP address takes a point of `failedSignIns` first, and gets it back when the sign-in
 *    succeeds, so that concurrent attempts count, too.
 * 2. Name, password and code are checked in the same steps whether the name exists or not, and
 *    every failure has the same message.
 * 3. After a right password, wrong codes count by operator, from any address. When there are too
 *    many, no code is accepted. The message stays the same: another one would say that the password
 *    is right.
 * 4. A session with a new random token starts. No value that the browser sent becomes a session,
 *    which prevents session fixation.
 *
 * Names and passwords never lock an account: otherwise anyone who knows a name could lock its
 * operator out.
 */
import {
  deleteOperatorSession,
  deleteOperatorSessions,
  findOperatorByName,
  findOperatorSession,
  hasOperatorSession,
  insertOperatorSession,
  lockVerified,
  takeTotpStep,
  touchOperatorSession,
  updateOperator,
  type OperatorRow,
} from '../../store/operators/operator-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit, type AuditAction, type AuditActor } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { hashToken, randomToken, UnknownKeyError } from '../keys/keys.js';
import { describeOperator, type Operator } from './operators.js';
import { hashPassword, verifyPassword } from './password.js';
import { totpAssociatedData, totpStepOf } from './totp.js';

/** The idle timeout of a session. */
export const sessionIdleMs = 30 * 60_000;

/** The maximum duration of a session: a working day. */
export const sessionTtlMs = 12 * 3_600_000;

/**
 * The minimum interval between two writes of a session's last use, so that not every page costs a
 * write.
 */
const touchEveryMs = 60_000;

/** The typed values of a sign-in. */
export interface SignInRequest {
  name: string;
  password: string;
  /** The code of the authenticator app; "" without one. */
  code: string;
}

/** A signed-in browser. */
export interface OperatorSession {
  operator: Operator;
  /** The token in the cookie. */
  token: string;
  /** Whether the password must be replaced first. */
  mustChangePassword: boolean;
  /** When it ends without further use. */
  endsAt: Date;
}

type SignInContext = Pick<BridgeContext, 'db' | 'clock' | 'keys' | 'limiter' | 'withMutex'>;

/**
 * Signs an operator in. Resolves with the token of the session, or with `undefined` for any
 * failure, without the reason.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address.
 */
export async function signIn(
  context: SignInContext,
  request: SignInRequest,
  address: string,
): Promise<string | undefined> {
  const { limiter } = context;
  return context.withMutex(`sign-in:${address}`, async () => {
    await limiter.take('failedSignIns', address);
    let isFailed = false;
    try {
      const token = await openSession(context, request);
      isFailed = token === undefined;
      return token;
    } finally {
      if (!isFailed) await limiter.giveBack('failedSignIns', address);
    }
  });
}

/**
 * Counts and records a sign-in that is refused for its text, before its name is searched.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address.
 */
export async function refuseSignIn(context: SignInContext, address: string): Promise<undefined> {
  await context.limiter.take('failedSignIns', address);
  await record(context.db, context, 'operator.sign_in', undefined, 'refused');
}

async function openSession(
  context: SignInContext,
  { name, password, code }: SignInRequest,
): Promise<string | undefined> {
  const found = await findOperatorByName(context.db, name);
  const isRight = await verifyPassword(password, found?.passwordHash);
  const isAllowed = found !== undefined && isRight && found.disabledAt === null;
  const checked = isAllowed ? await checkCode(context, found, code) : 'refused';
  if (found === undefined || checked !== 'right') {
    // An unknown name is not recorded, because people sometimes type their password there by
    // mistake.
    await record(context.db, context, 'operator.sign_in', found, checked);
    return undefined;
  }
  const token = randomToken();
  const now = context.clock();
  const session = {
    tokenHash: hashToken(token),
    operatorId: found.id,
    createdAt: now,
    seenAt: now,
    expiresAt: new Date(now.getTime() + sessionTtlMs),
  };
  return inTransaction(context.db, async (trx) => {
    // Disabled or reset while the password was being hashed.
    if (!(await lockVerified(trx, found))) return undefined;
    await insertOperatorSession(trx, session);
    await record(trx, context, 'operator.sign_in', found, 'done');
    return token;
  });
}

/**
 * Only checked after a valid password, so that attempts by others do not use up an operator's
 * codes. `too_many_codes` in the audit trail means that someone else knows the password.
 */
async function checkCode(
  { db, keys, clock, limiter }: SignInContext,
  operator: OperatorRow,
  code: string,
): Promise<'right' | 'refused' | 'too_many_codes'> {
  const { id, totpEncrypted: encrypted } = operator;
  if (encrypted === null) return 'right';
  // Not a guess: the operator has forgotten the field.
  if (code === '') return 'refused';
  let secret: string;
  try {
    secret = keys.decrypt(encrypted, totpAssociatedData(id));
  } catch (error) {
    // The key is missing, so the code cannot be checked. `operator reset --totp` issues a new
    // secret.
    if (error instanceof UnknownKeyError) return 'refused';
    throw error;
  }
  const key = guessKeyOf(operator);
  try {
    // Before the comparison, so that concurrent guesses count, too.
    await limiter.take('wrongCodes', key);
  } catch (error) {
    if (error instanceof ApiError) return 'too_many_codes';
    throw error;
  }
  const step = totpStepOf(secret, code, clock());
  if (step === undefined || !(await takeTotpStep(db, operator, step))) return 'refused';
  await limiter.giveBack('wrongCodes', key);
  return 'right';
}

/**
 * The owner of a count of guesses: the operator with the current password. After `operator reset`,
 * which ends the guesses of an intruder, the operator can sign in at once.
 */
function guessKeyOf({ id, passwordHash }: Pick<OperatorRow, 'id' | 'passwordHash'>): string {
  return `${id}:${hashToken(passwordHash).toString('base64url')}`;
}

/**
 * Finds the session of a cookie; `undefined` when it has ended, or its operator was disabled or
 * reset.
 */
export async function findSignedIn(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  token: string,
): Promise<OperatorSession | undefined> {
  const tokenHash = hashToken(token);
  const found = await findOperatorSession(context.db, tokenHash);
  if (found === undefined) return undefined;
  const { session, operator } = found;
  const now = context.clock();
  const idleEnd = session.seenAt.getTime() + sessionIdleMs;
  if (session.expiresAt <= now || idleEnd <= now.getTime()) return undefined;
  if (now.getTime() - session.seenAt.getTime() >= touchEveryMs) {
    await touchOperatorSession(context.db, tokenHash, now);
  }
  const endsAt = new Date(Math.min(session.expiresAt.getTime(), now.getTime() + sessionIdleMs));
  return { operator: describeOperator(operator), token, mustChangePassword: operator.isPasswordTemporary, endsAt };
}

/**
 * The CSRF token of a session's forms. Derived from the session's token, so it is valid for this
 * session only, and a hash, so that the page does not contain the session's token.
 */
export function csrfTokenOf({ token }: Pick<OperatorSession, 'token'>): string {
  return hashToken(`csrf:${token}`).toString('base64url');
}

/** Ends a session. */
export async function signOut(context: Pick<BridgeContext, 'db' | 'clock'>, session: OperatorSession): Promise<void> {
  await deleteOperatorSession(context.db, hashToken(session.token));
  await recordOf(context.db, context, 'operator.sign_out', session.operator.operatorId, 'done');
}

/**
 * The result of a change of the password. `wrong`: the current one is wrong; `unchanged`: the new
 * one equals the current one; `ended`: the operator was reset, disabled or signed out meanwhile.
 */
export type PasswordChange = 'changed' | 'wrong' | 'unchanged' | 'ended';

/**
 * Replaces an operator's password and ends their other sessions. Wrong current passwords count like
 * failed sign-ins, and by operator, because the session may be stolen.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address, or of the operator.
 */
export async function changePassword(
  context: SignInContext,
  session: OperatorSession,
  { current, replacement }: { current: string; replacement: string },
  address: string,
): Promise<PasswordChange> {
  const { limiter, db } = context;
  const { name, operatorId } = session.operator;
  return context.withMutex(`sign-in:${address}`, async () => {
    const row = await findOperatorByName(db, name);
    if (row === undefined) return 'ended';
    const guessKey = guessKeyOf(row);
    await limiter.take('failedSignIns', address);
    await limiter.take('wrongCurrentPasswords', guessKey);
    let isRight: boolean | undefined;
    try {
      isRight = await verifyPassword(current, row.passwordHash);
    } finally {
      // An error is no guess.
      if (isRight !== false) {
        await limiter.giveBack('failedSignIns', address);
        await limiter.giveBack('wrongCurrentPasswords', guessKey);
      }
    }
    if (!isRight) return 'wrong';
    if (current === replacement) return 'unchanged';
    const passwordHash = await hashPassword(replacement);
    const tokenHash = hashToken(session.token);
    return inTransaction(db, async (trx) => {
      // Hashing twice takes long. An intruder whose change is under way must not overwrite the
      // password of `operator reset`, which ends the intruder's session.
      if (!(await lockVerified(trx, row)) || !(await hasOperatorSession(trx, tokenHash))) return 'ended';
      const change = { passwordHash, isPasswordTemporary: false, updatedAt: context.clock() };
      await updateOperator(trx, operatorId, change);
      await deleteOperatorSessions(trx, operatorId, tokenHash);
      await recordOf(trx, context, 'operator.password_changed', operatorId, 'done');
      return 'changed';
    });
  });
}

/** The name of an operator of the console in the audit trail. */
export function actorOf({ operatorId }: Pick<Operator, 'operatorId'>): AuditActor {
  return `operator:${operatorId}`;
}

function record(
  db: Database,
  context: Pick<BridgeContext, 'clock'>,
  action: AuditAction,
  operator: OperatorRow | undefined,
  result: string,
): Promise<void> {
  return recordOf(db, context, action, operator?.id, result);
}

function recordOf(
  db: Database,
  context: Pick<BridgeContext, 'clock'>,
  action: AuditAction,
  operatorId: string | undefined,
  result: string,
): Promise<void> {
  // A refused sign-in is not proof that it was the operator with that name.
  const actor = operatorId === undefined || result !== 'done' ? 'unknown' : actorOf({ operatorId });
  const subject = operatorId === undefined ? '' : `operator:${operatorId}`;
  return recordAudit(db, context, { agencyId: '', actor, action, subject, result });
}
