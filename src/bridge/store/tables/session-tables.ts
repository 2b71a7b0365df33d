import type { Generated } from 'kysely';
import type { Language } from '../../../contract/index.js';
import type { CatalogueContent } from '../../catalogue/content.js';
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

/** Words that somebody signed with a version before, which pinned no release of the catalogue. Only read. */
export interface WordingTable {
  version: string;
  language: Language;
  /** What was shown, by what it is, such as `ask` and `help` of a question. */
  text: Json<Readonly<Record<string, string>>>;
  created_at: Timestamp;
}

/** A release of the catalogue. Immutable: another content is another version. */
export interface CatalogueTable {
  version: string;
  /** The day from which new sessions use it, `YYYY-MM-DD`. */
  effective: string;
  content: Json<CatalogueContent>;
  /** SHA-256 of the content as canonical JSON. */
  checksum: string;
  /** Where it came from: `shipped`, or the folder that was imported. */
  source: string;
  imported_at: Timestamp;
}

/** The tables of sessions besides the newest one of each application. */
export interface SessionTables {
  earlier_session: EarlierSessionTable;
  identity_check: IdentityCheckTable;
  wording: WordingTable;
  catalogue: CatalogueTable;
}
