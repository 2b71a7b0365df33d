import type { Selectable } from 'kysely';
import type { ApplicationNoteTable } from '../tables/operator-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `application_note` as it is read. */
export type ApplicationNoteRow = Selectable<ApplicationNoteTable>;

/** Stores a note. */
export async function insertNote(trx: DatabaseTransaction, note: ApplicationNoteRow): Promise<void> {
  await trx.insertInto('applicationNote').values(note).execute();
}

/** The notes of an application, newest first. */
export function findNotes(db: Database | DatabaseTransaction, applicationId: string): Promise<ApplicationNoteRow[]> {
  return db
    .selectFrom('applicationNote')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Counts the notes of an application. */
export async function countNotes(db: Database | DatabaseTransaction, applicationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('applicationNote')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('applicationId', '=', applicationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the notes of applications. */
export async function deleteNotesOf(trx: DatabaseTransaction, applicationIds: string[]): Promise<void> {
  await trx.deleteFrom('applicationNote').where('applicationId', 'in', applicationIds).execute();
}
