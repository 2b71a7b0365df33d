const fastDelayMs = 300;
const slowestDelayMs = 10_000;
const lastAttempt = 170;

/**
 * How long to wait after a hello before the next, or nothing when it was the last. `attempt` counts from 0.
 *
 * Every 300 ms for 30 s, longer than any element waits; then ever slower, because an element that loads on a bad network may
 * still come; then, some ten minutes after the first, none: a page left open in a background tab must not wake the processor
 * for ever. A new document, or the same one out of the back/forward cache, starts again.
 */
export function delayAfterHello(attempt: number): number | undefined {
  if (attempt >= lastAttempt) return undefined;
  return Math.min(slowestDelayMs, fastDelayMs * 2 ** Math.max(0, attempt - 99));
}
