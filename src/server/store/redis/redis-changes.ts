import { createSubscribers } from '../subscribers.js';
import type { RedisClient, RedisSubscriber } from './redis-client.js';

/** Hears of changes on a connection of its own, opened with the first subscriber. */
export interface RedisChanges {
  /** Resolves once every later change will be heard. */
  subscribe(applicationId: string, onChange: () => void): Promise<() => void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** Listens to a channel, on which the ids of changed applications are published. */
export function createRedisChanges(client: RedisClient, channel: string): RedisChanges {
  const subscribers = createSubscribers();
  let connection: { subscriber: RedisSubscriber; opening: Promise<unknown> } | undefined;

  async function connect(subscriber: RedisSubscriber): Promise<void> {
    let wasReady = false;
    // Without a listener an error would end the process; the client connects again by itself.
    subscriber.on('error', () => undefined);
    subscriber.on('ready', () => {
      // What was published while nobody listened is gone.
      if (wasReady) subscribers.tellAll();
      wasReady = true;
    });
    try {
      await subscriber.connect();
      await subscriber.subscribe(channel, subscribers.tell);
    } catch (error) {
      subscriber.destroy();
      throw error;
    }
  }

  function open() {
    const subscriber = client.duplicate();
    return { subscriber, opening: connect(subscriber) };
  }

  return {
    async subscribe(applicationId, onChange) {
      const current = (connection ??= open());
      try {
        await current.opening;
      } catch (error) {
        // The next subscriber tries again.
        if (connection === current) connection = undefined;
        throw error;
      }
      return subscribers.add(applicationId, onChange);
    },
    close() {
      const open = connection;
      connection = undefined;
      // Not when it is open: while the server is away, the client tries to connect for ever.
      const closing = Promise.resolve(open?.subscriber).then((subscriber) => subscriber?.destroy());
      // It may have ended by itself.
      return closing.catch(() => undefined);
    },
  };
}
