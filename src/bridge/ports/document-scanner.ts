/** The types of documents that users may upload. */
export type DocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/**
 * Looks for malware in documents before they are kept. A port: an operator puts an adapter of their own scanner behind it. Default: none;
 * the bridge logs that at its start, and notes with each document whether it was scanned.
 *
 * The contract: `scan` resolves with `clean` or `infected`. An outage or a timeout rejects: the document is then not kept, and the user
 * is asked to try again. The bytes are a document in the clear: an adapter writes them to no file and no log.
 */
export interface DocumentScanner {
  /** Scans one document. */
  scan(content: Uint8Array, type: DocumentType): Promise<'clean' | 'infected'>;
}
