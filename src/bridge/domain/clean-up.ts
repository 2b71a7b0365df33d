import { deleteExpired } from '../store/expiry-store.js';
import type { BridgeContext } from './context.js';
import { idempotencyKeyTtlMs } from './sessions/create-session.js';

/**
 * Deletes what has run out: tokens, requests and failed logins older than the minute that counts,
 * Idempotency-Keys.
 */
export async function cleanUp(context: Pick<BridgeContext, 'db' | 'clock'>): Promise<void> {
  const now = context.clock().getTime();
  await deleteExpired(context.db, {
    tokens: new Date(now),
    // Two minutes: the clocks of instances differ a little.
    requestCounts: new Date(now - 120_000),
    loginFailures: new Date(now - 60_000),
    idempotencyKeys: new Date(now - idempotencyKeyTtlMs),
  });
}
