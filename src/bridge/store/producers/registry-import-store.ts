import type { Mode } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { ImportProgress } from '../tables/registry-tables.js';

/** How far an import of a file has come that did not finish; `undefined` when there is none. */
export async function findImportProgress(
  db: Database,
  mode: Mode,
  fileHash: Buffer,
): Promise<ImportProgress | undefined> {
  const row = await db
    .selectFrom('registry_import')
    .select('progress')
    .where('mode', '=', mode)
    .where('file_hash', '=', fileHash)
    .executeTakeFirst();
  return row?.progress;
}

/** Keeps how far an import has come, in the transaction of what it did. */
export async function saveImportProgress(
  trx: DatabaseTransaction,
  key: { mode: Mode; fileHash: Buffer },
  progress: ImportProgress,
  now: Date,
): Promise<void> {
  const row = { progress: JSON.stringify(progress), updated_at: now };
  await trx
    .insertInto('registry_import')
    .values({ mode: key.mode, file_hash: key.fileHash, ...row })
    .onConflict((conflict) => conflict.columns(['mode', 'file_hash']).doUpdateSet(row))
    .execute();
}

/** Forgets an import that has finished: the same file may be imported again, and means the same again. */
export async function deleteImportProgress(db: Database, mode: Mode, fileHash: Buffer): Promise<void> {
  await db.deleteFrom('registry_import').where('mode', '=', mode).where('file_hash', '=', fileHash).execute();
}
