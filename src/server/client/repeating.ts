import type { OperationId } from '../../contract/index.js';
import type { Failed } from './outcome.js';

/**
 * When a call is repeated. This table is the whole rule.
 *
 * | What happened                              | `always` | `unless_processed` |
 * | ------------------------------------------ | -------- | ------------------ |
 * | `unsent`: no connection was made           | yes      | yes                |
 * | 429, 503: the bridge says it did nothing   | yes      | yes                |
 * | `lost`: the connection broke after sending | yes      | no                 |
 * | 500, 502, 504: it may have done it         | yes      | no                 |
 * | 401 with a token                           | once, after a new login, outside this table | |
 * | any other answer, deadline, your signal    | no       | no                 |
 */
export const repeatable: Readonly<Record<OperationId, 'always' | 'unless_processed'>> = {
  /** A second token does no harm. */
  login: 'always',
  /** Each call replaces the credential; its secrets are shown once. */
  createAccountCredential: 'unless_processed',
  /** Merging the same fields twice is the same as once. */
  syncProfile: 'always',
  /** Carries an Idempotency-Key: the same key gives the same session. */
  createSession: 'always',
  /** Reads only. */
  getApplication: 'always',
  /** The second decision would be a forbidden move. */
  decideState: 'unless_processed',
};

const firstDelayMs = 250;
const longestDelayMs = 5_000;

/** Whether repeating this operation after this failure can do nothing twice. */
export function mayRepeat(operation: OperationId, failed: Failed): boolean {
  const always = repeatable[operation] === 'always';
  if (failed.kind !== 'answer') return always || failed.kind === 'unsent';
  if (failed.status === 429 || failed.status === 503) return true;
  return always && [500, 502, 504].includes(failed.status);
}

/**
 * How long to wait before the next attempt, in milliseconds. Full jitter: callers that failed together do not come back
 * together. A `Retry-After` is a lower bound; the call's deadline is the upper one.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return (retryAfterMs ?? 0) + random() * ceiling;
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
