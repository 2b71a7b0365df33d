import type { Generated } from 'kysely';
import type { Mode, WebhookPreference } from '../../../contract/index.js';
import type { Timestamp } from './column-types.js';

/** What an agency set with operation 2, in one mode. No row: nothing was set. */
export interface AccountSettingTable {
  agency_id: string;
  mode: Mode;
  /** "" when there is none. */
  business_email: string;
  webhook_preference: WebhookPreference;
  webhook_url: string | null;
  updated_at: Timestamp;
}

/** What an agency's webhooks of one mode are signed with. No row: they are not. */
export interface WebhookSecretTable {
  agency_id: string;
  mode: Mode;
  /** `whsec_…`, sealed. */
  secret_sealed: string;
  created_at: Timestamp;
}

/** A secret key with which something in this database may be made. */
export interface SecretKeyTable {
  /** {@link Keys.newestId} of that time. */
  key_id: Buffer;
  first_used_at: Timestamp;
}

/** So many points were counted under a key. In the shape of `rate-limiter-flexible`. */
export interface RateLimitTable {
  /** The name of the limit, a colon and what it belongs to. */
  key: string;
  points: number;
  /** When the count ends, in milliseconds since 1970. */
  expire: number | null;
}

/** An entry of the audit trail. */
export interface AuditEntryTable {
  id: Generated<number>;
  at: Timestamp;
  agency_id: string;
  /** Null for what belongs to both modes. */
  mode: Mode | null;
  actor: string;
  action: string;
  subject: string;
  request_id: string | null;
  result: string;
  /** Why, in the words of an operator who was asked for a reason; null otherwise. */
  note: Generated<string | null>;
}

/** The tables of account settings, webhook secrets, keys, limits and the audit trail. */
export interface AccountTables {
  account_setting: AccountSettingTable;
  webhook_secret: WebhookSecretTable;
  secret_key: SecretKeyTable;
  rate_limit: RateLimitTable;
  audit_entry: AuditEntryTable;
}
