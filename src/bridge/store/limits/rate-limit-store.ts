import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../tables/typed-database.js';

/** The limit of a counter and its period. */
export interface CounterOptions {
  /** Unique: counters with the same name share their counts. */
  name: string;
  points: number;
  seconds: number;
  /** Receives a database error. The counter continues in memory. */
  onError: (error: unknown) => void;
}

/** Counts points by key. */
export interface Counter {
  /**
   * Counts points. Resolves with the number of them within the limit, and when the count of this
   * key ends.
   */
  count(key: string, points: number): Promise<{ granted: number; endsInMs: number }>;
  /** Returns one point. */
  giveBack(key: string): Promise<void>;
}

/**
 * Creates a counter in the table `rate_limit`, which all instances share. While the database fails,
 * each instance counts in memory. A key that is over its limit costs no query until its count ends.
 */
export function createCounter(db: Database, { name, points: limit, seconds, onError }: CounterOptions): Counter {
  const limiter = new RateLimiterPostgres({
    // Unnamed statements: a prepared statement belongs to a connection, and PgBouncer assigns
    // connections per transaction.
    storeClient: {
      async query({ text, values }: { text: string; values: unknown[] }) {
        try {
          const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
          return { rows, rowCount: rows.length };
        } catch (error) {
          onError(error);
          throw error;
        }
      },
    },
    storeType: 'client',
    tableName: 'rate_limit',
    // A migration creates the table, and `deleteEndedCounts` deletes expired rows.
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: limit,
    duration: seconds,
    // One more than the limit, because the last point may be returned.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: limit, duration: seconds }),
  });
  return {
    async count(key, points) {
      try {
        const { msBeforeNext } = await limiter.consume(key, points);
        return { granted: points, endsInMs: msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const { consumedPoints, msBeforeNext } = refusal;
        // A key that is blocked in memory has no count. Points that cross the limit are granted up
        // to it.
        const counted = consumedPoints === 0 ? limit : consumedPoints - points;
        return { granted: Math.max(0, limit - counted), endsInMs: msBeforeNext };
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
  };
}

/** Deletes the counts that ended before a time. */
export async function deleteEndedCounts(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('rateLimit').where('expire', '<=', before.getTime()).execute();
}
