import type { Generated } from 'kysely';
import type { Timestamp } from './column-types.js';

/** The kinds of mails. */
export type MailKind = 'receipt' | 'action' | 'decision' | 'correction' | 'code';

/**
 * A mail to a user. It has no address and no content: both are read from the application when it is
 * sent, so that nothing is sent, or stored, after they were erased.
 */
export interface MailTable {
  /** The purpose, such as `receipt/app_…`, which has one mail. */
  purpose: string;
  applicationId: string;
  kind: MailKind;
  createdAt: Timestamp;
  /** The number of failed tries. */
  attempts: Generated<number>;
  /** When the mail server accepted it. */
  sentAt: Timestamp | null;
  /** When it was dropped: refused, outdated, or failed for too long. */
  droppedAt: Timestamp | null;
  /** The bridge's or the adapter's code for the last failure; null without one. */
  problem: string | null;
}

/** The table of mails. */
export interface MailTables {
  mail: MailTable;
}
