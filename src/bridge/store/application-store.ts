import type { ProgressStep } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';
import { ownedBy, type Owner } from './owner.js';
import type { ApplicationRow, NewApplicationRow } from './tables.js';

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
    .where(ownedBy(owner, 'application'))
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
  const own = owner ? any.where(ownedBy(owner, 'application')) : any;
  return own.executeTakeFirst();
}

/** An application by its id. */
export function findApplicationById(db: Database, id: string): Promise<ApplicationRow> {
  return db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The application behind a link, by the hash of its token. */
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
