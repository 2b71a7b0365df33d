/** The start and the end of an operator's session, however the operator signs in. */
import {
  deleteOperatorSession,
  insertOperatorSession,
  type OperatorRow,
} from '../../store/operators/operator-store.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { recordAudit, type AuditAction } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { hashToken, randomToken } from '../keys/keys.js';

/** The idle timeout of a session. */
export const sessionIdleMs = 30 * 60_000;

/** The maximum duration of a session: a working day. */
export const sessionTtlMs = 12 * 3_600_000;

/** How a session starts. */
export interface SessionStart {
  /** When the operator last proved who they are. Default: now. */
  provenAt?: Date;
  /** The ID token of the sign-in, for the sign-out at the identity provider. Default: none. */
  idToken?: string;
}

/**
 * Starts a session of an operator whose row is locked and enabled. Resolves with its token, which is
 * random: no value that the browser sent becomes a session, which prevents session fixation.
 */
export async function startSession(
  trx: DatabaseTransaction,
  { clock, keys }: Pick<BridgeContext, 'clock' | 'keys'>,
  { id }: Pick<OperatorRow, 'id'>,
  { provenAt, idToken }: SessionStart = {},
): Promise<string> {
  const token = randomToken();
  const now = clock();
  await insertOperatorSession(trx, {
    tokenHash: hashToken(token),
    operatorId: id,
    createdAt: now,
    seenAt: now,
    provenAt: provenAt ?? now,
    expiresAt: new Date(now.getTime() + sessionTtlMs),
    // It contains the name and the e-mail address of the operator.
    idTokenEncrypted: idToken === undefined ? null : keys.of('live').encrypt(idToken, idTokenAssociatedData(id)),
  });
  return token;
}

/**
 * Ends a session. Resolves with the ID token of its sign-in; with `undefined` without one, and when the
 * session has ended already.
 */
export async function endSession(
  { db, clock, keys }: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const ended = await deleteOperatorSession(db, tokenHash);
  if (ended === undefined) return undefined;
  await recordSignIn(db, { clock }, 'operator.sign_out', ended.operatorId, 'done');
  const { idTokenEncrypted: encrypted, operatorId } = ended;
  // Without its key the sign-out at the provider asks the operator, which is no reason to fail.
  if (encrypted === null || !keys.of('live').canDecrypt(encrypted)) return undefined;
  return keys.of('live').decrypt(encrypted, idTokenAssociatedData(operatorId));
}

/** The associated data of an encrypted ID token: the operator of the session. */
export function idTokenAssociatedData(operatorId: string): string {
  return `operator:${operatorId}:id-token`;
}

/** Records what an operator, or an unknown person, did to sign in. */
export function recordSignIn(
  db: Database,
  context: Pick<BridgeContext, 'clock'>,
  action: AuditAction,
  operatorId: string | undefined,
  result: string,
): Promise<void> {
  const subject = operatorId === undefined ? '' : (`operator:${operatorId}` as const);
  // A refused sign-in is not proof that it was the operator with that name.
  const actor = subject === '' || result !== 'done' ? 'unknown' : subject;
  return recordAudit(db, context, { agencyId: '', actor, action, subject, result });
}
