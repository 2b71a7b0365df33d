import { sql, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { OperatorSessionTable, OperatorTable } from '../tables/operator-tables.js';

/** A row of `operator` as it is read. */
export type OperatorRow = Selectable<OperatorTable>;

/** A row of `operator_session` as it is read. */
export type OperatorSessionRow = Selectable<OperatorSessionTable>;

/** Writes a new operator. Resolves with `false` when the name is taken, whatever its case. */
export async function insertOperator(db: Database, operator: OperatorRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('operator')
    .values(operator)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** All operators, by name. */
export function findOperators(db: Database): Promise<OperatorRow[]> {
  return db.selectFrom('operator').selectAll().orderBy('name').execute();
}

/** Finds an operator by the typed name. */
export function findOperatorByName(db: Database, name: string): Promise<OperatorRow | undefined> {
  return db
    .selectFrom('operator')
    .selectAll()
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
}

/** The fields of an operator that may change. */
export type OperatorChange = Partial<
  Pick<
    OperatorRow,
    | 'role'
    | 'agencyIds'
    | 'passwordHash'
    | 'isPasswordTemporary'
    | 'totpEncrypted'
    | 'totpLastStep'
    | 'disabledAt'
    | 'updatedAt'
  >
>;

/** Changes an operator by id. Resolves with the row, or `undefined` when there is none. */
export function updateOperator(db: Database, id: string, change: OperatorChange): Promise<OperatorRow | undefined> {
  return db.updateTable('operator').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Finds an operator by the typed name, and locks the row until the transaction ends. */
export function lockOperatorByName(trx: DatabaseTransaction, name: string): Promise<OperatorRow | undefined> {
  return trx
    .selectFrom('operator')
    .selectAll()
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks an operator until the transaction ends, if the password that was verified is still the
 * current one and the operator is enabled. Resolves with whether that is so. Verifying takes long
 * enough for `operator reset` to commit in between, so everything that follows from a verified
 * password is written behind this lock.
 */
export async function lockVerified(
  trx: DatabaseTransaction,
  { id, passwordHash }: Pick<OperatorRow, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const current = await trx
    .selectFrom('operator')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('disabledAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return current !== undefined;
}

/**
 * Marks a time step of an operator's authenticator app as used. Resolves with `false` when this or
 * a later step was used already, so that a code works for one sign-in only, or when the secret that
 * the code was compared with was replaced.
 */
export async function takeTotpStep(
  db: Database,
  { id, totpEncrypted: encrypted }: Pick<OperatorRow, 'id' | 'totpEncrypted'>,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator')
    .set({ totpLastStep: step })
    .where('id', '=', id)
    .where('totpEncrypted', '=', encrypted)
    .where((eb) => eb.or([eb('totpLastStep', 'is', null), eb('totpLastStep', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Writes a session. The caller has locked the operator by {@link lockVerified}. */
export async function insertOperatorSession(trx: DatabaseTransaction, session: OperatorSessionRow): Promise<void> {
  await trx.insertInto('operatorSession').values(session).execute();
}

/** A session and its operator. */
export interface FoundSession {
  session: OperatorSessionRow;
  operator: OperatorRow;
}

/** Finds the session of a token, unless its operator is disabled. */
export async function findOperatorSession(db: Database, tokenHash: Buffer): Promise<FoundSession | undefined> {
  const session = await db
    .selectFrom('operatorSession')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const operator = await db
    .selectFrom('operator')
    .selectAll()
    .where('id', '=', session.operatorId)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  return operator && { session, operator };
}

/** Whether a session has not been ended, such as by a sign-out. */
export async function hasOperatorSession(trx: DatabaseTransaction, tokenHash: Buffer): Promise<boolean> {
  const found = await trx
    .selectFrom('operatorSession')
    .select('tokenHash')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return found !== undefined;
}

/** Records the last use of a session. */
export async function touchOperatorSession(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('operatorSession').set({ seenAt: now }).where('tokenHash', '=', tokenHash).execute();
}

/** Records a proof of the operator in a session. Resolves with `false` when the session has ended. */
export async function proveOperatorSession(trx: DatabaseTransaction, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('operatorSession')
    .set({ provenAt: now })
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a session. */
export async function deleteOperatorSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('operatorSession').where('tokenHash', '=', tokenHash).execute();
}

/** Ends the sessions of an operator, except one where it is given. */
export async function deleteOperatorSessions(db: Database, operatorId: string, except?: Buffer): Promise<void> {
  await db
    .deleteFrom('operatorSession')
    .where('operatorId', '=', operatorId)
    .$if(except !== undefined, (query) => query.where('tokenHash', '<>', except ?? Buffer.alloc(0)))
    .execute();
}

/** Deletes the sessions that have ended by a time, or were last used at or before another time. */
export async function deleteEndedOperatorSessions(db: Database, ended: Date, lastSeen: Date): Promise<void> {
  await db
    .deleteFrom('operatorSession')
    .where((eb) => eb.or([eb('expiresAt', '<=', ended), eb('seenAt', '<=', lastSeen)]))
    .execute();
}
