import type { Database, DatabaseTransaction } from '../domain/context.js';
import type { ClaimedEvent } from './outbox-store.js';
import { lockAddress, stopAddress } from './webhook-address-store.js';

/** What came of a try. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'dead' }
  /** The receiver answered 410: nothing more goes to this address. */
  | { kind: 'gone' };

/** A try to deliver, as the operator may read it. */
export interface Attempt {
  attemptedAt: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
}

/**
 * Writes down what came of a claimed event and lets the line go on. Changes nothing when the claim was lost to a later one.
 * Resolves with whether it was still ours.
 */
export async function settleEvent(
  db: Database,
  event: ClaimedEvent,
  outcome: Outcome,
  attempt: Attempt,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // The stream's row first: its lock keeps an enqueue from seeing a line that is about to be called empty. Locked by a select:
    // a second update of a row in one transaction makes PostgreSQL check its foreign key again, which waits for whoever holds
    // the application, who may be waiting for this line.
    if (outcome.kind === 'gone') await lockAddress(trx, event);
    const stream = await trx
      .selectFrom('webhook_stream')
      .select('gone_at')
      .where('application_id', '=', event.applicationId)
      .where('fence', '=', event.fence)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (stream === undefined) return false;
    await trx
      .insertInto('webhook_attempt')
      .values({
        event_id: event.id,
        attempted_at: attempt.attemptedAt,
        status: attempt.status,
        error: attempt.error,
        duration_ms: attempt.durationMs,
      })
      .execute();
    if (outcome.kind === 'gone') {
      await stopAddress(trx, event, now);
      return true;
    }
    if (outcome.kind !== 'retry') await finishEvent(trx, event, outcome.kind, now);
    const next = outcome.kind === 'retry' ? outcome.at : await dueAfter(trx, event.applicationId, now);
    await trx
      .updateTable('webhook_stream')
      .set({
        lease_until: null,
        attempts: outcome.kind === 'retry' ? event.attempts + 1 : 0,
        // Parked meanwhile, because the address was gone for another application.
        due_at: stream.gone_at === null ? next : null,
      })
      .where('application_id', '=', event.applicationId)
      .execute();
    return true;
  });
}

async function finishEvent(
  trx: DatabaseTransaction,
  event: ClaimedEvent,
  kind: 'delivered' | 'dead',
  now: Date,
): Promise<void> {
  await trx
    .updateTable('webhook_event')
    .set(kind === 'delivered' ? { delivered_at: now, dead_at: null } : { dead_at: now })
    .where('application_id', '=', event.applicationId)
    .where('seq', '=', event.seq)
    .execute();
}

/** When the line goes on: now, if anything waits in it. */
async function dueAfter(trx: DatabaseTransaction, applicationId: string, now: Date): Promise<Date | null> {
  const next = await trx
    .selectFrom('webhook_event')
    .select('seq')
    .where('application_id', '=', applicationId)
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return next === undefined ? null : now;
}
