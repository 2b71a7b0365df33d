/** Query of createAccountCredential (operation 3). */
export interface CreateAccountCredentialQuery {
  /** The unguessable id of the agency, which the operator created. */
  agencyId: string;
}

/**
 * Response of createAccountCredential (operation 3): the credential of an agency. The only time
 * both secrets can be read.
 */
export interface AgencyCredential {
  /** The id of the agency. */
  agencyId: string;
  /** The name given by the operator. */
  agencyName: string;
  /** The `clientId` for `login` (operation 1). */
  clientId: string;
  /** The time of the issue, ISO 8601 in UTC. */
  createdAt: string;
  /** The time of the replacement, ISO 8601 in UTC; "" while the credential is active. */
  deactivatedAt: string;
  /** The id of the credential, which operations 2 and 4 call `userId`. */
  id: string;
  /** Whether a login with this credential works. */
  isActive: boolean;
  /** The secret for live tokens. Shown once, stored only as a keyed hash. */
  liveClientSecret: string;
  /** The secret for test tokens. Shown once, stored only as a keyed hash. */
  testClientSecret: string;
  /** The time of the last change, ISO 8601 in UTC. */
  updatedAt: string;
}
