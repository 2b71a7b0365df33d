import type { Mode, StateCode } from '../../../contract/index.js';
import { writeSubject, type DocumentSubject } from '../../catalogue/document-subjects.js';
import type { DocumentType } from '../../ports/document-scanner.js';
import {
  countDocuments,
  deleteDocuments,
  type DocumentPurpose,
  type DocumentRow,
  findDocument,
  findDocuments,
  findLeftovers,
  findUpload,
  insertDocument,
  removeDocuments,
  settleDocument,
} from '../../store/documents/document-store.js';
import { findApplicationById } from '../../store/applications/application-store.js';
import { recordDocuments } from '../applications/background.js';
import { adapterErrorCode } from '../../ports/adapter-error.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';
import { inputLimits } from '../limits/limits.js';
import { createContentKey, decryptContent, documentAssociatedData, encryptContent } from './content-key.js';
import { sniffContent } from './content-type.js';
import { changeTarget, type DocumentTarget } from './target.js';

/** An uploaded file. */
export interface UploadedFile {
  /** Chosen by the page: the same id means the same upload, sent again after a lost answer. */
  uploadId: string;
  /** The name of the user's file. Private: it often describes the content. */
  name: string;
  content: Buffer;
  /** The id of the document that it replaces. */
  replaces?: string | undefined;
  /** The part of an answer that the user chose. */
  subject?: DocumentSubject | undefined;
}

/**
 * The reason why a file was not stored. `unavailable`: the scanner or the storage did not answer; a
 * retry may succeed.
 */
export type UploadProblem = 'empty' | 'tooLarge' | 'wrongType' | 'cutOff' | 'tooMany' | 'infected' | 'unavailable';

/** The result of an upload. `closed`: the application or the request is not open any more. */
export type UploadResult =
  { status: 'saved'; id: string } | { status: 'refused'; problem: UploadProblem } | { status: 'closed' };

/** The details of a document that a page may show. They do not reveal its subject. */
export interface ListedDocument {
  id: string;
  type: DocumentType;
  /** In bytes. */
  size: number;
  createdAt: Date;
  state: StateCode | null;
}

/** A decrypted document, for an operator or a department. */
export interface ReadDocument extends ListedDocument {
  name: string;
  isScanned: boolean;
  content: Buffer;
}

/** An upload takes at most five minutes: older ones were interrupted. */
const uploadMs = 3_600_000;

/**
 * Stores a document:
 *
 * 1. Its type is detected from its content, and it is scanned, before anything is written.
 * 2. A row is written with its encrypted name and key, under the lock of the application, so that
 *    concurrent uploads cannot exceed the limit.
 * 3. The encrypted content is stored.
 * 4. The row is marked as stored, unless the application was submitted or the document removed
 *    meanwhile. Only then is the upload acknowledged; after a crash before that, `deleteLeftovers`
 *    removes the rest.
 */
export async function saveDocument(
  context: BridgeContext,
  target: DocumentTarget,
  file: UploadedFile,
): Promise<UploadResult> {
  const { content } = file;
  const refuse = (problem: UploadProblem): UploadResult => ({ status: 'refused', problem });
  if (content.length === 0) return refuse('empty');
  if (content.length > inputLimits.documentBytes.max) return refuse('tooLarge');
  const type = sniffContent(content);
  if (type === 'other') return refuse('wrongType');
  if (type === 'cutOff') return refuse('cutOff');
  const scanned = await scan(context, content, type);
  if (scanned === 'infected' || scanned === 'unavailable') return refuse(scanned);

  const key = createContentKey();
  const reserved = await changeTarget(context, target, async (trx, { applicationId, mode, purpose }) => {
    const isScanned = scanned === 'clean';
    const row = await reserve(context, trx, { applicationId, mode, purpose, type, key, isScanned, file });
    return row === undefined || row === 'tooMany' ? row : { row, mode };
  });
  if (reserved === undefined) return { status: 'closed' };
  if (reserved === 'tooMany') return refuse('tooMany');
  const { row, mode } = reserved;
  if (row.storedAt !== null) return { status: 'saved', id: row.id };
  const { id, applicationId } = row;
  try {
    await context.documents.storage.put(
      id,
      encryptContent(content, keyOf(context, mode, row), associatedDataOf('content', row)),
    );
  } catch (error) {
    // Only the code: the message of an adapter's error may contain personal data.
    context.log.warn(
      { documentId: id, code: adapterErrorCode(error) },
      'The document storage did not store a document.',
    );
    return refuse('unavailable');
  }
  const settled = await changeTarget(context, target, async (trx, { purpose, session }) => {
    const now = context.clock();
    const isWanted = await settleDocument(trx, id, now);
    const { replaces } = file;
    if (isWanted && replaces !== undefined && replaces !== id)
      await removeDocuments(trx, { applicationIds: [applicationId], id: replaces, purpose }, now);
    // Counted again: the browser may send the upload again without the document that made room for it.
    const hasRoom = await hasRoomFor(trx, applicationId, { now, replaced: { id, purpose } });
    if (!hasRoom) await removeDocuments(trx, { applicationIds: [applicationId], id }, now);
    if (session) await recordDocuments(context, trx, session);
    if (!isWanted) return undefined;
    return hasRoom ? 'saved' : 'tooMany';
  });
  if (settled === 'tooMany') return refuse('tooMany');
  return settled === 'saved' ? { status: 'saved', id } : { status: 'closed' };
}

async function reserve(
  context: BridgeContext,
  trx: Parameters<typeof insertDocument>[0],
  upload: {
    applicationId: string;
    mode: Mode;
    purpose: DocumentPurpose;
    type: DocumentType;
    key: string;
    isScanned: boolean;
    file: UploadedFile;
  },
): Promise<DocumentRow | 'tooMany' | undefined> {
  const { applicationId, mode, purpose, type, key, isScanned, file } = upload;
  const keys = context.keys.of(mode);
  const now = context.clock();
  const known = await findUpload(trx, applicationId, file.uploadId);
  // Removed meanwhile on another page: it stays removed.
  if (known !== undefined) return known.removedAt === null ? known : undefined;
  const replaced = { id: file.replaces, purpose };
  if (!(await hasRoomFor(trx, applicationId, { now, replaced }))) return 'tooMany';
  const id = randomId('doc');
  const row: DocumentRow = {
    id,
    applicationId,
    uploadId: file.uploadId,
    ...purpose,
    type,
    size: file.content.length,
    isScanned,
    nameEncrypted: keys.encrypt(tidyName(file.name), documentAssociatedData('name', applicationId, id)),
    keyEncrypted: keys.encrypt(key, documentAssociatedData('key', applicationId, id)),
    subjectEncrypted:
      file.subject === undefined
        ? null
        : keys.encrypt(writeSubject(file.subject), documentAssociatedData('subject', applicationId, id)),
    createdAt: now,
    storedAt: null,
    removedAt: null,
  };
  await insertDocument(trx, row);
  return row;
}

/** Whether the application takes one more document instead of the replaced one. */
async function hasRoomFor(
  trx: Parameters<typeof countDocuments>[0],
  applicationId: string,
  { now, replaced }: { now: Date; replaced: Parameters<typeof countDocuments>[2]['replaced'] },
): Promise<boolean> {
  const since = new Date(now.getTime() - uploadMs);
  const others = await countDocuments(trx, applicationId, { since, replaced });
  return others < inputLimits.documentsPerApplication.max;
}

async function scan(
  { documents, log }: BridgeContext,
  content: Buffer,
  type: DocumentType,
): Promise<'clean' | 'infected' | 'unavailable' | undefined> {
  try {
    return await documents.scanner?.scan(content, type);
  } catch (error) {
    log.warn({ code: adapterErrorCode(error) }, 'The document scanner did not answer.');
    return 'unavailable';
  }
}

/** Reads the documents of a target, oldest first. */
export async function listDocuments(
  { db }: Pick<BridgeContext, 'db'>,
  applicationId: string,
  purpose?: DocumentPurpose,
): Promise<ListedDocument[]> {
  const rows = await findDocuments(db, applicationId);
  return rows
    .filter(({ state, serial }) => purpose === undefined || (state === purpose.state && serial === purpose.serial))
    .map(listed);
}

/** Removes a document of an open target. Resolves with whether it existed. */
export async function removeDocument(context: BridgeContext, target: DocumentTarget, id: string): Promise<boolean> {
  const removed = await changeTarget(context, target, async (trx, { applicationId, purpose, session }) => {
    const count = await removeDocuments(trx, { applicationIds: [applicationId], id, purpose }, context.clock());
    if (session && count > 0) await recordDocuments(context, trx, session);
    return count;
  });
  return removed !== undefined && removed > 0;
}

/**
 * Reads a document for an operator. The audit entry is written first: when it cannot be written,
 * nothing is shown. Resolves with `undefined` when there is none with this id.
 *
 * @param note Why an operator who has not claimed a filing with it reads it.
 */
export async function readDocument(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'documents'>,
  { documentId, actor, note }: { documentId: string; actor: AuditActor; note?: string | undefined },
): Promise<ReadDocument | undefined> {
  const row = await findDocument(context.db, documentId);
  if (row === undefined) return undefined;
  const application = await findApplicationById(context.db, row.applicationId);
  await recordAudit(context.db, context, {
    agencyId: application.agencyId,
    mode: application.mode,
    actor,
    action: 'document.read',
    subject: `${row.applicationId}/${documentId}`,
    result: 'shown',
    note,
  });
  return openDocument(context, application.mode, row);
}

/**
 * Decrypts a document. Callers write an audit entry first. @throws Error when its content or its
 * key is missing, or the content is not the one that was stored.
 */
export async function openDocument(
  context: Pick<BridgeContext, 'keys' | 'documents'>,
  mode: Mode,
  row: DocumentRow,
): Promise<ReadDocument> {
  const encrypted = await context.documents.storage.get(row.id);
  if (encrypted === undefined) throw new Error(`The content of the document ${row.id} is not in the storage.`);
  const content = openContent(encrypted, keyOf(context, mode, row), row);
  return { ...listed(row), name: documentName(context, mode, row), isScanned: row.isScanned, content };
}

/** The error of the cipher does not contain which document it is about. */
function openContent(encrypted: Uint8Array, key: string, row: DocumentRow): Buffer {
  try {
    return decryptContent(encrypted, key, associatedDataOf('content', row));
  } catch (error) {
    throw new Error(`The content of the document ${row.id} was changed in the storage.`, { cause: error });
  }
}

/** Decrypts the name of a document. */
export function documentName({ keys }: Pick<BridgeContext, 'keys'>, mode: Mode, row: DocumentRow): string {
  return keys.of(mode).decrypt(row.nameEncrypted ?? '', associatedDataOf('name', row));
}

const leftoversAtOnce = 100;

/** Deletes the content of documents that were removed, erased, or never completely uploaded. */
export async function deleteLeftovers(
  context: Pick<BridgeContext, 'db' | 'clock' | 'log' | 'documents'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(context.clock().getTime() - uploadMs);
  while (signal?.aborted !== true) {
    const ids = await findLeftovers(context.db, before, leftoversAtOnce);
    if (ids.length === 0) return;
    try {
      for (const id of ids) await context.documents.storage.remove(id);
    } catch (error) {
      context.log.warn(
        { code: adapterErrorCode(error) },
        'The document storage did not remove a document. The removal is tried again.',
      );
      return;
    }
    await deleteDocuments(context.db, ids);
  }
}

function listed({ id, type, size, createdAt, state }: DocumentRow): ListedDocument {
  return { id, type, size, createdAt, state };
}

function keyOf({ keys }: Pick<BridgeContext, 'keys'>, mode: Mode, row: DocumentRow): string {
  return keys.of(mode).decrypt(row.keyEncrypted ?? '', associatedDataOf('key', row));
}

function associatedDataOf(part: Parameters<typeof documentAssociatedData>[0], row: DocumentRow): string {
  return documentAssociatedData(part, row.applicationId, row.id);
}

/** The last part of a path, without characters that are unsafe in a terminal or an archive. */
function tidyName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{C}<>:"|?*]/gu, '').trim();
  return Array.from(plain).slice(0, 120).join('') || 'document';
}
