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

/** A secret key with which something in this database may be made. */
export interface SecretKeyTable {
  /** {@link Keys.newestId} of that time. */
  key_id: Buffer;
  first_used_at: Timestamp;
}

/** The tables of account settings and keys. */
export interface AccountTables {
  account_setting: AccountSettingTable;
  secret_key: SecretKeyTable;
}
