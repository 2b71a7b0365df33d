/** What an agency can ask to be told. Stored and returned; it selects nothing, since only Sessions emit events. */
export const webhookPreferences = ['PDB-update', 'entity-info'] as const;

/** One of {@link webhookPreferences}. */
export type WebhookPreference = (typeof webhookPreferences)[number];

/** Body of operation 2. A field that is absent keeps its value. */
export interface AccountUpdateRequest {
  /** E-mail address of the agency; `null` or "" clears it. */
  businessEmail?: string | null;
  /** Default, before anything is set: `PDB-update`. */
  webhookPreference?: WebhookPreference;
  /** Where events go when a session names no address of its own; `null` or "" clears it. https, or http on localhost in test mode. */
  webhookUrl?: string | null;
}

/** Answer of operation 2: the settings of the token's mode after the change. */
export interface Account {
  /** E-mail address of the agency; "" when there is none. */
  businessEmail: string;
  /** What the agency asked to be told. */
  preference: WebhookPreference;
  /** The id of the credential that the token was issued with. */
  userId: string;
  /** Where events go when a session names no address of its own; "" when there is none. */
  webhookUrl: string;
}

/** Answer of operation 4. The only time both secrets can be read. */
export interface CredentialReset {
  /** The new secret for live tokens. */
  liveClientSecret: string;
  /** The new secret for test tokens. */
  testClientSecret: string;
  /** The id of the credential. */
  userId: string;
}
