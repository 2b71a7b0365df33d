import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { findOutage, type DatabaseOutage } from './outages.js';
import { SilentConnectionError, type SilenceWatch } from './silence-watch.js';
import { statementName } from './statement.js';

/** A connection, and what is known of it. */
interface Connection {
  client: PostgresPoolClient;
  /** How often the database had moved when the connection was opened. */
  moves: number;
  hasFailed: boolean;
  /** The end of the connection by the watch. */
  silence?: SilentConnectionError;
}

/** Options of the pool. */
export interface ServerPoolOptions {
  /** Whether each connection prepares a named statement once. */
  isPreparing: boolean;
  /** Finds connections whose server has vanished. Stops with the pool. */
  watch: SilenceWatch;
}

/**
 * The pool that Kysely and the jobs use. A connection that reports an outage leaves the pool, as a
 * demoted or full server keeps its connections open, and a new one may lead to a working server.
 * After a move, and when the server of one has vanished, all earlier connections leave it.
 */
export function createServerPool(pool: pg.Pool, { isPreparing, watch }: ServerPoolOptions): PostgresPool {
  const connections = new WeakMap<pg.PoolClient, Connection>();
  let moves = 0;

  function open(client: pg.PoolClient): Connection {
    const connection: Connection = { client, moves, hasFailed: false };
    connection.client = Object.assign(Object.create(client) as pg.PoolClient, {
      async query(text: string, values: unknown[]) {
        // Such as the rollback after it. The driver would only say that it cannot send it.
        if (connection.silence !== undefined) throw connection.silence;
        const name = isPreparing ? statementName(text) : undefined;
        const endWatch = watch.begin(client);
        try {
          return await client.query(name === undefined ? { text, values } : { name, text, values });
        } catch (error) {
          const outage: DatabaseOutage | undefined = findOutage(error);
          connection.hasFailed ||= outage !== undefined && outage.isTransactionUndone !== true;
          if (error instanceof SilentConnectionError) connection.silence = error;
          const isMove = outage?.isMove === true || connection.silence !== undefined;
          // One move, although each of the earlier connections may report it.
          if (isMove && connection.moves === moves) moves += 1;
          throw error;
        } finally {
          endWatch();
        }
      },
      release() {
        client.release(connection.hasFailed || connection.moves !== moves);
      },
    });
    connections.set(client, connection);
    return connection;
  }

  return {
    options: pool.options,
    async connect() {
      for (;;) {
        const client = await pool.connect();
        const connection = connections.get(client) ?? open(client);
        if (connection.moves === moves) return connection.client;
        client.release(true);
      }
    },
    async end() {
      await pool.end();
      watch.stop();
    },
  };
}
