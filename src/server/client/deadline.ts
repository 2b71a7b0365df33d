import type { Clock } from '../clock.js';

/** The end of a call: its time limit and the caller's signal in one. */
export interface Deadline {
  /** Aborts when either ends the call. */
  readonly signal: AbortSignal;
  /** Which of the two ended it; `undefined` while neither has. */
  readonly ended: 'timeout' | 'aborted' | undefined;
  /** Milliseconds left. */
  remainingMs(): number;
  /** Settles as the promise does, or rejects when the call ends first, also when nobody heeds the signal. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Resolves after a while, or rejects when the call ends first. */
  sleep(milliseconds: number): Promise<void>;
  /** Stops the timer. */
  clear(): void;
}

/** Starts a deadline; without a time limit, only the caller's signal ends it. */
export function startDeadline(
  clock: Clock,
  timeoutMs: number | undefined,
  callerSignal: AbortSignal | undefined,
): Deadline {
  const timeout = new AbortController();
  const endsAt = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  const stopTimer =
    timeoutMs === undefined
      ? undefined
      : clock.after(timeoutMs, () => {
          timeout.abort();
        });
  const signal = callerSignal ? AbortSignal.any([timeout.signal, callerSignal]) : timeout.signal;

  function race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(new Error('The call ended.'));
      };
      if (signal.aborted) {
        // Nobody waits for this promise any more: its failure must not count as unhandled.
        promise.catch(() => undefined);
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      void promise.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', onAbort);
      });
    });
  }

  return {
    signal,
    get ended() {
      // `any` fires with the first of its sources, but both may have aborted by the time somebody asks.
      if (callerSignal?.aborted === true) return 'aborted';
      return timeout.signal.aborted ? 'timeout' : undefined;
    },
    remainingMs: () => endsAt - clock.now(),
    race,
    async sleep(milliseconds) {
      let cancel: (() => void) | undefined;
      const slept = new Promise<void>((resolve) => {
        cancel = clock.after(milliseconds, resolve);
      });
      try {
        await race(slept);
      } finally {
        cancel?.();
      }
    },
    clear: () => stopTimer?.(),
  };
}
