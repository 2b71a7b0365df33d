import { type Insertable, type Selectable, sql } from 'kysely';
import type { MailTable } from '../tables/mail-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `mail` as it is read. */
export type MailRow = Selectable<MailTable>;

/** Adds a mail, unless its purpose has one. Resolves with whether it was added. */
export async function insertMail(
  trx: DatabaseTransaction,
  mail: Pick<Insertable<MailTable>, 'purpose' | 'applicationId' | 'kind' | 'createdAt'>,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('mail')
    .values(mail)
    .onConflict((conflict) => conflict.doNothing())
    .returning('purpose')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Finds the mail of a purpose; `undefined` when it was erased. */
export function findMail(db: Database, purpose: string): Promise<MailRow | undefined> {
  return db.selectFrom('mail').selectAll().where('purpose', '=', purpose).executeTakeFirst();
}

/** Records what became of a try to send a mail. */
export async function updateMail(
  db: Database | DatabaseTransaction,
  purpose: string,
  change: Partial<Pick<MailRow, 'attempts' | 'sentAt' | 'droppedAt' | 'problem'>>,
): Promise<void> {
  await db.updateTable('mail').set(change).where('purpose', '=', purpose).execute();
}

/** Reads the mails of an application, oldest first. */
export function findMailsOf(db: Database, applicationId: string): Promise<MailRow[]> {
  return db
    .selectFrom('mail')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('createdAt')
    .orderBy('purpose')
    .execute();
}

/** Deletes the mails of applications. A job that still waits for one then sends nothing. */
export async function deleteMailsOf(trx: DatabaseTransaction, applicationIds: string[]): Promise<void> {
  await trx.deleteFrom('mail').where('applicationId', 'in', applicationIds).execute();
}

/** Deletes the mails that are as old as `before`, or older. */
export async function deleteOldMails(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('mail').where('createdAt', '<=', before).execute();
}

/** The numbers of mails that were not sent. */
export interface UnsentMails {
  /** A try has failed, and they are tried again. */
  retrying: number;
  /** Refused by the mail server, or failed for too long. Outdated ones do not count. */
  failed: number;
}

/** Counts the mails that were not sent. */
export function countUnsentMails(db: Database): Promise<UnsentMails> {
  return db
    .selectFrom('mail')
    .select([
      sql<number>`count(*) filter (where dropped_at is null and attempts > 0)::int`.as('retrying'),
      sql<number>`count(*) filter (where dropped_at is not null and problem is not null)::int`.as('failed'),
    ])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow();
}
