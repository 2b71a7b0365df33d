/** The time and timers, which tests replace. */
export interface Clock {
  /** Returns the milliseconds since 1970. */
  now(): number;
  /** Calls back once after a delay in milliseconds. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/**
 * The real clock. Its timers keep a Node process alive, so that a script that waits for a retry
 * does not end before it.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The real clock for work beside requests: its timers do not keep a Node process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    // Only Node's timers are objects; elsewhere a process does not end by itself.
    const timer = setTimeout(callback, milliseconds) as unknown as number & { unref?(): void };
    timer.unref?.();
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Calls a function of the partner and resolves with its result. Rejects with an error that carries
 * `name` when it takes longer. The function cannot be stopped; a later result is ignored.
 */
export function withTimeout<Result>(
  clock: Clock,
  timeoutMs: number,
  name: string,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => {
      reject(new Error(`${name} took longer than ${timeoutMs / 1_000} seconds.`));
    });
    // Within a promise, so that a function that throws fails like one that rejects.
    Promise.resolve().then(call).then(resolve, reject).finally(cancel);
  });
}

/** Runs pieces of work with the same key one after another. */
export type Serialize = ReturnType<typeof createSerialize>;

/** Creates a queue for each key. */
export function createSerialize() {
  const tails = new Map<string, Promise<unknown>>();
  return function serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (tails.get(key) ?? Promise.resolve()).then(work, work);
    const tail = result.catch(() => undefined).finally(() => tails.get(key) === tail && tails.delete(key));
    tails.set(key, tail);
    return result;
  };
}

/** Runs work by key, one piece at a time for each key. */
export function createSingleFlight<Result>(work: (key: string) => Promise<Result>) {
  const serialize = createSerialize();
  const waiting = new Map<string, Promise<Result>>();
  const unsettled = new Set<Promise<Result>>();

  function startAfterOthers(key: string): Promise<Result> {
    const result = serialize(key, () => {
      waiting.delete(key);
      return work(key);
    });
    waiting.set(key, result);
    unsettled.add(result);
    result.catch(() => undefined).finally(() => unsettled.delete(result));
    return result;
  }

  return {
    /**
     * Runs the work of a key. While it runs, all further callers share one run that starts after
     * it, because the running one may have read before the change that a new caller needs.
     */
    run: (key: string): Promise<Result> => waiting.get(key) ?? startAfterOthers(key),
    /** Resolves when nothing is running. */
    async settled(): Promise<void> {
      while (unsettled.size > 0) await Promise.allSettled(unsettled);
    },
  };
}
