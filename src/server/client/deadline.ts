import type { Clock } from '../clock.js';

/** The end of a call: its time limit and the caller's signal in one. */
export interface Deadline {
  /** Aborts when either ends the call. */
  readonly signal: AbortSignal;
  /** Which of the two ended it; `undefined` while neither has. */
  ended(): 'timeout' | 'aborted' | undefined;
  /** What it was given; `undefined` without a time limit. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds left. */
  remainingMs(): number;
  /** Settles as the promise does, or rejects when the call ends first, also when nobody heeds the signal. One after the other. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Resolves after a while, or rejects when the call ends first. */
  sleep(milliseconds: number): Promise<void>;
  /** Stops the timer and lets go of the caller's signal, which may outlive many calls. */
  clear(): void;
}

/** Starts a deadline; without a time limit, only the caller's signal ends it. */
export function startDeadline(
  clock: Clock,
  timeoutMs: number | undefined,
  callerSignal: AbortSignal | undefined,
): Deadline {
  // Not `AbortSignal.any`, and no listener for each race: together they cost as much as all else that is done for a call.
  const controller = new AbortController();
  const endsAt = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  let ended: ReturnType<Deadline['ended']>;
  let stopWaiting: (() => void) | undefined;

  function end(by: 'timeout' | 'aborted'): void {
    ended ??= by;
    controller.abort();
    stopWaiting?.();
  }
  const onCallerAbort = () => {
    end('aborted');
  };
  if (callerSignal?.aborted) onCallerAbort();
  callerSignal?.addEventListener('abort', onCallerAbort, { once: true });
  const stopTimer =
    timeoutMs === undefined
      ? undefined
      : clock.after(timeoutMs, () => {
          end('timeout');
        });

  function race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      stopWaiting = () => {
        reject(controller.signal.reason as Error);
      };
      if (ended) stopWaiting();
      // Also when nobody waits any more: a failure must not count as unhandled.
      promise.then(resolve, reject);
    });
  }

  return {
    signal: controller.signal,
    timeoutMs,
    ended: () => ended,
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
    clear() {
      stopTimer?.();
      callerSignal?.removeEventListener('abort', onCallerAbort);
    },
  };
}
