/** Time, passed in so that tests choose it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after so many milliseconds. Returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The real clock. Its timers keep a Node process alive: a script that waits for a retry must not end before it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The real clock for work beside requests: its timers do not hold up the end of a Node process. */
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
