import type { StateCode } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { ApplicationRow, ApplicationStateRow } from '../tables/tables.js';

/** The states of an application with what their departments said, by code. */
export function findApplicationStates(db: Database, applicationId: string): Promise<ApplicationStateRow[]> {
  return db
    .selectFrom('application_state')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('state')
    .execute();
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

/** The request for action behind a link. */
export function findStateByActionLink(db: Database, actionHash: Buffer): Promise<ApplicationStateRow | undefined> {
  return db.selectFrom('application_state').selectAll().where('action_hash', '=', actionHash).executeTakeFirst();
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
