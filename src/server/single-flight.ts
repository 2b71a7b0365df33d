/** Runs work by key, one piece at a time for each key. */
export interface SingleFlight<Result> {
  /**
   * Runs the work of a key. While it runs, all further callers share one run that starts after
   * it: the running one may have read before the change that a new caller wants to see.
   */
  run(key: string): Promise<Result>;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
}

/** Creates a single flight around `work`. */
export function createSingleFlight<Result>(work: (key: string) => Promise<Result>): SingleFlight<Result> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  function start(key: string): Promise<Result> {
    const result = work(key).finally(() => running.delete(key));
    running.set(key, result);
    return result;
  }

  function startAfter(key: string, current: Promise<Result>): Promise<Result> {
    function startNext(): Promise<Result> {
      waiting.delete(key);
      return start(key);
    }
    const result = current.then(startNext, startNext);
    waiting.set(key, result);
    return result;
  }

  return {
    run(key) {
      const next = waiting.get(key);
      if (next) return next;
      const current = running.get(key);
      return current ? startAfter(key, current) : start(key);
    },
    async settled() {
      while (running.size + waiting.size > 0) await Promise.allSettled([...running.values(), ...waiting.values()]);
    },
  };
}

/** Runs pieces of work with the same key one after another. */
export type Serialize = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates a queue for each key. */
export function createSerialize(): Serialize {
  const tails = new Map<string, Promise<unknown>>();
  return function serialize(key, work) {
    const result = (tails.get(key) ?? Promise.resolve()).then(work, work);
    const tail = result.catch(() => undefined).finally(() => tails.get(key) === tail && tails.delete(key));
    tails.set(key, tail);
    return result;
  };
}
