import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { RowNamesPlugin } from './row-names.js';
import { createServerPool } from './server-pool.js';
import { closeAfterEnd, createSilenceWatch } from './silence-watch.js';
import type { Database } from './tables/typed-database.js';
import type { Tables } from './tables/tables.js';

/** Options of the pool. */
export interface DatabaseOptions {
  /** The maximum number of connections. Default: 10. */
  maxConnections?: number;
  /** How long to wait for a connection, also for a free one, in seconds. Default: 5. */
  connectTimeoutSeconds?: number;
  /** After how many idle seconds TCP checks a connection; 0 never does. Default: 30. */
  keepAliveSeconds?: number;
  /**
   * After how many seconds a query is lost when the server does not say whether it works on it; 0
   * is never. Default: 0.
   */
  answerTimeoutSeconds?: number;
  /**
   * After how many seconds without a byte the server is asked about a query. Default: that of
   * {@link createSilenceWatch}.
   */
  silenceSeconds?: number;
  /** Whether each connection prepares the statements of `statement` once. Default: true. */
  isPreparing?: boolean;
  /** The name of the connections in `pg_stat_activity`. Default: `licensing-bridge`. */
  applicationName?: string;
  /**
   * Receives the error of an idle connection that breaks, such as when the server restarts.
   * Default: none.
   */
  onError?: (error: Error) => void;
}

/**
 * `int8` (`count(*)`, identity columns) arrives as text by default; none of ours comes near 2^53.
 */
const int8Oid = 20;

// The driver's own table, but for one type: changing it with pg.types.setTypeParser would change it
// for the whole process.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string): unknown {
    const standard = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
    return oid === int8Oid && format !== 'binary' ? Number : standard(oid, format);
  },
};

/** The connections of a pool. */
export interface PoolUse {
  busy: number;
  idle: number;
  /** The maximum number of connections. */
  max: number;
  /** Queries that wait for a connection. */
  waiting: number;
}

/** A pool on a PostgreSQL server. */
export interface DatabasePool {
  db: Database;
  /** Runs a text, which may be several statements without values, outside of `db`. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  use(): PoolUse;
  /** Ends the pool, also when `db` was not used: `db.destroy()` does nothing then. */
  end(): Promise<void>;
}

/**
 * Opens a pool on a PostgreSQL server. Nothing is connected before the first query; `db.destroy()`
 * ends the pool.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  return openPool(url, options).db;
}

/** As {@link openDatabase}, and also returns the pool itself. */
export function openPool(url: string, options: DatabaseOptions = {}): DatabasePool {
  const { maxConnections = 10, connectTimeoutSeconds = 5, keepAliveSeconds = 30 } = options;
  const connection: pg.ClientConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectTimeoutSeconds * 1_000,
    keepAlive: keepAliveSeconds > 0,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1_000,
    application_name: options.applicationName ?? 'licensing-bridge',
  };
  const pool = new pg.Pool({ ...connection, max: maxConnections });
  // Without a listener, the loss of a connection would end the process. The pool listens to idle
  // connections only, not to one that a transaction holds between two statements. The next query
  // opens a new connection.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.onError?.(error));
    closeAfterEnd(client);
  });
  pool.on('error', () => undefined);
  const { silenceSeconds, answerTimeoutSeconds = 0 } = options;
  const watch = createSilenceWatch({ connection, connectTimeoutSeconds, silenceSeconds, answerTimeoutSeconds });
  const connections = createServerPool(pool, { isPreparing: options.isPreparing ?? true, watch });
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: connections }),
      plugins: [new RowNamesPlugin()],
    }),
    async query(text, values = []) {
      const client = await connections.connect();
      try {
        return await client.query<unknown>(text, values);
      } finally {
        client.release();
      }
    },
    use: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: pool.options.max,
      waiting: pool.waitingCount,
    }),
    end: () => connections.end(),
  };
}
