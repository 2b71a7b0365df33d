/** Runs work when all work of the same name that came before has ended, however that was. */
export type TakeTurn = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets work of the same name wait for its turn in this process, where waiting costs nothing. Waiting for a lock of the database
 * holds a connection: a few callers of one agency could hold all of them, and everybody else would wait too. What must not run
 * at once on several instances needs the lock besides.
 */
export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>();
  return async function takeTurn(name, work) {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined);
    last.set(name, ended);
    await ended;
    if (last.get(name) === ended) last.delete(name);
    return result;
  };
}
