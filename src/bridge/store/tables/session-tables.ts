import type { CatalogueContent } from '../../catalogue/content.js';
import type { Json, Timestamp } from './column-types.js';

/**
 * A session that was followed by another one of the same application. Its link opens the
 * application until the session ends.
 */
export interface EarlierSessionTable {
  session_id: string;
  application_id: string;
  /** As `application.link_hash`. */
  link_hash: Buffer;
  /** The return URL of its link, whose origin may also frame the application. */
  return_url: string;
  expires_at: Timestamp;
}

/**
 * The identity check of a session: whether its user typed the stored SSN or its last four digits. A
 * session in which nothing was typed has no row.
 */
export interface IdentityCheckTable {
  session_id: string;
  application_id: string;
  /** When the SSN or its last four digits were typed in this session. */
  passed_at: Timestamp | null;
  /** The end of the session: its link expires, and the row is deleted. */
  expires_at: Timestamp;
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
  imported_at: Timestamp;
}

/** The tables of earlier sessions, identity checks and the catalogue. */
export interface SessionTables {
  earlier_session: EarlierSessionTable;
  identity_check: IdentityCheckTable;
  catalogue: CatalogueTable;
}
