/** Time, passed in so that tests choose it. */
export interface Clock {
  /** Returns the milliseconds since 1970. */
  now(): number;
  /** Calls back once after so many milliseconds. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The real clock. Its timers keep a Node process alive, so that a script that waits for a retry does not end before it. */
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
      reject(new Error(`${name} took longer than ${String(timeoutMs / 1_000)} seconds.`));
    });
    // Within a promise, so that a function that throws fails like one that rejects.
    Promise.resolve().then(call).then(resolve, reject).finally(cancel);
  });
}
