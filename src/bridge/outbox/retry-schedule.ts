/** What Standard Webhooks recommends: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after the failed try before. */
export const retryDelaysSeconds: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** A receiver may put a try off, but not for ever. */
const maxRetryAfterSeconds = 3_600;

/** What the next delay is made from. */
export interface RetryOptions {
  /** Tries so far, the one that has just failed included. */
  attempts: number;
  /** What the receiver asked for in `Retry-After`. */
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
  // ±20 %, so that what failed together does not come back together.
  const delayMs = seconds * 1_000 * scale * (0.8 + 0.4 * random());
  const askedMs = Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds) * 1_000;
  return Math.round(Math.max(delayMs, askedMs));
}

/** Reads `Retry-After`: seconds or a date. Anything else counts as absent. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  // Date.parse makes a date of almost anything, of "-5" too.
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1_000);
}
