/** The types of documents that users may upload. */
export type DocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/**
 * Scans documents for malware before they are stored. A port for an adapter of the operator's
 * scanner. Default: none; the bridge logs this at its start, and records with each document whether
 * it was scanned.
 *
 * The contract: `scan` resolves with `clean` or `infected`. It rejects for an outage or a timeout:
 * then the document is not stored, and the user is asked to try again. The bytes are an unencrypted
 * document: an adapter must not write them to a file or log.
 */
export interface DocumentScanner {
  /** Scans one document. */
  scan(content: Uint8Array, type: DocumentType): Promise<'clean' | 'infected'>;
}
