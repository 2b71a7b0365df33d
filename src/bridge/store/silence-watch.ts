/**
 * Finds the connections of a pool whose server has vanished: its machine has lost power, or the
 * network or a load balancer drops the packets. Nothing closes such a connection. A query waits on
 * it until TCP gives up after minutes, or for ever when a proxy in between acknowledges it.
 *
 * A deadline for each query would not do. It cannot distinguish a lost query from a slow one, so it
 * would have to exceed the longest statement: an index, an import, a wait for a lock. And a commit
 * that waits for a standby keeps its process on the server when the client leaves, so that repeated
 * attempts would use up the connections of the server. The operating system could give up sooner
 * (TCP_USER_TIMEOUT), but Node cannot set that, and a proxy defeats it. So the pool asks the
 * server:
 *
 * 1. When a query has waited for some seconds without a byte, a new connection is opened to the
 *    address of the database. It leads where the next queries would go.
 * 2. That server lists its working sessions. A query that it works on may continue, however long
 *    it takes, and is asked about again.
 * 3. A query that it does not work on is lost, as after a switch to another server. Each query is
 *    lost when no server answers there. The connection is closed, and the query fails like on every
 *    lost connection.
 * 4. A pooler hides the sessions of the server, and a full server refuses the connection. Then a
 *    query is lost when it waits for longer than any statement may run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Watches the queries of a pool. */
export interface SilenceWatch {
  /** Watches a query that was sent on a connection, until the returned function is called. */
  begin(client: pg.Client): () => void;
  stop(): void;
}

/** Options of a watch. */
export interface SilenceWatchOptions {
  /** The settings of the connections of the pool. */
  connection: pg.ClientConfig;
  /** After how many seconds without a byte the server is asked about a query. Default: 3. */
  silenceSeconds?: number | undefined;
  /** How long a new connection and its answer may take, in seconds. */
  connectTimeoutSeconds: number;
  /**
   * After how many seconds a query is lost when the server does not say whether it works on it; 0
   * is never.
   */
  answerTimeoutSeconds: number;
}

/** The server of a connection has vanished. The code is that of TCP when it gives up. */
export class SilentConnectionError extends Error {
  override readonly name = 'SilentConnectionError';
  readonly code = 'ETIMEDOUT';
}

/** A query without an answer so far. */
interface Waiting {
  client: pg.Client;
  /** The bytes that its connection had received when `quietSince` was set. */
  bytesRead: number;
  quietSince: number;
  /** When the server is asked about it. */
  dueAt: number;
}

/** What a new connection found out about a query. */
type Finding = 'working' | 'lost' | 'unreachable' | 'unknown';

const defaultSilenceSeconds = 3;

/** An answer that was sent just before the server was asked may arrive after its list. */
const arrivalMs = 500;

/** How long the end of a connection waits for the server to close it, too. */
const endMs = 1_000;

/**
 * Codes of Node for an address at which no server answers. Other failures say nothing of the
 * earlier connections, such as those of DNS, of a certificate or of a login.
 */
const unreachableCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Creates the watch of a pool. It opens no connection while every query is answered in time. */
export function createSilenceWatch(options: SilenceWatchOptions): SilenceWatch {
  const silenceSeconds = options.silenceSeconds ?? defaultSilenceSeconds;
  const silenceMs = silenceSeconds * 1_000;
  const answerTimeoutMs = options.answerTimeoutSeconds === 0 ? Infinity : options.answerTimeoutSeconds * 1_000;
  const waiting = new Map<pg.Client, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  function isQuiet(query: Waiting): boolean {
    return waiting.get(query.client) === query && bytesReadOf(query.client) === query.bytesRead;
  }

  /** The queries to ask about. The wait of one that is receiving its answer starts again. */
  function findDue(): Waiting[] {
    const now = performance.now();
    const due = [...waiting.values()].filter(({ dueAt }) => dueAt <= now);
    for (const query of due) {
      if (isQuiet(query)) continue;
      Object.assign(query, { bytesRead: bytesReadOf(query.client), quietSince: now, dueAt: now + silenceMs });
    }
    return due.filter(({ dueAt }) => dueAt <= now);
  }

  async function look(): Promise<void> {
    const due = findDue();
    if (due.length === 0) return;
    const findings = await askServer(due, { ...options, silenceSeconds });
    await pause(arrivalMs, undefined, { ref: false });
    for (const query of due.filter(isQuiet)) {
      const finding = findings.get(query) ?? 'unknown';
      const quietMs = performance.now() - query.quietSince;
      const isLost =
        finding === 'lost' || finding === 'unreachable' || (finding === 'unknown' && quietMs > answerTimeoutMs);
      // Closes the socket at once: a goodbye would wait for the server.
      if (isLost) query.client.connection.stream.destroy(new SilentConnectionError(describe(finding, quietMs)));
      else query.dueAt = performance.now() + silenceMs;
    }
  }

  function start(): NodeJS.Timeout {
    return setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      void look().finally(() => (isLooking = false));
    }, silenceMs / 3).unref();
  }

  return {
    begin(client) {
      timer ??= start();
      const now = performance.now();
      const query = { client, bytesRead: bytesReadOf(client), quietSince: now, dueAt: now + silenceMs };
      waiting.set(client, query);
      return () => {
        if (waiting.get(client) === query) waiting.delete(client);
      };
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/**
 * Closes the socket of a connection soon after its end: a server that has vanished does not close
 * its side, so the socket would stay open.
 */
export function closeAfterEnd({ connection: { stream } }: pg.Client): void {
  stream.once('finish', () => {
    setTimeout(() => stream.destroy(), endMs).unref();
  });
}

/** Asks the server at the address of the database about queries that have no answer. */
async function askServer(
  queries: readonly Waiting[],
  { connection, connectTimeoutSeconds, silenceSeconds }: SilenceWatchOptions & { silenceSeconds: number },
): Promise<Map<Waiting, Finding>> {
  const all = (finding: Finding) => new Map(queries.map((query) => [query, finding]));
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  const deadline = setTimeout(() => client.connection.stream.destroy(), connectTimeoutSeconds * 1_000);
  let isConnected = false;
  try {
    await client.connect();
    isConnected = true;
    closeAfterEnd(client);
    const pids = queries.map((query) => processIdOf(query.client)).filter((pid) => pid !== null);
    const { rows } = await client.query<Sessions>(workingSessions, [pids, silenceSeconds / 2]);
    const [sessions] = rows;
    // A pooler gives its clients other process ids than the server.
    if (sessions?.isListing !== true || sessions.own !== processIdOf(client)) return all('unknown');
    return new Map(queries.map((query) => [query, findingOf(processIdOf(query.client), sessions)]));
  } catch (error) {
    // Something answers there, such as a pooler whose connections to the server are all in use.
    if (isConnected) return all('unknown');
    const { code } = error as NodeJS.ErrnoException;
    // Without a code, the deadline or the other side has ended the connection.
    return all(code === undefined || unreachableCodes.has(code) ? 'unreachable' : 'unknown');
  } finally {
    clearTimeout(deadline);
    client.end().catch(() => undefined);
  }
}

/** The answer of a server about its sessions. */
interface Sessions {
  /** The process of the session that asks. */
  own: number;
  /** Whether the server lists what its sessions do. */
  isListing: boolean;
  /** Those of the given processes that work on a statement. */
  working: number[];
}

/**
 * The statement must have begun before: on another server, a session may have the same process id
 * by chance.
 */
const workingSessions = `
  select pg_backend_pid() as own, current_setting('track_activities') = 'on' as "isListing", array(
    select pid from pg_stat_activity
    where pid = any($1::int[]) and datname = current_database() and usename = session_user
      and state = 'active' and query_start < clock_timestamp() - make_interval(secs => $2)
  ) as working`;

function findingOf(pid: number | null, { working }: Sessions): Finding {
  if (pid === null) return 'unknown';
  return working.includes(pid) ? 'working' : 'lost';
}

/** Null where a pooler sends none. */
function processIdOf(client: pg.Client): number | null {
  return (client as pg.Client & Untyped).processID;
}

function bytesReadOf(client: pg.Client): number {
  return (client as pg.Client & Untyped).connection.stream.bytesRead;
}

/** What the types of the driver lack. */
interface Untyped {
  processID: number | null;
  connection: { stream: { bytesRead: number } };
}

function describe(finding: Finding, quietMs: number): string {
  const silence = `The database has sent nothing for ${Math.round(quietMs / 1_000)} seconds, and`;
  if (finding === 'unreachable') return `${silence} no server answers at its address.`;
  if (finding === 'lost') return `${silence} the server at its address does not work on the query.`;
  return `${silence} every statement should have ended.`;
}
