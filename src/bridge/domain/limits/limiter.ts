import type { Logger } from 'pino';
import { type Counter, createCounter } from '../../store/limits/rate-limit-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { ApiError } from '../errors/api-error.js';
import type { Keys } from '../keys/keys.js';
import { networkOf } from './network.js';
import { rateInWords, type RateLimit, type RateLimitName, rateLimits } from './limits.js';

/** Counts calls against {@link rateLimits}, on all instances together. */
export interface Limiter {
  /** Counts one call. @throws ApiError with `retryAfterSeconds` when the limit is exceeded. */
  take(name: RateLimitName, key: string): Promise<void>;
  /** Returns one point, such as for a login that did not fail. */
  giveBack(name: RateLimitName, key: string): Promise<void>;
}

/** The dependencies of a limiter. */
export interface LimiterOptions {
  db: Database;
  keys: Keys;
  log: Logger;
  /** Numbers that override the table, by the name of the limit. */
  points?: Partial<Record<RateLimitName, number>>;
}

/** Creates the limiter of an instance. */
export function createLimiter({ db, keys, log, points }: LimiterOptions): Limiter {
  const limits = Object.fromEntries(
    Object.entries(rateLimits).map(([name, standard]) => {
      const limit: RateLimit = { ...standard, points: points?.[name as RateLimitName] ?? standard.points };
      const onError = (error: unknown) => {
        log.warn({ err: error, limit: name }, 'A limit is counted in memory: the database failed.');
      };
      const counter = createCounter(db, { name, points: limit.points, seconds: limit.seconds, onError });
      const keyOf = (key: string) => hiddenKey(keys, limit.by, key);
      return [name, { counter, keyOf, take: leasing(counter, limit) }];
    }),
  ) as Record<RateLimitName, Counted>;

  return {
    take: (name, key) => limits[name].take(limits[name].keyOf(key)),
    giveBack: (name, key) => limits[name].counter.giveBack(limits[name].keyOf(key)),
  };
}

interface Counted {
  counter: Counter;
  keyOf(key: string): string;
  take(key: string): Promise<void>;
}

/** Points that this instance has counted already and can still use. */
interface Lease {
  left: number;
  endsAt: number;
}

/**
 * The share of a limit that is leased at once. A query for each request would cost more than the
 * request.
 */
const leaseShare = 1 / 50;

/** The number of new leases after which ended ones are deleted. */
const sweepEvery = 1_000;

/**
 * Takes points of a counter in small leases, and uses them without a query. The limit is never
 * exceeded; points that other instances have leased and not used reduce it. Limits below 100 are
 * counted one by one.
 */
function leasing(counter: Counter, limit: RateLimit): (key: string) => Promise<void> {
  const size = Math.max(1, Math.floor(limit.points * leaseShare));
  const leases = new Map<string, Lease>();
  const renewals = new Map<string, Promise<void>>();
  let sweepAt = sweepEvery;

  async function renew(key: string): Promise<void> {
    const { granted, endsInMs } = await counter.count(key, size);
    if (granted === 0) throw tooMany(limit, endsInMs);
    const now = Date.now();
    leases.set(key, { left: granted, endsAt: now + endsInMs });
    if (leases.size < sweepAt) return;
    for (const [name, { endsAt }] of leases) if (endsAt <= now) leases.delete(name);
    sweepAt = leases.size + sweepEvery;
  }

  return async function take(key) {
    for (;;) {
      const lease = leases.get(key);
      if (lease !== undefined && lease.left > 0 && lease.endsAt > Date.now()) {
        lease.left -= 1;
        return;
      }
      // One query at a time per key: concurrent callers share the lease.
      const renewal = renewals.get(key) ?? renew(key).finally(() => renewals.delete(key));
      renewals.set(key, renewal);
      await renewal;
    }
  };
}

function tooMany(limit: RateLimit, waitMs: number): ApiError {
  return new ApiError(limit.failure, `limit: expected at most ${rateInWords(limit)}`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/** A keyed hash of what is personal, so that the table contains no IP addresses and no mailboxes. */
function hiddenKey(keys: Keys, by: RateLimit['by'], key: string): string {
  if (by === 'address')
    return keys
      .of('live')
      .mac('rate-bucket', `address:${networkOf(key)}`)
      .toString('base64url');
  return by === 'mailbox' ? keys.of('live').mac('rate-bucket', `mailbox:${key}`).toString('base64url') : key;
}
