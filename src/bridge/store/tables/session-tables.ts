import type { Generated } from 'kysely';
import type { CatalogueContent } from '../../catalogue/content.js';
import type { Json, Timestamp } from './column-types.js';

/**
 * A session that was followed by another one of the same application. Its link opens the
 * application until the session ends.
 */
export interface EarlierSessionTable {
  sessionId: string;
  applicationId: string;
  /** As `application.link_hash`. */
  linkHash: Buffer;
  /** The return URL of its link, whose origin may also frame the application. */
  returnUrl: string;
  expiresAt: Timestamp;
}

/**
 * The identity check of a session: whether its user typed the stored SSN or its last four digits. A
 * session in which nothing was typed has no row.
 */
export interface IdentityCheckTable {
  sessionId: string;
  applicationId: string;
  /** When the SSN or its last four digits were typed in this session. */
  passedAt: Timestamp | null;
  /** The number of codes sent by mail to this session. */
  codeSerial: Generated<number>;
  /** When the newest of them was sent, after the right digits; null before. */
  codeSentAt: Timestamp | null;
  /** When a code was typed in this session; null where the SSN was typed, or no mail is sent. */
  codePassedAt: Timestamp | null;
  /** The end of the session: its link expires, and the row is deleted. */
  expiresAt: Timestamp;
}

/** A release of the catalogue. Immutable: other content needs another version. */
export interface CatalogueTable {
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`. */
  effective: string;
  content: Json<CatalogueContent>;
  /** SHA-256 of the content as canonical JSON. */
  checksum: string;
  /** Its source: `shipped`, or the imported folder. */
  source: string;
  importedAt: Timestamp;
}

/** The tables of earlier sessions, identity checks and the catalogue. */
export interface SessionTables {
  earlierSession: EarlierSessionTable;
  identityCheck: IdentityCheckTable;
  catalogue: CatalogueTable;
}
