import { deleteEndedOperatorSessions } from '../store/accounts/operator-store.js';
import { deleteEndedCounts } from '../store/accounts/rate-limit-store.js';
import { deleteExpired } from '../store/applications/expiry-store.js';
import { deleteOld, type Growing } from '../store/retention-store.js';
import type { BridgeContext } from './context.js';
import { eraseEnded } from './erasure.js';
import { sessionIdleMs } from './operators/sign-in.js';
import { idempotencyKeyTtlMs } from './sessions/create-session.js';

/**
 * How long a session that another one followed is known after its end: its link leads whoever kept it back to the partner, and a repeated
 * Idempotency-Key, which lives for a day, finds it.
 */
const earlierSessionsKeptMs = 30 * 24 * 3_600_000;

/**
 * Deletes what has run out: tokens, counts of limits, Idempotency-Keys, sessions that others followed; what grows without end
 * and is older than its retention; and, where there is a limit, what was typed in applications that ended long ago. A signal
 * that aborts leaves the rest to the next time.
 */
export async function cleanUp(
  context: Pick<BridgeContext, 'db' | 'clock' | 'log' | 'retention' | 'retentionDays'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = context.clock().getTime();
  await deleteExpired(context.db, {
    tokens: new Date(now),
    idempotencyKeys: new Date(now - idempotencyKeyTtlMs),
    earlierSessions: new Date(now - earlierSessionsKeptMs),
    identityChecks: new Date(now),
  });
  await deleteEndedOperatorSessions(context.db, new Date(now), new Date(now - sessionIdleMs));
  // By the clock that wrote them. A minute later: the clocks of instances differ a little.
  await deleteEndedCounts(context.db, new Date(Date.now() - 60_000));
  for (const [growing, days] of Object.entries(context.retention) as [Growing, number][]) {
    if (days > 0) await deleteOld(context.db, growing, new Date(now - days * 24 * 3_600_000), signal);
  }
  if (context.retentionDays === undefined) return;
  const erased = await eraseEnded(context, context.retentionDays, signal);
  if (erased.applications > 0) context.log.info(erased, 'What users typed in ended applications was erased.');
}
