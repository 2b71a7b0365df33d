import { sql, type NotNull, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { OperatorSessionTable, OperatorTable } from '../tables/operator-tables.js';

/** A row of `operator` as it is read. */
export type OperatorRow = Selectable<OperatorTable>;

/** An operator with a password. */
export type LocalOperatorRow = OperatorRow & { passwordHash: string };

/** A row of `operator_session` as it is read. */
export type OperatorSessionRow = Selectable<OperatorSessionTable>;

/**
 * Writes a new operator. Resolves with `false` when the name of one with a password is taken, whatever
 * its case, or when the person of the identity provider is known.
 */
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

/** Finds an operator with a password by the typed name. */
export function findOperatorByName(db: Database, name: string): Promise<LocalOperatorRow | undefined> {
  return db
    .selectFrom('operator')
    .selectAll()
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('issuer', 'is', null)
    .$narrowType<{ passwordHash: NotNull }>()
    .executeTakeFirst();
}

/** Finds an operator with a password by id. */
export function findLocalOperator(db: Database, id: string): Promise<LocalOperatorRow | undefined> {
  return db
    .selectFrom('operator')
    .selectAll()
    .where('id', '=', id)
    .where('issuer', 'is', null)
    .$narrowType<{ passwordHash: NotNull }>()
    .executeTakeFirst();
}

/** The fields of an operator that may change. */
export type OperatorChange = Partial<
  Pick<
    OperatorRow,
    | 'name'
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

/**
 * Finds the operators with this name, whatever its case, or with this id, and locks their rows until
 * the transaction ends.
 */
export function lockOperatorsNamed(trx: DatabaseTransaction, nameOrId: string): Promise<OperatorRow[]> {
  return trx
    .selectFrom('operator')
    .selectAll()
    .where((eb) => eb.or([eb(sql`lower(name)`, '=', nameOrId.toLowerCase()), eb('id', '=', nameOrId)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Finds an operator by id, and locks the row until the transaction ends. */
export function lockOperator(trx: DatabaseTransaction, id: string): Promise<OperatorRow | undefined> {
  return trx.selectFrom('operator').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** A person of an identity provider. */
export interface IssuedSubject {
  issuer: string;
  /** The id of the person at the issuer. */
  subject: string;
}

/** Finds the operator of an identity provider, and locks the row until the transaction ends. */
export function lockOperatorBySubject(
  trx: DatabaseTransaction,
  { issuer, subject }: IssuedSubject,
): Promise<OperatorRow | undefined> {
  return trx
    .selectFrom('operator')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
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
  { id, passwordHash }: Pick<LocalOperatorRow, 'id' | 'passwordHash'>,
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

/** Writes a session. The caller has locked the operator, who is enabled. */
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

/** Ends a session. Resolves with it, or with `undefined` when it has ended. */
export function deleteOperatorSession(db: Database, tokenHash: Buffer): Promise<OperatorSessionRow | undefined> {
  return db.deleteFrom('operatorSession').where('tokenHash', '=', tokenHash).returningAll().executeTakeFirst();
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
