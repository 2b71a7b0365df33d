import type { Timestamp } from './column-types.js';

/** What an operator may do: `view` reads what is nobody's secret, `file` also reveals, files, decides and refunds. */
export type OperatorRole = 'view' | 'file';

/** A person who works in the console. */
export interface OperatorTable {
  /** `opr_…` */
  id: string;
  /** What they type at sign-in. Unique, whatever its case. */
  name: string;
  role: OperatorRole;
  /** Argon2id in its encoded form, which holds the salt and the costs. */
  password_hash: string;
  /** Whether it was issued by the command line, and must be replaced at the next sign-in. */
  is_password_temporary: boolean;
  /** The secret of the authenticator app, sealed; null where there is none. */
  totp_sealed: string | null;
  /** The last time step whose code was used: each code works once. */
  totp_last_step: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  disabled_at: Timestamp | null;
}

/** A signed-in browser. Deleting the rows of an operator signs out all of their browsers at once, on every instance. */
export interface OperatorSessionTable {
  /** SHA-256 of the token in the cookie. */
  token_hash: Buffer;
  operator_id: string;
  created_at: Timestamp;
  /** When it was last used, to the minute. */
  seen_at: Timestamp;
  /** When it ends, however much it is used. */
  expires_at: Timestamp;
}

/** The tables of the console. */
export interface OperatorTables {
  operator: OperatorTable;
  operator_session: OperatorSessionTable;
}
