import type { StateCode } from '../../../contract/index.js';
import type { DocumentType } from '../../ports/document-scanner.js';
import type { Timestamp } from './column-types.js';

/** What is known of a document that a user uploaded. Its content is in the storage, encrypted with a key of its own. */
export interface DocumentTable {
  /** `doc_…`, also the id in the storage. */
  id: string;
  application_id: string;
  /** Chosen by the page: the same one twice is the same upload, sent again. */
  upload_id: string;
  /** The state whose request it answers; null for a document of the application, which all states get. */
  state: StateCode | null;
  /** Which request of that state. */
  serial: number | null;
  type: DocumentType;
  /** Bytes of the document. */
  size: number;
  /** Whether a scanner found it clean; false where there is no scanner. */
  is_scanned: boolean;
  /** The name of the file, sealed; null once it is removed. */
  name_sealed: string | null;
  /** The key of the content, sealed. Null once it is removed: the content cannot be read from then on. */
  key_sealed: string | null;
  /** The kind that the user chose, sealed; null without a choice, or once it is removed. */
  kind_sealed: string | null;
  created_at: Timestamp;
  /** When its content was in the storage; null while it is uploaded, or where that was cut off. */
  stored_at: Timestamp | null;
  /** When it was removed or erased. */
  removed_at: Timestamp | null;
}

/** The encrypted content of a document, where the database is the storage. */
export interface DocumentContentTable {
  id: string;
  content: Buffer;
}

/** The tables of documents. */
export interface DocumentTables {
  document: DocumentTable;
  document_content: DocumentContentTable;
}
