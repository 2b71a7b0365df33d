import { BridgeFailure } from '../domain/failure.js';

/** Counts requests by token. */
export interface RateLimit {
  /** Counts one. @throws BridgeFailure `too_many_requests` when it is one too many. */
  take(key: string): void;
}

const windowMs = 60_000;

/**
 * At most `limit` requests a minute and key; the minute starts with the first one. Kept in memory, so each instance counts for
 * itself: a write to the database for every read would cost more than what it protects.
 */
export function createRateLimit(limit: number, clock: () => Date): RateLimit {
  const windows = new Map<string, { startedAt: number; count: number }>();
  let sweptAt = clock().getTime();
  return {
    take(key) {
      const now = clock().getTime();
      if (now - sweptAt > windowMs) {
        for (const [other, { startedAt }] of windows) if (now - startedAt >= windowMs) windows.delete(other);
        sweptAt = now;
      }
      const known = windows.get(key);
      const window = known !== undefined && now - known.startedAt < windowMs ? known : { startedAt: now, count: 0 };
      windows.set(key, window);
      window.count += 1;
      if (window.count <= limit) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + windowMs - now) / 1_000));
      const details = `Authorization: expected at most ${String(limit)} requests a minute with one token`;
      throw new BridgeFailure('too_many_requests', details, { retryAfterSeconds });
    },
  };
}
