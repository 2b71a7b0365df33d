import type { Selectable } from 'kysely';
import { lookUpHash, ssnAssociatedData } from '../registry/table-registry.js';
import {
  countEncryptedWithOldKey,
  findEncryptedWithOldKey,
  replaceEncrypted,
  type ReEncrypted,
  type EncryptedColumnName,
  type EncryptedRow,
} from '../store/keys/key-store.js';
import type { Tables } from '../store/tables/tables.js';
import { sqlName } from '../store/tables/typed-database.js';
import { webhookSecretAssociatedData } from '../domain/accounts/agency.js';
import { actionAnswerAssociatedData } from '../domain/applications/action.js';
import { applicantAssociatedData } from '../domain/applications/identity.js';
import { noteAssociatedData } from '../domain/applications/notes.js';
import { applicantProofAssociatedData, proofAssociatedData } from '../domain/applications/proof-code.js';
import { searchHashesOf } from '../domain/applications/search.js';
import { associatedData } from '../domain/applications/session.js';
import { type AuditedContext, recordLongChange } from '../domain/audit/audit.js';
import type { BridgeContext } from '../domain/context.js';
import { documentAssociatedData } from '../domain/documents/content-key.js';
import { idTokenAssociatedData } from '../domain/operators/operator-session.js';
import { totpAssociatedData } from '../domain/operators/totp.js';
import { encryptedPrefix, type KeyRing, newestIds, UnknownKeyError } from '../domain/keys/keys.js';
import { subjectOfNewest } from '../domain/keys/secret-keys.js';

/** The result for the encrypted texts of one column. */
export interface ReEncryptedColumn {
  /** The name in SQL. */
  table: string;
  /** The name in SQL. */
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
export function reEncrypt(context: AuditedContext & Pick<BridgeContext, 'keys'>): Promise<ReEncryptedColumn[]> {
  const reEncryptColumns = async () => {
    const columns: ReEncryptedColumn[] = [];
    for (const column of encryptedColumns) columns.push(await reEncryptColumn(context, column));
    return columns;
  };
  const subject = subjectOfNewest(context.keys);
  return recordLongChange(context, { action: 'keys.re_encrypted', subject }, reEncryptColumns, (columns) =>
    columns.reduce((sum, { reEncrypted }) => sum + reEncrypted, 0),
  );
}

async function reEncryptColumn(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  column: EncryptedColumn,
): Promise<ReEncryptedColumn> {
  const newest = newestIds(keys);
  const prefixes = { live: encryptedPrefix(newest.live), test: encryptedPrefix(newest.test) };
  let [reEncrypted, unreadable] = [0, 0];
  let last: EncryptedRow | undefined;
  for (;;) {
    const rows = await findEncryptedWithOldKey(db, column, prefixes, last, batchSize);
    if (rows.length === 0) break;
    const readable = rows.flatMap((row) => {
      const ring = keys.of(row.keyMode);
      const plain = decrypt(ring, column, row);
      return plain === undefined ? [] : [encryptWithNewest(ring, column, row, plain)];
    });
    unreadable += rows.length - readable.length;
    reEncrypted += await replaceEncrypted(db, column, readable);
    last = rows.at(-1);
  }
  return {
    table: sqlName(column.table),
    column: sqlName(column.column),
    reEncrypted,
    unreadable,
    left: await countEncryptedWithOldKey(db, column, prefixes),
  };
}

function decrypt(keys: KeyRing, { column, associatedDataOf }: EncryptedColumn, row: EncryptedRow): string | undefined {
  try {
    return keys.decrypt(String(row[column]), associatedDataOf(row));
  } catch (error) {
    // Any other error is a text that was changed or moved, which must be reported.
    if (error instanceof UnknownKeyError) return undefined;
    throw error;
  }
}

function encryptWithNewest(keys: KeyRing, column: EncryptedColumn, row: EncryptedRow, plain: string): ReEncrypted {
  const encrypted = keys.encrypt(plain, column.associatedDataOf(row));
  return { row, change: { [column.column]: encrypted, ...column.also(row, plain, keys) } };
}

/** A column with encrypted texts. */
export interface EncryptedColumn extends EncryptedColumnName {
  /** The associated data of the texts of a row. */
  associatedDataOf(row: EncryptedRow): string;
  /** Other columns of the row that depend on the key and the text, with their values as JSON. */
  also(row: EncryptedRow, plain: string, keys: KeyRing): ReEncrypted['change'];
}

/** Every column with encrypted texts. Add new ones here, or their texts keep using old keys. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn('applicant', 'ssnEncrypted', ['agencyId', 'mode', 'userId'], 'column', applicantAssociatedData),
  encryptedColumn(
    'applicant',
    'proofEmailEncrypted',
    ['agencyId', 'mode', 'userId'],
    'column',
    applicantProofAssociatedData,
  ),
  encryptedColumn('application', 'proofEmailEncrypted', ['id'], 'column', proofAssociatedData),
  encryptedColumn(
    'applicationStep',
    'encrypted',
    ['applicationId', 'step'],
    'application',
    (row) => associatedData(row.applicationId, row.step),
    // The search asks for the hashes of all keys, but an old key is to be removed some day.
    ({ step }, secret, keys) => ({ searchHashes: step === 'profile' ? searchHashesOf(keys, secret) : null }),
  ),
  encryptedColumn('applicationAction', 'answerEncrypted', ['applicationId', 'state', 'serial'], 'application', (row) =>
    actionAnswerAssociatedData(row.applicationId, row.state, row.serial),
  ),
  encryptedColumn('applicationNote', 'textEncrypted', ['id'], 'application', (row) =>
    noteAssociatedData(row.applicationId, row.id),
  ),
  // The content of a document is encrypted with the key in this column, and does not change.
  encryptedColumn('document', 'keyEncrypted', ['id'], 'application', (row) =>
    documentAssociatedData('key', row.applicationId, row.id),
  ),
  encryptedColumn('document', 'subjectEncrypted', ['id'], 'application', (row) =>
    documentAssociatedData('subject', row.applicationId, row.id),
  ),
  encryptedColumn('document', 'nameEncrypted', ['id'], 'application', (row) =>
    documentAssociatedData('name', row.applicationId, row.id),
  ),
  encryptedColumn('operator', 'totpEncrypted', ['id'], 'live', (row) => totpAssociatedData(row.id)),
  encryptedColumn('operatorSession', 'idTokenEncrypted', ['tokenHash'], 'live', (row) =>
    idTokenAssociatedData(row.operatorId),
  ),
  encryptedColumn('webhookSecret', 'secretEncrypted', ['agencyId', 'mode'], 'column', webhookSecretAssociatedData),
  encryptedColumn(
    'registryProducer',
    'ssnEncrypted',
    ['mode', 'npn'],
    'column',
    ({ mode, npn }) => ssnAssociatedData(mode, String(npn)),
    // The SSN is available here, so its look-up hash is computed with the newest key as well.
    ({ mode, detail }, ssn, keys) => ({
      lookUpHash: `\\x${lookUpHash(keys, mode, detail.biographic.lastName, ssn).toString('hex')}`,
    }),
  ),
];

function encryptedColumn<Table extends keyof Tables>(
  table: Table,
  column: keyof Tables[Table] & string,
  key: (keyof Tables[Table] & string)[],
  modeOf: EncryptedColumnName['modeOf'],
  associatedDataOf: (row: Selectable<Tables[Table]>) => string,
  also: (row: Selectable<Tables[Table]>, plain: string, keys: KeyRing) => ReEncrypted['change'] = () => ({}),
): EncryptedColumn {
  return { table, column, key, modeOf, associatedDataOf, also };
}
