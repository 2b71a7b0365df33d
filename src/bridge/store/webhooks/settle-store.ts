import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
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
      .select(['url', 'gone_at'])
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
    if (outcome.kind === 'gone') await stopAddress(trx, event, now);
    // Redirected during the try: what the old address said, but for "thank you", is not the new one's fault.
    const isElsewhere = stream.url !== event.url;
    if (outcome.kind === 'gone' && !isElsewhere) return true;
    if (outcome.kind === 'delivered' || (outcome.kind === 'dead' && !isElsewhere)) {
      await finishEvent(trx, event, outcome.kind, now);
    }
    const head = await findHead(trx, event.applicationId);
    // Not when the event was parked meanwhile: the one behind it has its own tries.
    const isRetried = outcome.kind === 'retry' && !isElsewhere && head === event.seq;
    const dueAt = isRetried ? outcome.at : now;
    await trx
      .updateTable('webhook_stream')
      .set({
        lease_until: null,
        attempts: isRetried ? event.attempts + 1 : 0,
        // Parked meanwhile, because the address was gone for another application.
        due_at: head === undefined || stream.gone_at !== null ? null : dueAt,
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

/** The place of the event that comes next; `undefined` when none waits. */
async function findHead(trx: DatabaseTransaction, applicationId: string): Promise<number | undefined> {
  const head = await trx
    .selectFrom('webhook_event')
    .select('seq')
    .where('application_id', '=', applicationId)
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return head?.seq;
}
