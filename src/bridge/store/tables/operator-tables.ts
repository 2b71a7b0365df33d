import type { Timestamp } from './column-types.js';

/**
 * The role of an operator: `view` reads data that is not secret; `file` also reveals, files,
 * decides and refunds.
 */
export type OperatorRole = 'view' | 'file';

/** A person who works in the console. */
export interface OperatorTable {
  /** `opr_…` */
  id: string;
  /** The name typed at sign-in. Unique without regard to case. */
  name: string;
  role: OperatorRole;
  /** Argon2id in its encoded form, which contains the salt and the costs. */
  password_hash: string;
  /**
   * Whether the command line issued the password, so that it must be replaced at the next sign-in.
   */
  is_password_temporary: boolean;
  /** The secret of the authenticator app, encrypted; null where there is none. */
  totp_encrypted: string | null;
  /** The last time step whose code was used: each code works once. */
  totp_last_step: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  disabled_at: Timestamp | null;
}

/**
 * A signed-in browser. Deleting the rows of an operator signs out all their browsers at once, on
 * every instance.
 */
export interface OperatorSessionTable {
  /** SHA-256 of the token in the cookie. */
  token_hash: Buffer;
  operator_id: string;
  created_at: Timestamp;
  /** When it was last used, to the minute. */
  seen_at: Timestamp;
  /** When it ends, regardless of its use. */
  expires_at: Timestamp;
}

/** The tables of the console. */
export interface OperatorTables {
  operator: OperatorTable;
  operator_session: OperatorSessionTable;
}
