/**
 * Sign-in to the console through an identity provider, and the fresh proof before the gravest acts.
 *
 * 1. The console begins a sign-in, and the browser keeps its secrets: see `SignInSecrets`.
 * 2. The person authenticates at the provider, which leads the browser back with a code.
 * 3. The provider exchanges code and secrets for the person and their claims. An error counts as a failed
 *    sign-in of the IP address.
 * 4. Role and agencies come from the claims, each time. Without them the sign-in is refused, and
 *    sessions that the person still has end.
 * 5. A session starts, or the session that asked for the proof is proven.
 *
 * The operator is the pair of issuer and subject, which never changes. Names and e-mail addresses do, and
 * the person may choose them, so they do not identify an operator.
 */
import { findAgencies } from '../../store/accounts/agency-store.js';
import {
  deleteOperatorSessions,
  findOperatorSession,
  insertOperator,
  lockOperatorBySubject,
  proveOperatorSession,
  updateOperator,
  type OperatorRow,
} from '../../store/operators/operator-store.js';
import type { Scope } from '../../store/scope.js';
import type { OperatorRole } from '../../store/tables/operator-tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { recordAudit, type AuditAction } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { IdentityProviderError, type Identity } from './identity-provider.js';
import { agenciesOf, roleOf, shownNameOf } from './operator-claims.js';
import { columnOf, namesOf } from './operators.js';
import { endSession, recordSignIn, startSession } from './operator-session.js';
import { countFailure, type SignInContext } from './sign-in.js';

/**
 * Why a person whom the provider knows is no operator: no role or no agency in the claims, or disabled
 * by `operator disable`.
 */
export type IdentityRefusal = 'no_role' | 'no_agency' | 'disabled';

/** The result of a sign-in: the token of the session, or why there is none. */
export type IdentifiedSignIn = { token: string } | { refusal: IdentityRefusal };

/**
 * How much earlier than the console the clock of the provider may say that a person authenticated, in
 * milliseconds.
 */
const clockToleranceMs = 30_000;

/**
 * Finishes a step at the provider, and counts and records it when it failed.
 *
 * @param ofSession The operator of the session that asks for a proof; absent for a sign-in.
 * @throws IdentityProviderError with the reason.
 * @throws ApiError `too_many_logins` after too many failures from the address.
 */
export async function identify(
  context: SignInContext,
  address: string,
  finish: () => Promise<Identity>,
  sessionHash?: Buffer,
): Promise<Identity> {
  let failure: unknown;
  const identity = await countFailure(context, address, async () => {
    try {
      return await finish();
    } catch (error) {
      // An outage is no attempt of an intruder.
      if (!(error instanceof IdentityProviderError) || error.failure === 'unavailable') throw error;
      failure = error;
      const session = sessionHash && (await findOperatorSession(context.db, sessionHash));
      const action = sessionHash === undefined ? 'operator.sign_in' : 'operator.reauthenticated';
      await recordSignIn(context.db, context, action, session?.operator.id, 'refused');
      return undefined;
    }
  });
  if (identity === undefined) throw failure;
  return identity;
}

/**
 * Signs a person in whom the provider has identified. The first time creates the operator.
 *
 * @param previous The hash of the session that the browser had; it ends, because a browser has one.
 */
export async function signInIdentity(
  context: SignInContext,
  identity: Identity,
  previous: Buffer | undefined,
): Promise<IdentifiedSignIn> {
  const signedIn = await inTransaction<IdentifiedSignIn>(context.db, async (trx) => {
    const admission = await admit(trx, context, identity);
    if ('refusal' in admission) {
      await recordSignIn(trx, context, 'operator.sign_in', admission.operatorId, resultOf(admission.refusal));
      return { refusal: admission.refusal };
    }
    await recordSignIn(trx, context, 'operator.sign_in', admission.operator.id, 'done');
    // A provider that knows the browser asks for nothing. So the time at which the person authenticated
    // counts, and without one the first grave act asks for a proof.
    const provenAt = notAfterNow(context, identity.authenticatedAt ?? new Date(0));
    const { idToken } = identity;
    return { token: await startSession(trx, context, admission.operator, { provenAt, idToken }) };
  });
  if ('token' in signedIn && previous !== undefined) await endSession(context, previous);
  return signedIn;
}

/** A provider whose clock is ahead must not lengthen a proof. */
function notAfterNow({ clock }: Pick<BridgeContext, 'clock'>, time: Date): Date {
  return new Date(Math.min(time.getTime(), clock().getTime()));
}

/**
 * The result of a proof. `other_person`: another one than the operator of the session authenticated;
 * `stale`: the provider did not authenticate the person again, or does not say when; `ended`: the
 * session has ended meanwhile.
 */
export type IdentityProof = 'right' | 'other_person' | 'stale' | 'ended' | IdentityRefusal;

/** A session that asks for a fresh proof of its operator. */
export interface AskingSession {
  sessionHash: Buffer;
  /** When the proof was asked for. */
  since: Date;
}

/** Checks that it is still the operator who uses a session, and renews role and agencies. */
export async function proveIdentity(
  context: SignInContext,
  identity: Identity,
  { sessionHash, since }: AskingSession,
): Promise<IdentityProof> {
  const { authenticatedAt } = identity;
  return inTransaction(context.db, async (trx) => {
    const found = await findOperatorSession(trx, sessionHash);
    if (found === undefined) return 'ended';
    const { id, issuer, subject } = found.operator;
    const record = (result: 'done' | 'refused') => recordSignIn(trx, context, 'operator.reauthenticated', id, result);
    const isSamePerson = issuer === identity.issuer && subject === identity.subject;
    const isFresh = authenticatedAt !== undefined && authenticatedAt.getTime() >= since.getTime() - clockToleranceMs;
    if (!isSamePerson || !isFresh) {
      await record('refused');
      return isSamePerson ? 'stale' : 'other_person';
    }
    const admission = await admit(trx, context, identity, sessionHash);
    if ('refusal' in admission) {
      await record('refused');
      return admission.refusal;
    }
    const provenAt = notAfterNow(context, authenticatedAt);
    if (!(await proveOperatorSession(trx, sessionHash, provenAt))) return 'ended';
    await record('done');
    return 'right';
  });
}

type Admission = { operator: OperatorRow } | { refusal: IdentityRefusal; operatorId: string | undefined };

/**
 * Creates or renews the operator by the claims, and locks the row.
 *
 * @param kept The hash of the session that continues. Default: none.
 */
async function admit(
  trx: DatabaseTransaction,
  context: SignInContext,
  identity: Identity,
  kept?: Buffer,
): Promise<Admission> {
  const access = await accessOf(trx, context, identity);
  const found = await lockOperatorBySubject(trx, identity);
  if (typeof access === 'string') {
    // The provider has taken the role away: what was opened with it must not stay open.
    if (found !== undefined) await deleteOperatorSessions(trx, found.id);
    return { refusal: access, operatorId: found?.id };
  }
  if (found !== undefined && found.disabledAt !== null) return { refusal: 'disabled', operatorId: found.id };
  if (found !== undefined) return { operator: await renew(trx, context, found, access, kept) };
  const created = await create(trx, context, identity, access);
  // Created by another sign-in of the same person meanwhile.
  return created === undefined ? admit(trx, context, identity, kept) : { operator: created };
}

/** The access of an operator according to the claims. */
interface Access {
  name: string;
  role: OperatorRole;
  scope: Scope;
}

async function accessOf(
  trx: DatabaseTransaction,
  { settings }: SignInContext,
  { claims, subject }: Identity,
): Promise<Access | 'no_role' | 'no_agency'> {
  const { singleSignOn } = settings;
  if (singleSignOn === undefined) return 'no_role';
  const role = roleOf(claims, singleSignOn);
  if (role === undefined) return 'no_role';
  const name = shownNameOf(claims, subject);
  const agencyIds = agenciesOf(claims, singleSignOn);
  if (agencyIds === 'all') return { name, role, scope: 'all' };
  // An unknown id would limit the operator to nothing, which looks like an empty queue.
  const known = (await findAgencies(trx, { agencyIds })).map(({ id }) => id);
  return known.length === 0 ? 'no_agency' : { name, role, scope: { agencyIds: known } };
}

async function create(
  trx: DatabaseTransaction,
  context: SignInContext,
  { issuer, subject }: Identity,
  { name, role, scope }: Access,
): Promise<OperatorRow | undefined> {
  const now = context.clock();
  const operator: OperatorRow = {
    id: randomId('opr'),
    name,
    role,
    agencyIds: columnOf(scope),
    issuer,
    subject,
    passwordHash: null,
    isPasswordTemporary: false,
    totpEncrypted: null,
    totpLastStep: null,
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
  };
  if (!(await insertOperator(trx, operator))) return undefined;
  await recordClaim(trx, context, 'operator.created', operator.id, 'done');
  await recordClaim(trx, context, 'operator.role_changed', operator.id, role);
  if (scope !== 'all') await recordClaim(trx, context, 'operator.agencies_changed', operator.id, namesOf(scope));
  return operator;
}

async function renew(
  trx: DatabaseTransaction,
  context: SignInContext,
  found: OperatorRow,
  { name, role, scope }: Access,
  kept: Buffer | undefined,
): Promise<OperatorRow> {
  const agencyIds = columnOf(scope);
  const hasRoleChanged = role !== found.role;
  const hasScopeChanged = JSON.stringify(agencyIds) !== JSON.stringify(found.agencyIds);
  if (!hasRoleChanged && !hasScopeChanged && name === found.name) return found;
  if (hasRoleChanged) await recordClaim(trx, context, 'operator.role_changed', found.id, role);
  if (hasScopeChanged) {
    await recordClaim(trx, context, 'operator.agencies_changed', found.id, namesOf(scope));
    // As at the command line, so that no open page shows more.
    await deleteOperatorSessions(trx, found.id, kept);
  }
  const change = { name, role, agencyIds, updatedAt: context.clock() };
  return (await updateOperator(trx, found.id, change)) ?? found;
}

/** Records what the claims changed. The bridge is the actor: the operator did not choose it. */
function recordClaim(
  trx: DatabaseTransaction,
  context: SignInContext,
  action: AuditAction,
  operatorId: string,
  result: string,
): Promise<void> {
  const subject = `operator:${operatorId}`;
  return recordAudit(trx, context, { agencyId: '', actor: 'bridge', action, subject, result });
}

/** A disabled operator is recorded as one with a password is. */
function resultOf(refusal: IdentityRefusal): string {
  return refusal === 'disabled' ? 'refused' : refusal;
}
