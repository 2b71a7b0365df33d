/** How the network and Node say that there is no connection. */
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

/** What `pg` says without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a query failed because the database could not be reached, or went away, and not because of the query. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return driverMessages.test(error.message);
  return networkCodes.includes(code) || serverStates.test(code);
}

/** After how many seconds another try makes sense: a failover takes some. */
export const retryAfterSeconds = 5;
