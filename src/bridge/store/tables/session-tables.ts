import type { Timestamp } from './column-types.js';

/** A session that was renewed. Its link opens the application until its own end. */
export interface EarlierSessionTable {
  session_id: string;
  application_id: string;
  /** As `application.link_hash`. */
  link_hash: Buffer;
  /** Where its link leads back to, and who may frame it. */
  return_url: string;
  expires_at: Timestamp;
}

/** The tables of sessions besides the newest one of each application. */
export interface SessionTables {
  earlier_session: EarlierSessionTable;
}
