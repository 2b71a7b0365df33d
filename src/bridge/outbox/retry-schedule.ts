/**
 * The recommendation of Standard Webhooks: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h
 * after the previous try.
 */
export const retryDelaysSeconds: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The maximum delay that a receiver can request. */
const maxRetryAfterSeconds = 3_600;

/** The inputs of the next delay. */
export interface RetryOptions {
  /** Tries so far, including the one that just failed. */
  attempts: number;
  /** The receiver's `Retry-After`. */
  retryAfterSeconds: number | undefined;
  /** `BRIDGE_WEBHOOK_RETRY_SCALE`. */
  scale: number;
  /** From 0 to 1. */
  random: () => number;
}

/** Milliseconds until the next try; `undefined` when there is none left. */
export function nextRetryMs({ attempts, retryAfterSeconds, scale, random }: RetryOptions): number | undefined {
  const seconds = retryDelaysSeconds[attempts - 1];
  if (seconds === undefined) return undefined;
  // ±20 %, so that events that failed together are not retried together.
  const delayMs = seconds * 1_000 * scale * (0.8 + 0.4 * random());
  const askedMs = Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds) * 1_000;
  return Math.round(Math.max(delayMs, askedMs));
}
