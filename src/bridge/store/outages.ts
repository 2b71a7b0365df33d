import { AdapterError } from '../ports/adapter-error.js';

/** Why the database cannot answer for now, although the query is right. */
export interface DatabaseOutage {
  /** SQLSTATEs, and codes of Node; two characters are a whole class of SQLSTATEs. */
  codes: readonly string[];
  /** Messages of `pg` without a code. Default: none. */
  messages?: RegExp;
  /** The cause, as a sentence. */
  meaning: string;
  /** What the operator does about it, as a sentence. */
  remedy: string;
  /**
   * Whether the database moved to another server, so that every connection of the pool leads to the
   * wrong one. Default: false.
   */
  isMove?: boolean;
  /**
   * Whether only the transaction failed, so that it can run again at once, on the same connection.
   * Default: false.
   */
  isTransactionUndone?: boolean;
}

/**
 * Every state in which the bridge answers 503 with `Retry-After` instead of 500, because the same
 * request succeeds later. The docs have this table.
 */
export const databaseOutages = [
  {
    codes: [
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EPIPE',
      'ETIMEDOUT',
    ],
    messages:
      /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/,
    meaning: 'The server cannot be reached.',
    remedy: 'Check that PostgreSQL runs there and accepts connections.',
  },
  {
    codes: ['08'],
    meaning: 'The connection to the server was lost, or its pooler has none.',
    remedy: 'Check that PostgreSQL, and PgBouncer in front of it, run and accept connections.',
  },
  {
    codes: ['28000', '28P01', '3D000', '57P04'],
    meaning: 'The server refuses the login, or has no such database.',
    remedy: 'Check the user, the password and the database in DATABASE_URL.',
  },
  {
    codes: [
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    messages: /^The server does not support SSL connections/,
    meaning: 'The server has no TLS, or its certificate has expired, is for another host or of an unknown authority.',
    remedy: 'Correct the certificate of the server, or the host, `sslmode` or `sslrootcert` in DATABASE_URL.',
  },
  {
    codes: ['25006', '55000'],
    meaning: 'The server is read-only: a standby, a demoted primary, or `default_transaction_read_only`.',
    remedy: 'Promote a standby, and let the host in DATABASE_URL lead to the primary.',
    isMove: true,
  },
  {
    codes: ['40001', '40P01'],
    meaning: 'The server undid the transaction in favor of another one.',
    remedy: 'Nothing, if it is rare. If it is frequent, report it with the log of PostgreSQL.',
    isTransactionUndone: true,
  },
  {
    codes: ['53100'],
    meaning: 'The disk of the server is full.',
    remedy: 'Free or add disk space, and look for replication slots that keep WAL.',
  },
  {
    codes: ['53300'],
    meaning: 'The server has no free connections.',
    remedy: 'Raise `max_connections`, or lower BRIDGE_POOL_SIZE.',
  },
  {
    codes: ['53000', '53200', '53400'],
    meaning: 'The server is out of memory, or has reached another limit of its configuration.',
    remedy: 'Give it more memory, or raise the limit that the log of PostgreSQL names.',
  },
  {
    codes: ['57P01', '57P02', '57P03', '57P05'],
    meaning: 'The server is starting, stopping or recovering from a crash, or has ended an idle connection.',
    remedy: 'Nothing, if it ends by itself. If not, read the log of PostgreSQL.',
  },
  {
    codes: ['58', 'XX001', 'XX002'],
    meaning: 'The server cannot read or write its files, or has found damaged data.',
    remedy: 'Check the disk. Switch to a standby, or restore a backup.',
  },
] as const satisfies readonly DatabaseOutage[];

/** Returns the outage that made a query fail; `undefined` when the query itself is at fault. */
export function findOutage(error: unknown): DatabaseOutage | undefined {
  // A connection of an adapter fails with the same codes.
  if (!(error instanceof Error) || error instanceof AdapterError) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return databaseOutages.find(({ messages }: DatabaseOutage) => messages?.test(error.message));
  return databaseOutages.find(({ codes }: DatabaseOutage) =>
    codes.some((known) => known === code || (known.length === 2 && code.length === 5 && code.startsWith(known))),
  );
}

/** Seconds until a retry makes sense: a failover takes some time. */
export const retryAfterSeconds = 5;

/** The line of the log about a failure. */
export function describeOutage(what: string, { meaning, remedy }: DatabaseOutage): string {
  return `${what} failed because of the database. ${meaning} ${remedy}`;
}
