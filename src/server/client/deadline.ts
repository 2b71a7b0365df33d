import type { Clock } from '../clock.js';

/** The end of a call: its time limit and the caller's signal in one. */
export interface Deadline {
  /** Aborts when either ends the call. */
  readonly signal: AbortSignal;
  /** Which of the two ended it; `undefined` while neither has. */
  endedBy(): 'timeout' | 'aborted' | undefined;
  /** Milliseconds left; `Infinity` without a time limit. */
  remainingMs(): number;
  /**
   * Settles as the promise does, or rejects when the call ends first, also where the signal is
   * ignored.
   */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Resolves after a while, or rejects when the call ends first. */
  sleep(milliseconds: number): Promise<void>;
  /** Stops the timer. */
  clear(): void;
}

/**
 * Starts a deadline; without a time limit, only the caller's signal ends it. Not
 * `AbortSignal.timeout`, because it does not take the client's clock and its timer does not keep a
 * process alive.
 */
export function startDeadline(clock: Clock, timeoutMs: number | undefined, callerSignal?: AbortSignal): Deadline {
  const timeout = new AbortController();
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout.signal]) : timeout.signal;
  const endsAt = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  const stopTimer = timeoutMs === undefined ? undefined : clock.after(timeoutMs, () => timeout.abort());

  function race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason as Error);
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  return {
    signal,
    endedBy() {
      if (!signal.aborted) return undefined;
      return callerSignal?.aborted ? 'aborted' : 'timeout';
    },
    remainingMs: () => endsAt - clock.now(),
    race,
    async sleep(milliseconds) {
      let cancel: (() => void) | undefined;
      const slept = new Promise<void>((resolve) => {
        cancel = clock.after(milliseconds, resolve);
      });
      await race(slept).finally(cancel);
    },
    clear() {
      stopTimer?.();
    },
  };
}
