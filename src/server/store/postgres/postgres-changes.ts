import type { Clock } from '../../clock.js';
import { createSubscribers } from '../subscribers.js';
import type { PostgresPool } from './postgres-pool.js';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** Hears of changes on a connection of its own, held from the first subscriber until the last one has left. */
export interface PostgresChanges {
  /** Resolves once every later change will be heard. */
  subscribe(applicationId: string, onChange: () => void): Promise<() => void>;
  /** Gives the connection back. */
  close(): Promise<void>;
}

/** Ends one connection that listens; once, however often it is called. */
type Release = () => void;

/** Listens to a channel, on which the ids of changed applications are published; an empty one means any. */
export function createPostgresChanges(pool: PostgresPool, channel: string, clock: Clock): PostgresChanges {
  const subscribers = createSubscribers();
  let listening: Promise<Release> | undefined;

  async function listen(): Promise<Release> {
    // Before the pool is asked, which may take long: meanwhile everybody may leave and somebody else may have opened another one.
    const opened = listening;
    const connection = await pool.connect();
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      // Closed rather than given back: it would go on listening.
      connection.release(true);
    };
    const onBreak = () => {
      release();
      if (listening !== opened) return;
      listening = undefined;
      listenAgain(firstPauseMs);
    };
    connection.on('error', onBreak);
    connection.on('end', onBreak);
    connection.on('notification', ({ payload = '' }) => {
      if (payload === '') subscribers.tellAll();
      else subscribers.tell(payload);
    });
    try {
      await connection.query(`listen ${channel}`);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  function open(): Promise<Release> {
    const opening = (listening ??= Promise.resolve().then(listen));
    opening.catch(() => {
      // The next one tries again.
      if (listening === opening) listening = undefined;
    });
    return opening;
  }

  function listenAgain(pauseMs: number): void {
    clock.after(pauseMs, () => {
      if (!subscribers.has()) return;
      open().then(
        // What was published while nobody listened is gone.
        () => {
          subscribers.tellAll();
        },
        () => {
          listenAgain(Math.min(longestPauseMs, pauseMs * 2));
        },
      );
    });
  }

  async function stop(): Promise<void> {
    const open = listening;
    listening = undefined;
    const release = await open?.catch(() => undefined);
    release?.();
  }

  return {
    async subscribe(applicationId, onChange) {
      const remove = subscribers.add(applicationId, onChange);
      try {
        await open();
      } catch (error) {
        remove();
        throw error;
      }
      return () => {
        remove();
        if (!subscribers.has()) void stop();
      };
    },
    close: stop,
  };
}
