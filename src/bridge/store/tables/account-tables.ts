import type { Generated } from 'kysely';
import type { Mode, WebhookPreference } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** The settings of `updateAccount` (operation 2) of an agency in one mode. No row: the defaults. */
export interface AccountSettingTable {
  agencyId: string;
  mode: Mode;
  /** "" when there is none. */
  businessEmail: string;
  webhookPreference: WebhookPreference;
  webhookUrl: string | null;
  updatedAt: Timestamp;
}

/** The secret that signs an agency's webhooks of one mode. No row: they are not signed. */
export interface WebhookSecretTable {
  agencyId: string;
  mode: Mode;
  /** `whsec_…`, encrypted. */
  secretEncrypted: string;
  createdAt: Timestamp;
}

/** A secret key that this database was used with in a mode. */
export interface SecretKeyTable {
  mode: Mode;
  /** The {@link KeyRing.newestId} of that key. */
  keyId: Buffer;
  firstUsedAt: Timestamp;
}

/** The points counted under a key. With the columns of `rate-limiter-flexible`. */
export interface RateLimitTable {
  /** The name of the limit, a colon and the caller that is counted. */
  key: string;
  points: number;
  /** When the count ends, in milliseconds since 1970. */
  expire: number | null;
}

/** An entry of the audit trail. */
export interface AuditEntryTable {
  id: Generated<number>;
  at: Timestamp;
  agencyId: string;
  /** Null for entries that belong to both modes. */
  mode: Mode | null;
  actor: string;
  action: string;
  subject: string;
  requestId: string | null;
  result: string;
  /** The reason that an operator gave; null where none is asked for. */
  note: Generated<string | null>;
}

/** An entry that has no link yet. */
export interface AuditUnlinkedTable {
  entryId: number;
}

/** A link of the chain of the audit trail: one for each entry. */
export interface AuditLinkTable {
  /** From 1, without gaps; the retention removes the first ones. */
  position: number;
  entryId: number;
  /** The time of the entry, which the link outlives. */
  at: Timestamp;
  /** SHA-256 of the entry. */
  entryHash: Buffer;
  /** SHA-256 of the previous link's hash and this entry's. */
  hash: Buffer;
}

/** The tables of account settings, webhook secrets, keys, limits and the audit trail. */
export interface AccountTables {
  accountSetting: AccountSettingTable;
  webhookSecret: WebhookSecretTable;
  secretKey: SecretKeyTable;
  rateLimit: RateLimitTable;
  auditEntry: AuditEntryTable;
  auditLink: AuditLinkTable;
  auditUnlinked: AuditUnlinkedTable;
}
