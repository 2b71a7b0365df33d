/** Runs work after all earlier work with the same name has succeeded or failed. */
export type WithMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Queues work with the same name in this process, where waiting costs nothing. Waiting for a lock
 * in the database holds a connection: a few callers of one agency could hold all connections and
 * block everyone else. Work that must not run on several instances at once needs the database lock
 * as well.
 */
export function createMutex(): WithMutex {
  const last = new Map<string, Promise<unknown>>();
  return async function withMutex(name, work) {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined);
    last.set(name, ended);
    await ended;
    if (last.get(name) === ended) last.delete(name);
    return result;
  };
}
