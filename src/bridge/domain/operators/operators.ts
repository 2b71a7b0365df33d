import {
  deleteOperatorSessions,
  findOperators,
  insertOperator,
  lockOperatorsNamed,
  updateOperator,
  type IssuedSubject,
  type OperatorRow,
} from '../../store/operators/operator-store.js';
import type { Scope } from '../../store/scope.js';
import type { OperatorRole } from '../../store/tables/operator-tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, recordAudit, type AuditAction, type AuditedContext } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { generatePassword, hashPassword } from './password.js';
import { newTotpSecret, totpAddress, totpAssociatedData } from './totp.js';

/** The roles of operators. Each includes those before it. */
export const operatorRoles = ['view', 'file', 'supervise'] as const satisfies readonly OperatorRole[];

/** Whether an operator has a role, or one that includes it. */
export function hasRole({ role }: Pick<Operator, 'role'>, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

/** A person who works in the console. */
export interface Operator {
  operatorId: string;
  name: string;
  /**
   * `local` with a password of this bridge; otherwise the person at the identity provider, whose name,
   * role and agencies each sign-in renews.
   */
  identity: 'local' | IssuedSubject;
  /**
   * `view` reads data that is not secret; `file` also reveals, files, decides, refunds and replays;
   * `supervise` also frees the filings that others have claimed.
   */
  role: OperatorRole;
  /** The agencies whose data the operator sees and works with. */
  scope: Scope;
  /** Whether the sign-in requires a code of an authenticator app. */
  hasTotp: boolean;
  createdAt: string;
  /** "" while the operator may sign in. */
  disabledAt: string;
}

/** The credentials of an operator, shown once. */
export interface OperatorAccess {
  operator: Operator;
  /** "" when the password was given. */
  password: string;
  /** The `otpauth:` URL for the authenticator app; "" without one. */
  totpUrl: string;
}

/** Options for the sign-in of an operator. */
export interface AccessOptions {
  /** The password. Default: a random one, which the operator must replace at the next sign-in. */
  password?: string | undefined;
  /** Whether the sign-in requires codes of an authenticator app. */
  hasTotp: boolean;
}

type OperatorContext = AuditedContext & Pick<BridgeContext, 'keys'>;

/** Creates an operator. Resolves with `undefined` when the name is taken, whatever its case. */
export async function createOperator(
  context: OperatorContext,
  { name, role, scope, ...options }: AccessOptions & Pick<Operator, 'name' | 'role' | 'scope'>,
): Promise<OperatorAccess | undefined> {
  const id = randomId('opr');
  const { access, columns } = await newAccess(context, id, name, options);
  const now = context.clock();
  const agencyIds = columnOf(scope);
  const identity = { issuer: null, subject: null };
  const row = { id, name, role, agencyIds, ...identity, ...columns, createdAt: now, updatedAt: now, disabledAt: null };
  return inTransaction(context.db, async (trx) => {
    if (!(await insertOperator(trx, row))) return undefined;
    await record(trx, context, 'operator.created', id);
    if (scope !== 'all') await record(trx, context, 'operator.agencies_changed', id, namesOf(scope));
    return { operator: describeOperator(row), ...access };
  });
}

/** All operators, by name. */
export async function listOperators({ db }: Pick<BridgeContext, 'db'>): Promise<Operator[]> {
  return (await findOperators(db)).map(describeOperator);
}

/** A command that cannot be done with the operator of this name. The message says what to do. */
export class OperatorCommandError extends Error {
  override readonly name = 'OperatorCommandError';
}

/**
 * Locks the operator of a command by name or id.
 *
 * @throws OperatorCommandError when several have the name: a command that chose one of them might miss
 *   the one that is meant.
 */
async function lockNamed(trx: DatabaseTransaction, nameOrId: string): Promise<OperatorRow | undefined> {
  const found = await lockOperatorsNamed(trx, nameOrId);
  // By the id first: people can choose their name at the provider, such as the id of another operator.
  const byId = found.find(({ id }) => id === nameOrId);
  if (byId !== undefined || found.length <= 1) return byId ?? found[0];
  const choices = found.map(({ id, issuer }) => `${id} (${issuer ?? 'password'})`).join(', ');
  throw new OperatorCommandError(`Several operators have this name: ${choices}. Give the id as --name.`);
}

/**
 * Locks an operator with a password, as {@link lockNamed} does.
 *
 * @throws OperatorCommandError when it is one of an identity provider.
 */
async function lockLocal(trx: DatabaseTransaction, nameOrId: string): Promise<OperatorRow | undefined> {
  const found = await lockNamed(trx, nameOrId);
  if (found === undefined || found.issuer === null) return found;
  throw new OperatorCommandError(
    `${found.id} signs in at ${found.issuer}. Change the role, agencies and access there.`,
  );
}

/**
 * Disables an operator and ends their sessions. Resolves with `undefined` when there is none of
 * this name or id.
 */
export function disableOperator(context: OperatorContext, name: string): Promise<Operator | undefined> {
  return inTransaction(context.db, async (trx) => {
    const found = await lockNamed(trx, name);
    if (found === undefined) return undefined;
    const now = context.clock();
    const row = await updateOperator(trx, found.id, { disabledAt: found.disabledAt ?? now, updatedAt: now });
    await deleteOperatorSessions(trx, found.id);
    await record(trx, context, 'operator.disabled', found.id);
    return row && describeOperator(row);
  });
}

/**
 * Lets a disabled operator sign in again. Resolves with `undefined` when there is none of this name or
 * id.
 */
export function enableOperator(context: OperatorContext, name: string): Promise<Operator | undefined> {
  return inTransaction(context.db, async (trx) => {
    const found = await lockNamed(trx, name);
    if (found === undefined) return undefined;
    if (found.disabledAt === null) return describeOperator(found);
    const row = await updateOperator(trx, found.id, { disabledAt: null, updatedAt: context.clock() });
    await record(trx, context, 'operator.enabled', found.id);
    return row && describeOperator(row);
  });
}

/** The parts of an operator's sign-in that a reset changes besides the password. */
export interface ResetOptions {
  /** The password. Default: a random one, which the operator must replace at the next sign-in. */
  password?: string | undefined;
  /** The secret of the authenticator app. */
  totp: 'keep' | 'replace' | 'remove';
  /** Whether a disabled operator may sign in again. */
  enable: boolean;
}

/** The credentials after a reset, and what the reset did besides the password. */
export interface OperatorReset extends OperatorAccess {
  /** What became of the authenticator app; `none` where there was and is none. */
  totp: 'none' | 'kept' | 'replaced' | 'removed';
  /** Whether the operator was disabled before, and is not any more. */
  isEnabledAgain: boolean;
}

/**
 * Sets a new password of an operator and ends their sessions. The authenticator app and a
 * disablement change only when the options say so: a reset of the password must not weaken a
 * sign-in, or undo a decision, as a side effect. Resolves with `undefined` when there is none with
 * this name.
 *
 * @throws OperatorCommandError for an operator of an identity provider.
 */
export async function resetOperator(
  context: OperatorContext,
  name: string,
  options: ResetOptions,
): Promise<OperatorReset | undefined> {
  // Hashed before anything is read, and written whatever the row is by then: a reset is the last
  // word against an intruder, who could otherwise keep changing the password to defeat it.
  const { password, columns } = await newPassword(options.password);
  return inTransaction(context.db, async (trx) => {
    const found = await lockLocal(trx, name);
    if (found === undefined) return undefined;
    const { id } = found;
    const totp = totpAfterReset(context, found, options.totp);
    const isEnabledAgain = options.enable && found.disabledAt !== null;
    const change = { ...columns, ...totp.columns, ...(isEnabledAgain ? { disabledAt: null } : {}) };
    const row = await updateOperator(trx, id, { ...change, updatedAt: context.clock() });
    await deleteOperatorSessions(trx, id);
    await record(trx, context, 'operator.reset', id);
    if (totp.did === 'replaced' || totp.did === 'removed') {
      await record(trx, context, 'operator.totp_changed', id, totp.did);
    }
    if (isEnabledAgain) await record(trx, context, 'operator.enabled', id);
    return row && { operator: describeOperator(row), password, totpUrl: totp.url, totp: totp.did, isEnabledAgain };
  });
}

function totpAfterReset(
  { keys }: OperatorContext,
  { id, name, totpEncrypted: encrypted }: OperatorRow,
  totp: ResetOptions['totp'],
): { did: OperatorReset['totp']; url: string; columns: Partial<TotpColumns> } {
  if (totp === 'keep') return { did: encrypted === null ? 'none' : 'kept', url: '', columns: {} };
  const { url, columns } = newTotp(keys, { id, name }, totp === 'replace');
  return { did: totp === 'replace' ? 'replaced' : encrypted === null ? 'none' : 'removed', url, columns };
}

/**
 * Changes the role of an operator, which counts from their next request on. Resolves with
 * `undefined` when there is none with this name.
 *
 * @throws OperatorCommandError for an operator of an identity provider.
 */
export function changeRole(context: OperatorContext, name: string, role: OperatorRole): Promise<Operator | undefined> {
  return inTransaction(context.db, async (trx) => {
    const found = await lockLocal(trx, name);
    if (found === undefined) return undefined;
    const row = await updateOperator(trx, found.id, { role, updatedAt: context.clock() });
    await record(trx, context, 'operator.role_changed', found.id, role);
    return row && describeOperator(row);
  });
}

/**
 * Changes the agencies that an operator is limited to, and ends their sessions, so that no open page
 * shows more. Resolves with `undefined` when there is none with this name.
 *
 * @throws OperatorCommandError for an operator of an identity provider.
 */
export function changeScope(context: OperatorContext, name: string, scope: Scope): Promise<Operator | undefined> {
  return inTransaction(context.db, async (trx) => {
    const found = await lockLocal(trx, name);
    if (found === undefined) return undefined;
    const row = await updateOperator(trx, found.id, { agencyIds: columnOf(scope), updatedAt: context.clock() });
    await deleteOperatorSessions(trx, found.id);
    await record(trx, context, 'operator.agencies_changed', found.id, namesOf(scope));
    return row && describeOperator(row);
  });
}

/** Whether an agency is in both scopes. */
export function doScopesMeet(one: Scope, other: Scope): boolean {
  if (one === 'all' || other === 'all') return true;
  return one.agencyIds.some((agencyId) => other.agencyIds.includes(agencyId));
}

/** A scope as it is stored. */
export function columnOf(scope: Scope): string[] | null {
  return scope === 'all' ? null : [...scope.agencyIds];
}

/** A scope in the audit trail. */
export function namesOf(scope: Scope): string {
  return scope === 'all' ? scope : scope.agencyIds.join(',');
}

/** An operator without secrets. */
export function describeOperator(row: OperatorRow): Operator {
  return {
    operatorId: row.id,
    name: row.name,
    identity: row.issuer === null ? 'local' : { issuer: row.issuer, subject: row.subject ?? '' },
    role: row.role,
    scope: row.agencyIds === null ? 'all' : { agencyIds: row.agencyIds },
    hasTotp: row.totpEncrypted !== null,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? '',
  };
}

async function newAccess({ keys }: OperatorContext, id: string, name: string, { password, hasTotp }: AccessOptions) {
  const secret = await newPassword(password);
  const totp = newTotp(keys, { id, name }, hasTotp);
  return {
    access: { password: secret.password, totpUrl: totp.url },
    columns: { ...secret.columns, ...totp.columns },
  };
}

/** The columns of a password, and the password itself when it was generated. */
async function newPassword(given: string | undefined) {
  const password = given ?? generatePassword();
  // The command line shows a generated password, so the operator must replace it.
  const columns = { passwordHash: await hashPassword(password), isPasswordTemporary: given === undefined };
  return { password: given === undefined ? password : '', columns };
}

type TotpColumns = Pick<OperatorRow, 'totpEncrypted' | 'totpLastStep'>;

/** A new secret of the authenticator app, or none. */
function newTotp(
  keys: OperatorContext['keys'],
  { id, name }: Pick<OperatorRow, 'id' | 'name'>,
  isWanted: boolean,
): { url: string; columns: TotpColumns } {
  if (!isWanted) return { url: '', columns: { totpEncrypted: null, totpLastStep: null } };
  const secret = newTotpSecret();
  const totpEncrypted = keys.of('live').encrypt(secret, totpAssociatedData(id));
  return { url: totpAddress(secret, name), columns: { totpEncrypted, totpLastStep: null } };
}

function record(
  db: BridgeContext['db'],
  context: OperatorContext,
  action: AuditAction,
  id: string,
  result = 'done',
): Promise<void> {
  const actor = actorOfContext(context);
  return recordAudit(db, context, { agencyId: '', actor, action, subject: `operator:${id}`, result });
}
