import type { Repeat } from '../../contract/index.js';
import type { Outcome } from './send.js';

const firstDelayMs = 250;
const longestDelayMs = 5_000;
const longestRetryAfterMs = 24 * 60 * 60_000;

/**
 * Whether sending a request again after this failure can do nothing twice: the table at the
 * contract's `Repeat`.
 */
export function mayRepeat(repeat: Repeat, failed: Outcome): boolean {
  if (failed.kind !== 'answer') return failed.kind === 'unsent' || repeat === 'always';
  if (failed.status === 429) return repeat !== 'unless_sent';
  return repeat === 'always' && [500, 502, 503, 504].includes(failed.status);
}

/**
 * How long to wait before the next attempt, in milliseconds. Full jitter, so that callers that
 * failed together do not return together. A `Retry-After` is a lower bound; the call's deadline is
 * the upper one.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return Math.round((retryAfterMs ?? 0) + random() * ceiling);
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now: a day at most. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (!value) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), longestRetryAfterMs);
}
