/**
 * Sign-in to the console with a password. `oidc-sign-in.ts` is the one through an identity provider.
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
  deleteOperatorSessions,
  findLocalOperator,
  findOperatorByName,
  findOperatorSession,
  hasOperatorSession,
  lockVerified,
  proveOperatorSession,
  touchOperatorSession,
  updateOperator,
  type LocalOperatorRow,
} from '../../store/operators/operator-store.js';
import { findAgencies } from '../../store/accounts/agency-store.js';
import { inTransaction } from '../../store/transaction.js';
import type { AuditActor } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { operatorTimes } from '../limits/limits.js';
import { hashToken } from '../keys/keys.js';
import { checkCode, checkCurrentPassword } from './guesses.js';
import { endSession, recordSignIn, sessionIdleMs, startSession } from './operator-session.js';
import { describeOperator, type Operator } from './operators.js';
import { hashPassword, verifyPassword } from './password.js';

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
  /** The names of the agencies that the operator is limited to; none when it is all. */
  agencyNames: readonly string[];
  /** The token in the cookie. */
  token: string;
  /** Whether the password must be replaced first. */
  mustChangePassword: boolean;
  /** When it ends without further use. */
  endsAt: Date;
  /** When the operator last gave a code or a password: see {@link reauthenticate}. */
  provenAt: Date;
}

/** The dependencies of a sign-in. */
export type SignInContext = Pick<BridgeContext, 'db' | 'clock' | 'keys' | 'limiter' | 'withMutex' | 'log' | 'settings'>;

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
  return context.withMutex(`sign-in:${address}`, () =>
    countFailure(context, address, () => openSession(context, request)),
  );
}

/**
 * Runs a sign-in, and counts it when it resolves with `undefined`.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address.
 */
export async function countFailure<Result>(
  { limiter }: Pick<SignInContext, 'limiter'>,
  address: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  await limiter.take('failedSignIns', address);
  let isFailed = false;
  try {
    const result = await attempt();
    isFailed = result === undefined;
    return result;
  } finally {
    // An error is no failed attempt.
    if (!isFailed) await limiter.giveBack('failedSignIns', address);
  }
}

/**
 * Counts and records a sign-in that is refused for its text, before its name is searched.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address.
 */
export async function refuseSignIn(context: SignInContext, address: string): Promise<undefined> {
  await context.limiter.take('failedSignIns', address);
  await recordSignIn(context.db, context, 'operator.sign_in', undefined, 'refused');
}

async function openSession(
  context: SignInContext,
  { name, password, code }: SignInRequest,
): Promise<string | undefined> {
  const found = await findOperatorByName(context.db, name);
  const isRight = await verifyPassword(password, found?.passwordHash);
  const isAllowed = found !== undefined && isRight && found.disabledAt === null;
  const checked = isAllowed ? await checkSecondFactor(context, found, code) : 'refused';
  if (found === undefined || checked !== 'right') {
    // An unknown name is not recorded, because people sometimes type their password there by
    // mistake.
    await recordSignIn(context.db, context, 'operator.sign_in', found?.id, checked);
    return undefined;
  }
  // The time of the password, not of the lock, which a reset may hold.
  const provenAt = context.clock();
  const token = await inTransaction(context.db, async (trx) => {
    // Disabled or reset while the password was being hashed.
    if (!(await lockVerified(trx, found))) return undefined;
    await recordSignIn(trx, context, 'operator.sign_in', found.id, 'done');
    if (isEmergency(context)) await recordSignIn(trx, context, 'operator.emergency_sign_in', found.id, 'done');
    return startSession(trx, context, found, { provenAt });
  });
  if (token !== undefined && isEmergency(context)) {
    context.log.warn({ operatorId: found.id }, 'An operator signed in with a password, past single sign-on.');
  }
  return token;
}

/**
 * With an identity provider, passwords are for emergencies: they pass its rules for people who have
 * left, for devices and for second factors.
 */
function isEmergency({ settings }: Pick<BridgeContext, 'settings'>): boolean {
  return settings.singleSignOn !== undefined;
}

/** `too_many_codes` in the audit trail means that someone else knows the password. */
async function checkSecondFactor(
  context: SignInContext,
  operator: LocalOperatorRow,
  code: string,
): Promise<'right' | 'refused' | 'too_many_codes'> {
  if (operator.totpEncrypted === null) return 'right';
  try {
    return (await checkCode(context, operator, code)) ? 'right' : 'refused';
  } catch (error) {
    if (error instanceof ApiError) return 'too_many_codes';
    throw error;
  }
}

/**
 * Finds the session of a cookie; `undefined` when it has ended, or its operator was disabled or
 * reset.
 */
export async function findSignedIn(
  context: Pick<BridgeContext, 'db' | 'clock' | 'settings'>,
  token: string,
): Promise<OperatorSession | undefined> {
  const tokenHash = hashToken(token);
  const found = await findOperatorSession(context.db, tokenHash);
  if (found === undefined) return undefined;
  const { session, operator } = found;
  // Without its provider, the access of a person who has left would never end.
  if (operator.issuer !== null && context.settings.singleSignOn === undefined) return undefined;
  const now = context.clock();
  const idleEnd = session.seenAt.getTime() + sessionIdleMs;
  if (session.expiresAt <= now || idleEnd <= now.getTime()) return undefined;
  if (now.getTime() - session.seenAt.getTime() >= touchEveryMs) {
    await touchOperatorSession(context.db, tokenHash, now);
  }
  const endsAt = new Date(Math.min(session.expiresAt.getTime(), now.getTime() + sessionIdleMs));
  const described = describeOperator(operator);
  const agencies = described.scope === 'all' ? [] : await findAgencies(context.db, described.scope);
  return {
    operator: described,
    agencyNames: agencies.map(({ name }) => name),
    token,
    mustChangePassword: operator.isPasswordTemporary,
    endsAt,
    provenAt: session.provenAt,
  };
}

/**
 * The CSRF token of a session's forms. Derived from the session's token, so it is valid for this
 * session only, and a hash, so that the page does not contain the session's token.
 */
export function csrfTokenOf({ token }: Pick<OperatorSession, 'token'>): string {
  return hashToken(`csrf:${token}`).toString('base64url');
}

/**
 * Ends a session. Resolves with the ID token of its sign-in at an identity provider; with `undefined`
 * without one.
 */
export function signOut(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  { token }: Pick<OperatorSession, 'token'>,
): Promise<string | undefined> {
  return endSession(context, hashToken(token));
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
  const { db } = context;
  const { operatorId } = session.operator;
  return context.withMutex(`sign-in:${address}`, async () => {
    const row = await findLocalOperator(db, operatorId);
    if (row === undefined) return 'ended';
    if (!(await checkCurrentPassword(context, row, current, address))) return 'wrong';
    if (current === replacement) return 'unchanged';
    const passwordHash = await hashPassword(replacement);
    const tokenHash = hashToken(session.token);
    return inTransaction(db, async (trx) => {
      // Hashing twice takes long. An intruder whose change is in progress must not overwrite the
      // password of `operator reset`, which ends the intruder's session.
      if (!(await lockVerified(trx, row)) || !(await hasOperatorSession(trx, tokenHash))) return 'ended';
      const change = { passwordHash, isPasswordTemporary: false, updatedAt: context.clock() };
      await updateOperator(trx, operatorId, change);
      await deleteOperatorSessions(trx, operatorId, tokenHash);
      await recordSignIn(trx, context, 'operator.password_changed', operatorId, 'done');
      return 'changed';
    });
  });
}

/** Whether the operator gave a code or a password so recently that no other is asked for. */
export function isProven({ clock }: Pick<BridgeContext, 'clock'>, { provenAt }: OperatorSession): boolean {
  return clock().getTime() - provenAt.getTime() < operatorTimes.proofSeconds.max * 1_000;
}

/** The result of a proof. `ended`: the operator was reset, disabled or signed out meanwhile. */
export type Proof = 'right' | 'wrong' | 'ended';

/**
 * Checks that it is still the operator who uses a session: by a code of the authenticator app, or
 * by the password where there is none. Failures count as at the sign-in. `oidc-sign-in.ts` checks the
 * operators of an identity provider.
 *
 * @throws ApiError `too_many_logins` after too many failures from the address, or of the operator.
 */
export async function reauthenticate(
  context: SignInContext,
  session: OperatorSession,
  proof: string,
  address: string,
): Promise<Proof> {
  const { db, limiter } = context;
  const { operatorId } = session.operator;
  return context.withMutex(`sign-in:${address}`, async () => {
    const row = await findLocalOperator(db, operatorId);
    if (row === undefined) return 'ended';
    const isRight = await (row.totpEncrypted === null
      ? checkCurrentPassword(context, row, proof, address)
      : checkCode(context, row, proof));
    if (!isRight) {
      if (row.totpEncrypted !== null) await limiter.take('failedSignIns', address);
      await recordSignIn(db, context, 'operator.reauthenticated', operatorId, 'refused');
      return 'wrong';
    }
    return inTransaction(db, async (trx) => {
      // Reset or disabled while the password was being hashed.
      if (!(await lockVerified(trx, row))) return 'ended';
      const now = context.clock();
      if (!(await proveOperatorSession(trx, hashToken(session.token), now))) return 'ended';
      await recordSignIn(trx, context, 'operator.reauthenticated', operatorId, 'done');
      session.provenAt = now;
      return 'right';
    });
  });
}

/** The name of an operator of the console in the audit trail. */
export function actorOf({ operatorId }: Pick<Operator, 'operatorId'>): AuditActor {
  return `operator:${operatorId}`;
}
