import type { LicensingStore } from './licensing-store.js';

/** The callbacks of this process that wait for changes of records. */
export interface ChangeListeners {
  /** Adds a callback for a record and returns the function that removes it. */
  add(id: string, onChange: () => void): () => void;
  /** Calls the callbacks of a record; without an id, all: a change may have been missed. */
  emit(id?: string): void;
  /** Whether there are none. */
  isEmpty(): boolean;
}

/** Creates an empty list. */
export function createChangeListeners(): ChangeListeners {
  const listeners = new Set<{ id: string; onChange: () => void }>();
  return {
    add(id, onChange) {
      const listener = { id, onChange };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(id) {
      for (const listener of [...listeners]) if (id === undefined || listener.id === id) listener.onChange();
    },
    isEmpty: () => listeners.size === 0,
  };
}

/** A connection on which the ids of changed records arrive. */
export interface ChangeConnection {
  /** Resolves once every later change arrives; rejects when the connection cannot be made. */
  ready: Promise<unknown>;
  /** Closes the connection, also while it is being made. */
  close(): void;
}

/**
 * Creates the `subscribe` and `close` of a store. All subscribers share one connection, which is
 * open while there are any.
 */
export function shareConnection(
  connect: (emit: ChangeListeners['emit']) => ChangeConnection,
): Required<Pick<LicensingStore, 'subscribe' | 'close'>> {
  const listeners = createChangeListeners();
  let connection: ChangeConnection | undefined;

  function close(): void {
    connection?.close();
    connection = undefined;
  }

  return {
    async subscribe(id, onChange) {
      const remove = listeners.add(id, onChange);
      const current = (connection ??= connect(listeners.emit));
      try {
        await current.ready;
      } catch (error) {
        remove();
        // The next subscriber tries again.
        if (connection === current) close();
        throw error;
      }
      return function unsubscribe() {
        remove();
        if (listeners.isEmpty()) close();
      };
    },
    close: async () => close(),
  };
}
