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
  let connection: Promise<RedisSubscriber> | undefined;

  async function connect(): Promise<RedisSubscriber> {
    const subscriber = client.duplicate();
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
      return subscriber;
    } catch (error) {
      subscriber.destroy();
      throw error;
    }
  }

  return {
    async subscribe(applicationId, onChange) {
      const opening = (connection ??= connect());
      try {
        await opening;
      } catch (error) {
        // The next subscriber tries again.
        if (connection === opening) connection = undefined;
        throw error;
      }
      return subscribers.add(applicationId, onChange);
    },
    async close() {
      const open = connection;
      connection = undefined;
      const subscriber = await open?.catch(() => undefined);
      subscriber?.destroy();
    },
  };
}
