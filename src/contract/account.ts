/**
 * The notifications that an agency can choose. Stored and returned only: all webhooks are about
 * sessions.
 */
export const webhookPreferences = ['PDB-update', 'entity-info'] as const;

/** One of {@link webhookPreferences}. */
export type WebhookPreference = (typeof webhookPreferences)[number];

/** Body of updateAccount (operation 2). A field that is absent keeps its value. */
export interface AccountUpdateRequest {
  /** E-mail address of the agency; `null` or "" clears it. */
  businessEmail?: string | null;
  /** The notifications that the agency chooses. Default: `PDB-update`. */
  webhookPreference?: WebhookPreference;
  /**
   * The URL for webhooks of sessions without a `webhookUrl`. `null` or "" clears it. https, or http
   * on localhost in test mode.
   */
  webhookUrl?: string | null;
}

/** Response of updateAccount (operation 2): the settings of the token's mode after the change. */
export interface Account {
  /** E-mail address of the agency; "" when there is none. */
  businessEmail: string;
  /** The notifications that the agency chose. */
  preference: WebhookPreference;
  /** The id of the credential that the token was issued with. */
  userId: string;
  /** The URL for webhooks of sessions without a `webhookUrl`; "" for none. */
  webhookUrl: string;
}

/** Response of resetCredential (operation 4). The only time both secrets can be read. */
export interface CredentialReset {
  /** The new secret for live tokens. */
  liveClientSecret: string;
  /** The new secret for test tokens. */
  testClientSecret: string;
  /** The id of the credential. */
  userId: string;
}
