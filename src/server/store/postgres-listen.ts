import type { ChangeConnection, ChangeListeners } from './changes.js';

/** What the store needs of a `Client` of the package `pg`, not yet connected. */
export interface PostgresListenClient {
  /** Connects. */
  connect(): Promise<unknown>;
  /** Runs a statement. */
  query(text: string): Promise<unknown>;
  /** Calls back at a notification. */
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  /** Calls back when the connection breaks. */
  on(event: 'error' | 'end', listener: () => void): unknown;
  /** Closes the connection. */
  end(): Promise<unknown>;
}

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * Listens to a channel on clients made for it. When one loses its connection, the next one follows
 * after a pause.
 */
export function listenForChanges(
  createClient: () => PostgresListenClient,
  channel: string,
  emit: ChangeListeners['emit'],
): ChangeConnection {
  let client: PostgresListenClient | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = (client = createClient());
    // Without a listener an error would end the process. `end` follows it.
    next.on('error', () => undefined);
    next.on('notification', ({ payload }) => emit(payload));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (error) {
      end(next);
      throw error;
    }
    next.on('end', () => reconnectAfter(firstPauseMs));
  }

  function reconnectAfter(pauseMs: number): void {
    if (isClosed) return;
    pause = setTimeout(() => {
      connect().then(
        // PostgreSQL keeps no notifications for a connection that is away.
        () => emit(),
        () => reconnectAfter(Math.min(longestPauseMs, pauseMs * 2)),
      );
    }, pauseMs);
  }

  return {
    ready: connect(),
    close() {
      isClosed = true;
      clearTimeout(pause);
      if (client) end(client);
    },
  };
}

function end(client: PostgresListenClient): void {
  // It fails when the connection is broken, which is as good.
  client.end().catch(() => undefined);
}
