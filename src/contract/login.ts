/** Body of login (operation 1). */
export interface LoginRequest {
  /**
   * The id that createAccountCredential (operation 3) issued. Unknown ids and wrong secrets are
   * answered alike.
   */
  clientId: string;
  /** The live or the test secret. It selects the mode of the token. */
  clientSecret: string;
}

/** Response of login (operation 1). It has no other key: the spec shows none. */
export interface LoginResponse {
  /** An opaque bearer token. Its lifetime is not part of the contract: log in again after a 401. */
  accessToken: string;
}

/**
 * The data set that a token, an application or a user belongs to. Data of the two never mix.
 *
 * - `live`: real departments, decisions entered by the operator.
 * - `test`: simulated departments and the test helper operation.
 */
export type Mode = 'live' | 'test';
