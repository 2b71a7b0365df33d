import type { ProgressStep } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { ApplicationRow, ApplicationStateRow } from '../tables/tables.js';

/** An application by its id, if it is the owner's. */
export function findApplication(db: Database, owner: Owner, id: string): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('application')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'application'))
    .executeTakeFirst();
}

/** An application with its states, in no order; without any before it is submitted. */
export interface ApplicationWithStates {
  application: ReadApplicationRow;
  states: ApplicationStateRow[];
}

/** What operation 19 shows of an application. */
export type ReadApplicationRow = Pick<ApplicationRow, (typeof readColumns)[number]>;

const readColumns = [
  'id',
  'session_id',
  'user_id',
  'application_type',
  'license_type',
  'states',
  'payment_method',
  'step',
  'submitted_at',
] as const;

/** As {@link findApplication}, with what the departments said. One query: it is the one that partners ask most. */
export async function findApplicationWithStates(
  db: Database,
  owner: Owner,
  id: string,
): Promise<ApplicationWithStates | undefined> {
  const rows = await applicationWithStates(db, { ...owner, id });
  const states = rows.flatMap((row) => (row.state === null ? [] : [row]));
  return rows[0] && { application: rows[0], states };
}

const applicationWithStates = statement('application_with_states', (db, given: Owner & { id: string }) =>
  db
    .selectFrom('application')
    .leftJoin('application_state', 'application_state.application_id', 'application.id')
    .select(readColumns)
    .select([
      'application_id',
      'state',
      'status',
      'reason',
      'action_serial',
      'action_hash',
      'action_url_override',
      'updated_at',
    ])
    .where('id', '=', given.id)
    .where(ownedBy(given, 'application'))
    .$castTo<ReadApplicationRow & (ApplicationStateRow | { state: null })>(),
);

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
  const own = owner ? any.where(ownedBy(owner, 'application')) : any;
  return own.executeTakeFirst();
}

/** An application by its id. */
export function findApplicationById(db: Database, id: string): Promise<ApplicationRow> {
  return db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The application whose newest session has a link, by the hash of its token. */
export function findApplicationByLink(db: Database, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return db.selectFrom('application').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** As {@link findApplicationByLink}, and nobody else changes it until the transaction ends. */
export function lockApplicationByLink(trx: DatabaseTransaction, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return trx
    .selectFrom('application')
    .selectAll()
    .where('link_hash', '=', linkHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Notes that an application moved on. */
export async function moveApplication(
  trx: DatabaseTransaction,
  id: string,
  change: { step: ProgressStep; started_at?: Date; submitted_at?: Date },
): Promise<void> {
  await trx.updateTable('application').set(change).where('id', '=', id).execute();
}
