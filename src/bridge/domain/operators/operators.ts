import {
  deleteOperatorSessions,
  findOperatorByName,
  findOperators,
  insertOperator,
  updateOperator,
  type OperatorRow,
} from '../../store/operators/operator-store.js';
import type { OperatorRole } from '../../store/tables/operator-tables.js';
import { recordAudit, type AuditAction } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { generatePassword, hashPassword } from './password.js';
import { newTotpSecret, totpAddress, totpAssociatedData } from './totp.js';

/** The roles of operators. */
export const operatorRoles = ['view', 'file'] as const satisfies readonly OperatorRole[];

/** A person who works in the console. */
export interface Operator {
  operatorId: string;
  name: string;
  /**
   * `view` reads data that is not secret; `file` also reveals, files, decides, refunds and replays.
   */
  role: OperatorRole;
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

type OperatorContext = Pick<BridgeContext, 'db' | 'clock' | 'keys'>;

/** Creates an operator. Resolves with `undefined` when the name is taken, whatever its case. */
export async function createOperator(
  context: OperatorContext,
  { name, role, ...options }: AccessOptions & { name: string; role: OperatorRole },
): Promise<OperatorAccess | undefined> {
  const id = randomId('opr');
  const { access, columns } = await newAccess(context, id, name, options);
  const now = context.clock();
  const row = { id, name, role, ...columns, created_at: now, updated_at: now, disabled_at: null };
  return context.db.transaction().execute(async (trx) => {
    if (!(await insertOperator(trx, row))) return undefined;
    await record(trx, context, 'operator.created', id);
    return { operator: describeOperator(row), ...access };
  });
}

/** All operators, by name. */
export async function listOperators({ db }: Pick<BridgeContext, 'db'>): Promise<Operator[]> {
  return (await findOperators(db)).map(describeOperator);
}

/**
 * Disables an operator and ends their sessions. Resolves with `undefined` when there is none of
 * this name.
 */
export function disableOperator(context: OperatorContext, name: string): Promise<Operator | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const found = await findOperatorByName(trx, name);
    if (found === undefined) return undefined;
    const now = context.clock();
    const row = await updateOperator(trx, found.id, { disabled_at: found.disabled_at ?? now, updated_at: now });
    await deleteOperatorSessions(trx, found.id);
    await record(trx, context, 'operator.disabled', found.id);
    return row && describeOperator(row);
  });
}

/**
 * Sets a new password of an operator, and a new secret of the authenticator app or none. Ends the
 * operator's sessions, and enables a disabled operator. Resolves with `undefined` when there is
 * none with this name.
 */
export async function resetOperator(
  context: OperatorContext,
  name: string,
  options: AccessOptions,
): Promise<OperatorAccess | undefined> {
  const found = await findOperatorByName(context.db, name);
  if (found === undefined) return undefined;
  const { access, columns } = await newAccess(context, found.id, found.name, options);
  return context.db.transaction().execute(async (trx) => {
    const row = await updateOperator(trx, found.id, { ...columns, disabled_at: null, updated_at: context.clock() });
    await deleteOperatorSessions(trx, found.id);
    await record(trx, context, 'operator.reset', found.id);
    return row && { operator: describeOperator(row), ...access };
  });
}

/** An operator without secrets. */
export function describeOperator(row: OperatorRow): Operator {
  return {
    operatorId: row.id,
    name: row.name,
    role: row.role,
    hasTotp: row.totp_sealed !== null,
    createdAt: row.created_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? '',
  };
}

async function newAccess({ keys }: OperatorContext, id: string, name: string, { password, hasTotp }: AccessOptions) {
  const generated = password ?? generatePassword();
  const secret = hasTotp ? newTotpSecret() : undefined;
  return {
    access: {
      password: password === undefined ? generated : '',
      totpUrl: secret === undefined ? '' : totpAddress(secret, name),
    },
    columns: {
      password_hash: await hashPassword(generated),
      // The command line has shown this password, so the operator must replace it.
      is_password_temporary: password === undefined,
      totp_sealed: secret === undefined ? null : keys.encrypt(secret, totpAssociatedData(id)),
      totp_last_step: null,
    },
  };
}

function record(db: BridgeContext['db'], context: OperatorContext, action: AuditAction, id: string): Promise<void> {
  return recordAudit(db, context, {
    agencyId: '',
    actor: 'operator',
    action,
    subject: `operator:${id}`,
    result: 'done',
  });
}
