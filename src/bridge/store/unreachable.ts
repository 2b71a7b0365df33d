/** Codes of the network and of Node for a lost or failed connection. */
const networkCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
];

/** PostgreSQL: connection exceptions, shutting down, starting, too many connections. */
const serverStates = /^(08...|57P0[123]|53300)$/;

/** Messages of `pg` without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * Whether a query failed because the connection to the database failed, and not because of the
 * query.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return driverMessages.test(error.message);
  return networkCodes.includes(code) || serverStates.test(code);
}

/** Seconds until a retry makes sense: a failover takes some time. */
export const retryAfterSeconds = 5;
