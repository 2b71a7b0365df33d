import type { Mode, StateCode } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';
import type { ApplicationRow, ApplicationStateRow, NewApplicationRow } from './tables.js';

/** Whose data a caller may see: one agency's, in one mode. */
export interface Owner {
  agencyId: string;
  mode: Mode;
}

/** Writes a new application. */
export async function insertApplication(trx: DatabaseTransaction, application: NewApplicationRow): Promise<void> {
  await trx.insertInto('application').values(application).execute();
}

/** An application by its id, if it is the owner's. */
export function findApplication(db: Database, owner: Owner, id: string): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('application')
    .selectAll()
    .where('id', '=', id)
    .where('agency_id', '=', owner.agencyId)
    .where('mode', '=', owner.mode)
    .executeTakeFirst();
}

/**
 * Locks an application until the transaction ends; any owner's when none is given. Not `for update`: that would also keep rows
 * that refer to it from being written, which is how deadlocks are made.
 */
export function lockOwnApplication(
  trx: DatabaseTransaction,
  id: string,
  owner?: Owner,
): Promise<ApplicationRow | undefined> {
  const any = trx.selectFrom('application').selectAll().where('id', '=', id).forNoKeyUpdate();
  const own = owner ? any.where('agency_id', '=', owner.agencyId).where('mode', '=', owner.mode) : any;
  return own.executeTakeFirst();
}

/** What the departments said, by state. */
export function findApplicationStates(db: Database, applicationId: string): Promise<ApplicationStateRow[]> {
  return db.selectFrom('application_state').selectAll().where('application_id', '=', applicationId).execute();
}

/** What one department said. */
export function findApplicationState(
  db: Database,
  applicationId: string,
  state: StateCode,
): Promise<ApplicationStateRow | undefined> {
  return db
    .selectFrom('application_state')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** Gives every state of a submitted application its first status. */
export async function insertPendingStates(
  trx: DatabaseTransaction,
  application: Pick<ApplicationRow, 'id' | 'states'>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('application_state')
    .values(
      application.states.map((state) => ({
        application_id: application.id,
        state,
        status: 'pending_review' as const,
        reason: null,
        action_hash: null,
        action_url_override: null,
        updated_at: now,
      })),
    )
    .execute();
}

/** Writes what a department said now. */
export async function updateApplicationState(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
  change: Pick<
    ApplicationStateRow,
    'status' | 'reason' | 'action_serial' | 'action_hash' | 'action_url_override' | 'updated_at'
  >,
): Promise<void> {
  await trx
    .updateTable('application_state')
    .set(change)
    .where('application_id', '=', applicationId)
    .where('state', '=', state)
    .execute();
}
