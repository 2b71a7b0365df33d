/** What the store needs of a pool of the package `pg`. */
export interface PostgresPool {
  /** Runs a statement on any connection. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Takes a connection out of the pool. */
  connect(): Promise<PostgresConnection>;
}

/** What the store needs of one connection. */
export interface PostgresConnection {
  /** Runs statements. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Calls back at a notification. */
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  /** Calls back when the connection breaks. */
  on(event: 'error' | 'end', listener: () => void): unknown;
  /** Gives it back to the pool; with `true`, to be closed. */
  release(destroy?: boolean): void;
}
