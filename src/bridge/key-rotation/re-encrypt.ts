import type { Selectable } from 'kysely';
import { lookUpHash, ssnAssociatedData } from '../registry/table-registry.js';
import {
  countSealedWithOldKey,
  findSealedWithOldKey,
  replaceSealed,
  type ReEncrypted,
  type SealedColumnName,
  type SealedRow,
} from '../store/keys/key-store.js';
import type { Tables } from '../store/tables/tables.js';
import { webhookSecretAssociatedData } from '../domain/accounts/agency.js';
import { actionAnswerAssociatedData } from '../domain/applications/action.js';
import { applicantAssociatedData } from '../domain/applications/identity.js';
import { associatedData } from '../domain/applications/session.js';
import type { BridgeContext } from '../domain/context.js';
import { documentAssociatedData } from '../domain/documents/content-key.js';
import { totpAssociatedData } from '../domain/operators/totp.js';
import { type Keys, sealedPrefix, UnknownKeyError } from '../domain/keys/keys.js';

/** The result for the encrypted texts of one column. */
export interface ReEncryptedColumn {
  table: string;
  column: string;
  /** Texts that were re-encrypted with the newest key. */
  reEncrypted: number;
  /** Texts whose key is missing: without it they are lost. */
  unreadable: number;
  /** Texts that still use another key than the newest. */
  left: number;
}

/** The number of texts per batch. */
const batchSize = 500;

/**
 * Re-encrypts texts of older keys with the newest key in batches, while the bridge is serving. It
 * can be interrupted, repeated and run twice at once: rows that another process changes meanwhile
 * are skipped.
 */
export async function reEncrypt(context: Pick<BridgeContext, 'db' | 'keys'>): Promise<ReEncryptedColumn[]> {
  const tables: ReEncryptedColumn[] = [];
  for (const column of sealedColumns) tables.push(await reEncryptColumn(context, column));
  return tables;
}

async function reEncryptColumn(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  column: SealedColumn,
): Promise<ReEncryptedColumn> {
  const prefix = sealedPrefix(keys.newestId);
  let [reEncrypted, unreadable] = [0, 0];
  let last: SealedRow | undefined;
  for (;;) {
    const rows = await findSealedWithOldKey(db, column, prefix, last, batchSize);
    if (rows.length === 0) break;
    const readable = rows.flatMap((row) => {
      const plain = unsealed(keys, column, row);
      return plain === undefined ? [] : [sealedAnew(keys, column, row, plain)];
    });
    unreadable += rows.length - readable.length;
    reEncrypted += await replaceSealed(db, column, readable);
    last = rows.at(-1);
  }
  return {
    table: column.table,
    column: column.column,
    reEncrypted,
    unreadable,
    left: await countSealedWithOldKey(db, column, prefix),
  };
}

function unsealed(
  keys: BridgeContext['keys'],
  { column, associatedDataOf }: SealedColumn,
  row: SealedRow,
): string | undefined {
  try {
    return keys.decrypt(String(row[column]), associatedDataOf(row));
  } catch (error) {
    // Any other error is a text that was changed or moved, which must be reported.
    if (error instanceof UnknownKeyError) return undefined;
    throw error;
  }
}

function sealedAnew(keys: BridgeContext['keys'], column: SealedColumn, row: SealedRow, plain: string): ReEncrypted {
  const sealed = keys.encrypt(plain, column.associatedDataOf(row));
  return { row, change: { [column.column]: sealed, ...column.also(row, plain, keys) } };
}

/** A column with encrypted texts. */
export interface SealedColumn extends SealedColumnName {
  /** The associated data of the texts of a row. */
  associatedDataOf(row: SealedRow): string;
  /** Other columns of the row that depend on the key and the text, with their values as JSON. */
  also(row: SealedRow, plain: string, keys: Keys): Record<string, string>;
}

/** Every column with encrypted texts. Add new ones here, or their texts keep using old keys. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn('applicant', 'ssn_sealed', ['agency_id', 'mode', 'user_id'], applicantAssociatedData),
  sealedColumn('application_step', 'sealed', ['application_id', 'step'], (row) =>
    associatedData(row.application_id, row.step),
  ),
  sealedColumn('application_action', 'answer_sealed', ['application_id', 'state', 'serial'], (row) =>
    actionAnswerAssociatedData(row.application_id, row.state, row.serial),
  ),
  sealedColumn('document', 'key_sealed', ['id'], (row) => documentAssociatedData('key', row.application_id, row.id)),
  sealedColumn('document', 'kind_sealed', ['id'], (row) => documentAssociatedData('kind', row.application_id, row.id)),
  sealedColumn('document', 'name_sealed', ['id'], (row) => documentAssociatedData('name', row.application_id, row.id)),
  sealedColumn('operator', 'totp_sealed', ['id'], (row) => totpAssociatedData(row.id)),
  sealedColumn('webhook_secret', 'secret_sealed', ['agency_id', 'mode'], (row) =>
    webhookSecretAssociatedData({ agencyId: row.agency_id, mode: row.mode }),
  ),
  sealedColumn(
    'registry_producer',
    'ssn_sealed',
    ['mode', 'npn'],
    ({ mode, npn }) => ssnAssociatedData(mode, String(npn)),
    // The SSN is available here, so its look-up hash is computed with the newest key as well.
    ({ mode, detail }, ssn, keys) => ({
      look_up_hash: `\\x${lookUpHash(keys, mode, detail.biographic.lastName, ssn).toString('hex')}`,
    }),
  ),
];

function sealedColumn<Table extends keyof Tables>(
  table: Table,
  column: keyof Tables[Table] & string,
  key: (keyof Tables[Table] & string)[],
  associatedDataOf: (row: Selectable<Tables[Table]>) => string,
  also: (row: Selectable<Tables[Table]>, plain: string, keys: Keys) => Record<string, string> = () => ({}),
): SealedColumn {
  return { table, column, key, associatedDataOf, also };
}
