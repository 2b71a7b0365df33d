import type { Generated } from 'kysely';
import type { Language } from '../../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** A session that was followed by another one of the same application. Its link opens the application until its own end. */
export interface EarlierSessionTable {
  session_id: string;
  application_id: string;
  /** As `application.link_hash`. */
  link_hash: Buffer;
  /** Where its link leads back to, and who may frame it. */
  return_url: string;
  expires_at: Timestamp;
}

/** Whether the user of a session has proved to be the one whose SSN is stored. A session in which nothing was typed has no row. */
export interface IdentityCheckTable {
  session_id: string;
  application_id: string;
  /** Written by the version before only. The count of a user is in `applicant`. */
  failed_count: Generated<number>;
  /** When the SSN or its last four digits were typed in this session. */
  passed_at: Timestamp | null;
  /** The end of the session: its link is dead then, and the row is deleted. */
  expires_at: Timestamp;
}

/** Words that somebody signed, by a hash of them. Nobody's data: they are the catalogue's. */
export interface WordingTable {
  version: string;
  language: Language;
  /** What was shown, by what it is, such as `ask` and `help` of a question. */
  text: Json<Readonly<Record<string, string>>>;
  created_at: Timestamp;
}

/** The tables of sessions besides the newest one of each application. */
export interface SessionTables {
  earlier_session: EarlierSessionTable;
  identity_check: IdentityCheckTable;
  wording: WordingTable;
}
