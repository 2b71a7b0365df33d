/** What the store needs of a client of the package `redis`. */
export interface RedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Makes another connection to the same server, for listening. */
  duplicate(): RedisSubscriber;
}

/** What the store needs of a connection that listens. */
export interface RedisSubscriber {
  /** Connects; afterwards the client connects again by itself, and subscribes again, whenever the connection breaks. */
  connect(): Promise<unknown>;
  /** Listens to a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Calls back at `error` and `ready`. */
  on(event: 'error' | 'ready', listener: () => void): unknown;
  /** Ends the connection at once. */
  destroy(): void;
}
