import { sql } from 'kysely';
import type { Mode, ProducerSection } from '../../../contract/index.js';
import type { ImportProgress, StoredLicenses, StoredProducer } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A producer as it is written. */
export interface WrittenProducer {
  npn: string;
  detail: StoredProducer;
  firstName: string;
  lastName: string;
  activeLicenses: StoredLicenses;
  lookUpHash: Buffer | null;
  ssnEncrypted: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A stored producer, as an import reads it. */
export interface StoredProducerRecord extends Pick<
  WrittenProducer,
  'detail' | 'lookUpHash' | 'ssnEncrypted' | 'createdAt' | 'updatedAt'
> {
  npn: number;
}

/** An update as it is written. */
export interface WrittenUpdate {
  npn: string;
  updatedAt: Date;
  changes: ProducerSection[];
  detail: StoredProducer;
}

const registryLock = 1_860_235_771;

/**
 * Locks a mode's registry until the transaction ends. An import reads before it writes, so it takes
 * an exclusive lock; callers that only add missing producers share the lock.
 */
export async function lockRegistry(trx: DatabaseTransaction, mode: Mode, as: 'alone' | 'shared'): Promise<void> {
  await (as === 'alone'
    ? sql`select pg_advisory_xact_lock(${registryLock}, hashtext(${mode}))`.execute(trx)
    : sql`select pg_advisory_xact_lock_shared(${registryLock}, hashtext(${mode}))`.execute(trx));
}

/** Reads the stored producers of some NPNs. */
export function findProducersForImport(
  trx: DatabaseTransaction,
  mode: Mode,
  npns: readonly string[],
): Promise<StoredProducerRecord[]> {
  return trx
    .selectFrom('registryProducer')
    .select(['npn', 'detail', 'lookUpHash', 'ssnEncrypted', 'createdAt', 'updatedAt'])
    .where('mode', '=', mode)
    .where(sql<boolean>`npn = any(${npns}::bigint[])`)
    .execute();
}

/** Inserts or updates producers. */
export async function upsertProducers(
  trx: DatabaseTransaction,
  mode: Mode,
  producers: readonly WrittenProducer[],
): Promise<void> {
  await sql`${insertion(mode, producers)}
    on conflict (mode, npn) do update set
      first_name = excluded.first_name, last_name = excluded.last_name, look_up_hash = excluded.look_up_hash,
      ssn_encrypted = excluded.ssn_encrypted, active_licenses = excluded.active_licenses, detail = excluded.detail,
      updated_at = excluded.updated_at`.execute(trx);
}

/** Inserts the producers that do not exist yet. Resolves with their NPNs. */
export async function insertMissingProducers(
  db: Database,
  mode: Mode,
  producers: readonly WrittenProducer[],
): Promise<Set<string>> {
  const { rows } = await sql<{
    npn: number;
  }>`${insertion(mode, producers)} on conflict do nothing returning npn`.execute(db);
  return new Set(rows.map(({ npn }) => String(npn)));
}

/**
 * One JSON document for all rows: in arrays the driver would quote each value, and documents in
 * them twice.
 */
function insertion(mode: Mode, producers: readonly WrittenProducer[]) {
  const rows = producers.map((producer) => ({
    ...producer,
    lookUpHash: producer.lookUpHash && `\\x${producer.lookUpHash.toString('hex')}`,
  }));
  return sql`insert into registry_producer (mode, npn, first_name, last_name, look_up_hash, ssn_encrypted, active_licenses, detail,
      created_at, updated_at)
    select ${mode}, r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (npn bigint, "firstName" text, "lastName" text,
      "lookUpHash" bytea, "ssnEncrypted" text, "activeLicenses" jsonb, detail json, "createdAt" timestamptz, "updatedAt" timestamptz)`;
}

/** Writes updates, in their order. */
export async function insertUpdates(
  trx: DatabaseTransaction,
  mode: Mode,
  updates: readonly WrittenUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  await trx
    .insertInto('registryUpdate')
    .values(
      updates.map(({ npn, updatedAt, changes, detail }) => ({
        mode,
        npn: Number(npn),
        updatedAt,
        changes,
        detail: JSON.stringify(detail),
      })),
    )
    .execute();
}

/** Reads the progress of an unfinished import of a file; `undefined` when there is none. */
export async function findImportProgress(
  db: Database,
  mode: Mode,
  fileHash: Buffer,
): Promise<ImportProgress | undefined> {
  const row = await db
    .selectFrom('registryImport')
    .select('progress')
    .where('mode', '=', mode)
    .where('fileHash', '=', fileHash)
    .executeTakeFirst();
  return row?.progress;
}

/** Stores the progress of an import, in the transaction of its changes. */
export async function saveImportProgress(
  trx: DatabaseTransaction,
  key: { mode: Mode; fileHash: Buffer },
  progress: ImportProgress,
  now: Date,
): Promise<void> {
  const row = { progress: JSON.stringify(progress), updatedAt: now };
  await trx
    .insertInto('registryImport')
    .values({ mode: key.mode, fileHash: key.fileHash, ...row })
    .onConflict((conflict) => conflict.columns(['mode', 'fileHash']).doUpdateSet(row))
    .execute();
}

/** Deletes the progress of a finished import, so that the same file can be imported again. */
export async function deleteImportProgress(db: Database, mode: Mode, fileHash: Buffer): Promise<void> {
  await db.deleteFrom('registryImport').where('mode', '=', mode).where('fileHash', '=', fileHash).execute();
}
