/** Query of operation 3. */
export interface CreateAccountCredentialQuery {
  /** The unguessable id that the operator handed over when the agency was created. */
  agencyId: string;
}

/** Answer of operation 3: the credential of an agency. The only time both secrets can be read. */
export interface AgencyCredential {
  /** The agency that the credential belongs to. */
  agencyId: string;
  /** The name given by the operator. */
  agencyName: string;
  /** The `clientId` for `login` (operation 1). */
  clientId: string;
  /** When the credential was issued, ISO 8601 in UTC. */
  createdAt: string;
  /** When the credential was replaced, ISO 8601 in UTC; "" while it is active. */
  deactivatedAt: string;
  /** The id of the credential, which operations 2 and 4 call `userId`. */
  id: string;
  /** Whether a login with this credential works. */
  isActive: boolean;
  /** The secret for live tokens. Shown once, stored only as a keyed hash. */
  liveClientSecret: string;
  /** The secret for test tokens. Shown once, stored only as a keyed hash. */
  testClientSecret: string;
  /** When the credential last changed, ISO 8601 in UTC. */
  updatedAt: string;
}
