import type { StateCode } from '../../../contract/index.js';
import type { DocumentType } from '../../ports/document-scanner.js';
import type { Timestamp } from './column-types.js';

/**
 * The details of a document that a user uploaded. Its content is in the storage, encrypted with a
 * separate key.
 */
export interface DocumentTable {
  /** `doc_…`, also the id in the storage. */
  id: string;
  applicationId: string;
  /** Chosen by the page: the same id means the same upload, sent again. */
  uploadId: string;
  /**
   * The state whose request it answers; null for a document of the application, which all states
   * get.
   */
  state: StateCode | null;
  /** Which request of that state. */
  serial: number | null;
  type: DocumentType;
  /** Bytes of the document. */
  size: number;
  /** Whether a scanner found no malware; false where there is no scanner. */
  isScanned: boolean;
  /** The name of the file, encrypted; null after its removal. */
  nameEncrypted: string | null;
  /**
   * The key of the content, encrypted. Null after its removal: the content cannot be read any more.
   */
  keyEncrypted: string | null;
  /** The part of an answer that the user chose, encrypted; null without a choice, or after its removal. */
  subjectEncrypted: string | null;
  createdAt: Timestamp;
  /** When its content was stored; null during the upload, or where it was interrupted. */
  storedAt: Timestamp | null;
  /** When it was removed or erased. */
  removedAt: Timestamp | null;
}

/** The encrypted content of a document, where the database is the storage. */
export interface DocumentContentTable {
  id: string;
  content: Buffer;
}

/** The tables of documents. */
export interface DocumentTables {
  document: DocumentTable;
  documentContent: DocumentContentTable;
}
