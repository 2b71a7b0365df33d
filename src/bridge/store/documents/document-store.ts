import { sql, type Selectable } from 'kysely';
import type { StateCode } from '../../../contract/index.js';
import type { DocumentStorage } from '../../ports/document-storage.js';
import type { DocumentTable } from '../tables/document-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `document` as it is read. */
export type DocumentRow = Selectable<DocumentTable>;

/** The purpose of documents: the application itself, or one request of a state. */
export interface DocumentPurpose {
  state: StateCode | null;
  serial: number | null;
}

/** Reads the documents of an application that are stored and not removed, oldest first. */
export function findDocuments(db: Database, applicationId: string): Promise<DocumentRow[]> {
  return db
    .selectFrom('document')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('storedAt', 'is not', null)
    .where('removedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** A document by its id, unless it was removed. */
export function findDocument(db: Database, id: string): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('document')
    .selectAll()
    .where('id', '=', id)
    .where('storedAt', 'is not', null)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
}

/** Finds the document of an upload, also a removed one. */
export function findUpload(db: Database, applicationId: string, uploadId: string): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('document')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('uploadId', '=', uploadId)
    .executeTakeFirst();
}

/**
 * Counts the documents of an application, including uploads in progress that started after a time,
 * without the one that an upload replaces.
 */
export async function countDocuments(
  trx: DatabaseTransaction,
  applicationId: string,
  { since, replaced }: { since: Date; replaced: { id: string | undefined; purpose: DocumentPurpose } },
): Promise<number> {
  const { count } = await trx
    .selectFrom('document')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('applicationId', '=', applicationId)
    .where('removedAt', 'is', null)
    .where((eb) => eb.or([eb('storedAt', 'is not', null), eb('createdAt', '>', since)]))
    // The browser names the replaced document. Only one that the upload will remove makes room.
    .$if(replaced.id !== undefined, (query) =>
      query.where((eb) =>
        eb.not(
          eb.and([
            eb('id', '=', replaced.id ?? ''),
            eb('state', 'is not distinct from', replaced.purpose.state),
            eb('serial', 'is not distinct from', replaced.purpose.serial),
          ]),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** Records an upload, before its content is stored. */
export async function insertDocument(trx: DatabaseTransaction, row: DocumentRow): Promise<void> {
  await trx.insertInto('document').values(row).execute();
}

/**
 * Records that the content of a document is stored. Resolves with `false` when the document was
 * removed meanwhile.
 */
export async function settleDocument(trx: DatabaseTransaction, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('document')
    .set({ storedAt: now })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Removes documents: their names and keys at once, their content with the next
 * {@link findLeftovers}.
 */
export async function removeDocuments(
  trx: DatabaseTransaction,
  where: { applicationIds: readonly string[]; id?: string; purpose?: DocumentPurpose },
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('document')
    .set({ removedAt: now, nameEncrypted: null, keyEncrypted: null, subjectEncrypted: null })
    .where('applicationId', 'in', where.applicationIds)
    .where('removedAt', 'is', null)
    .$if(where.id !== undefined, (query) => query.where('id', '=', where.id ?? ''))
    .$if(where.purpose !== undefined, (query) =>
      query
        .where('state', 'is not distinct from', where.purpose?.state ?? null)
        .where('serial', 'is not distinct from', where.purpose?.serial ?? null),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Reads the ids of documents that were removed, or whose upload was interrupted before a time. */
export async function findLeftovers(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document')
    .select('id')
    .where(sql<boolean>`(stored_at is null or removed_at is not null)`)
    .where((eb) => eb.or([eb('removedAt', 'is not', null), eb('createdAt', '<=', before)]))
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the rows of documents whose content was deleted. */
export async function deleteDocuments(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('document')
    .where('id', 'in', ids)
    .where(sql<boolean>`(stored_at is null or removed_at is not null)`)
    .execute();
}

/**
 * The default {@link DocumentStorage}: a database table, so that a backup of the database is
 * complete.
 */
export function createTableStorage(db: Database): DocumentStorage {
  return {
    async put(id, content) {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      await db
        .insertInto('documentContent')
        .values({ id, content: bytes })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ content: bytes }))
        .execute();
    },
    async get(id) {
      const row = await db.selectFrom('documentContent').select('content').where('id', '=', id).executeTakeFirst();
      return row?.content;
    },
    async remove(id) {
      await db.deleteFrom('documentContent').where('id', '=', id).execute();
    },
  };
}
