import type { OnboardType, OperationId } from '../../contract/index.js';
import type { Failed } from './outcome.js';

/**
 * When a call is repeated. This table is the whole rule.
 *
 * | What happened                              | `always` | `unless_processed` | `unless_sent` |
 * | ------------------------------------------ | -------- | ------------------ | ------------- |
 * | `unsent`: no connection was made           | yes      | yes                | yes           |
 * | 429, 503: somebody says it was not done    | yes      | yes                | no            |
 * | `lost`: the connection broke after sending | yes      | no                 | no            |
 * | 500, 502, 504: it may have been done       | yes      | no                 | no            |
 * | 401 with a token: it was not done          | once, after a new login, outside this table | | |
 * | any other answer, deadline, your signal    | no       | no                 | no            |
 */
export type Repeating = 'always' | 'unless_processed' | 'unless_sent';

/** The column of each operation. Where it depends on the onboard type, one for each. */
export const repeatable: Readonly<Record<OperationId, Repeating | Readonly<Record<OnboardType, Repeating>>>> = {
  /** A second token does no harm. */
  login: 'always',
  /** The same settings twice are the same as once. */
  updateAccount: 'always',
  /** Each call replaces the credential, and its secrets are shown once: only where surely nobody heard of it. */
  createAccountCredential: 'unless_sent',
  /** The same: a gateway's 503 may hide that it was done, and the secret for the next attempt would be gone. */
  resetCredential: 'unless_sent',
  onboardProducer: {
    /** Changes nothing. */
    lookup: 'always',
    /** Subscribed twice is the same as once. */
    subscribe: 'always',
    /** A host may bill or write to the member each time. */
    team: 'unless_processed',
  },
  /** Reads only. */
  getBulkDetails: 'always',
  /** The second job would do everything again. */
  startBulkOnboarding: 'unless_processed',
  /** Reads only. */
  getBulkStatus: 'always',
  /** Reads only. */
  listActiveLicenses: 'always',
  /** Reads only, though it is a POST: an SSN does not belong in an address. */
  lookUpNpn: 'always',
  /** Reads only, though it is a POST. */
  getSubscriptionUpdate: 'always',
  /** What is subscribed stays so, with its first `addedAt`. */
  subscribe: 'always',
  /** What is not subscribed is left out of the answer, and stays so. */
  unsubscribe: 'always',
  /** Assigned twice is the same as once, with the first `assignedAt`. */
  assignTerritory: 'always',
  /** The second call would be refused, as if the first had failed. */
  unassignTerritory: 'unless_processed',
  /** Reads only. */
  listTerritories: 'always',
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
const longestRetryAfterMs = 24 * 60 * 60_000;

/** The column of the table that a call belongs to. */
export function repeatingOf(operation: OperationId, onboardType: unknown): Repeating {
  const column = repeatable[operation];
  if (typeof column === 'string') return column;
  // A type that this package does not know may do anything.
  return new Map<unknown, Repeating>(Object.entries(column)).get(onboardType) ?? 'unless_processed';
}

/** Whether repeating a call of this column after this failure can do nothing twice. */
export function mayRepeat(column: Repeating, failed: Failed): boolean {
  if (failed.kind === 'unsent') return true;
  if (column === 'always') return failed.kind !== 'answer' || [429, 500, 502, 503, 504].includes(failed.status);
  return column === 'unless_processed' && failed.kind === 'answer' && [429, 503].includes(failed.status);
}

/**
 * How long to wait before the next attempt, in milliseconds. Full jitter: callers that failed together do not come back
 * together. A `Retry-After` is a lower bound; the call's deadline is the upper one.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return (retryAfterMs ?? 0) + random() * ceiling;
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now: a day at most, whatever stands there. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (!value) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), longestRetryAfterMs);
}
