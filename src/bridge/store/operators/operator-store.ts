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
    'password_hash' | 'is_password_temporary' | 'totp_sealed' | 'totp_last_step' | 'disabled_at' | 'updated_at'
  >
>;

/** Changes an operator by id. Resolves with the row, or `undefined` when there is none. */
export function updateOperator(db: Database, id: string, change: OperatorChange): Promise<OperatorRow | undefined> {
  return db.updateTable('operator').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/**
 * Marks a time step of an operator's authenticator app as used. Resolves with `false` when this or
 * a later step was used already, so that a code works for one sign-in only.
 */
export async function takeTotpStep(db: Database, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Writes a session, unless the operator was disabled or the password changed meanwhile. Resolves
 * with whether it was written.
 */
export async function insertOperatorSession(
  trx: DatabaseTransaction,
  session: OperatorSessionRow,
  passwordHash: string,
): Promise<boolean> {
  const current = await trx
    .selectFrom('operator')
    .select('id')
    .where('id', '=', session.operator_id)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (current === undefined) return false;
  await trx.insertInto('operator_session').values(session).execute();
  return true;
}

/** A session and its operator. */
export interface FoundSession {
  session: OperatorSessionRow;
  operator: OperatorRow;
}

/** Finds the session of a token, unless its operator is disabled. */
export async function findOperatorSession(db: Database, tokenHash: Buffer): Promise<FoundSession | undefined> {
  const session = await db
    .selectFrom('operator_session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const operator = await db
    .selectFrom('operator')
    .selectAll()
    .where('id', '=', session.operator_id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return operator && { session, operator };
}

/** Records the last use of a session. */
export async function touchOperatorSession(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('operator_session').set({ seen_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Ends a session. */
export async function deleteOperatorSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('operator_session').where('token_hash', '=', tokenHash).execute();
}

/** Ends the sessions of an operator, except one where it is given. */
export async function deleteOperatorSessions(db: Database, operatorId: string, except?: Buffer): Promise<void> {
  await db
    .deleteFrom('operator_session')
    .where('operator_id', '=', operatorId)
    .$if(except !== undefined, (query) => query.where('token_hash', '<>', except ?? Buffer.alloc(0)))
    .execute();
}

/** Deletes the sessions that have ended by a time, or were last used at or before another time. */
export async function deleteEndedOperatorSessions(db: Database, ended: Date, lastSeen: Date): Promise<void> {
  await db
    .deleteFrom('operator_session')
    .where((eb) => eb.or([eb('expires_at', '<=', ended), eb('seen_at', '<=', lastSeen)]))
    .execute();
}
