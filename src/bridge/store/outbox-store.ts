import { sql } from 'kysely';
import type { Mode, WebhookEventType } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';

/** An event to write. */
export interface NewEvent {
  applicationId: string;
  url: string;
  id: string;
  type: WebhookEventType;
  data: object;
  now: Date;
}

/** The first undelivered event of an application, claimed by one worker. */
export interface ClaimedEvent {
  applicationId: string;
  mode: Mode;
  url: string;
  /** Proves the claim: a later claim has a higher one. */
  fence: number;
  /** Tries so far. */
  attempts: number;
  seq: number;
  id: string;
  type: WebhookEventType;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** Appends an event to its application's line. To an address that answered 410 it is parked at once. */
export async function appendEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const { next_seq } = await trx
    .insertInto('webhook_stream')
    .values({
      application_id: event.applicationId,
      url: event.url,
      next_seq: 2,
      due_at: null,
      lease_until: null,
      gone_at: null,
    })
    // The row's lock, held until the commit, makes the order of numbers the order of commits.
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet((eb) => ({ next_seq: eb('webhook_stream.next_seq', '+', 1) })),
    )
    .returning('next_seq')
    .executeTakeFirstOrThrow();
  const gone = await isGone(trx, event.applicationId, event.url);
  await trx
    .insertInto('webhook_event')
    .values({
      application_id: event.applicationId,
      seq: next_seq - 1,
      id: event.id,
      type: event.type,
      data: JSON.stringify(event.data),
      created_at: event.now,
      delivered_at: null,
      dead_at: gone ? event.now : null,
    })
    .execute();
  if (gone) return;
  await trx
    .updateTable('webhook_stream')
    .set((eb) => ({ due_at: eb.fn.coalesce('due_at', eb.val(event.now)) }))
    .where('application_id', '=', event.applicationId)
    .execute();
}

/** Whether an address answered 410 to the same agency's events, in any of its applications. */
async function isGone(trx: DatabaseTransaction, applicationId: string, url: string): Promise<boolean> {
  const gone = await trx
    .selectFrom('webhook_stream')
    .innerJoin('application', 'application.id', 'webhook_stream.application_id')
    .select('webhook_stream.application_id')
    .where('webhook_stream.url', '=', url)
    .where('webhook_stream.gone_at', 'is not', null)
    .where('application.agency_id', '=', (eb) =>
      eb.selectFrom('application as own').select('own.agency_id').where('own.id', '=', applicationId),
    )
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/** Claims up to `limit` applications with something due, each for `leaseMs`. */
export async function claimEvents(db: Database, now: Date, limit: number, leaseMs: number): Promise<ClaimedEvent[]> {
  return db.transaction().execute(async (trx) => {
    const claimed = await trx
      .updateTable('webhook_stream')
      .set((eb) => ({ lease_until: new Date(now.getTime() + leaseMs), fence: eb('fence', '+', 1) }))
      .where('application_id', 'in', (eb) =>
        eb
          .selectFrom('webhook_stream as due')
          .select('due.application_id')
          .where('due.due_at', '<=', now)
          .where((either) => either.or([either('due.lease_until', 'is', null), either('due.lease_until', '<', now)]))
          .orderBy('due.due_at')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning('application_id')
      .execute();
    if (claimed.length === 0) return [];
    // A second statement, and so a newer view: the first one's would still show an event that was acknowledged while it waited.
    return headEvents(
      trx,
      claimed.map((row) => row.application_id),
    );
  });
}

function headEvents(trx: DatabaseTransaction, applicationIds: string[]): Promise<ClaimedEvent[]> {
  return trx
    .selectFrom('webhook_stream as stream')
    .innerJoin('application', 'application.id', 'stream.application_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_event')
          .selectAll()
          .whereRef('webhook_event.application_id', '=', 'stream.application_id')
          .where('delivered_at', 'is', null)
          .where('dead_at', 'is', null)
          .orderBy('seq')
          .limit(1)
          .as('event'),
      (join) => join.onTrue(),
    )
    .select([
      'stream.application_id as applicationId',
      'application.mode',
      'stream.url',
      'stream.fence',
      'stream.attempts',
      'event.seq',
      'event.id',
      'event.type',
      'event.data',
      'event.created_at as createdAt',
    ])
    .where('stream.application_id', 'in', applicationIds)
    .execute();
}

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
    // The stream's row first: its lock keeps an enqueue from seeing a line that is about to be called empty.
    const { numUpdatedRows } = await trx
      .updateTable('webhook_stream')
      .set({ lease_until: null, attempts: outcome.kind === 'retry' ? event.attempts + 1 : 0 })
      .where('application_id', '=', event.applicationId)
      .where('fence', '=', event.fence)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
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
    if (outcome.kind === 'retry') await setDue(trx, event.applicationId, outcome.at);
    else if (outcome.kind === 'gone') await stopAddress(trx, event, now);
    else await finishEvent(trx, event, outcome.kind, now);
    return true;
  });
}

/** Gives a claim back untried, so that another instance need not wait for the lease. */
export async function releaseEvent(db: Database, event: ClaimedEvent): Promise<void> {
  await db
    .updateTable('webhook_stream')
    .set({ lease_until: null })
    .where('application_id', '=', event.applicationId)
    .where('fence', '=', event.fence)
    .execute();
}

async function finishEvent(
  trx: DatabaseTransaction,
  event: ClaimedEvent,
  kind: 'delivered' | 'dead',
  now: Date,
): Promise<void> {
  await trx
    .updateTable('webhook_event')
    .set(kind === 'delivered' ? { delivered_at: now } : { dead_at: now })
    .where('application_id', '=', event.applicationId)
    .where('seq', '=', event.seq)
    .execute();
  const next = await trx
    .selectFrom('webhook_event')
    .select('seq')
    .where('application_id', '=', event.applicationId)
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  await setDue(trx, event.applicationId, next === undefined ? null : now);
}

/** Parks everything that waits for an address, in all applications of the agency. */
async function stopAddress(trx: DatabaseTransaction, event: ClaimedEvent, now: Date): Promise<void> {
  const stopped = await trx
    .updateTable('webhook_stream')
    .set({ due_at: null, gone_at: now })
    .where('url', '=', event.url)
    .where('application_id', 'in', (eb) =>
      eb
        .selectFrom('application')
        .innerJoin('application as own', 'own.agency_id', 'application.agency_id')
        .select('application.id')
        .where('own.id', '=', event.applicationId),
    )
    .returning('application_id')
    .execute();
  await trx
    .updateTable('webhook_event')
    .set({ dead_at: now })
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .where(
      'application_id',
      'in',
      stopped.map((row) => row.application_id),
    )
    .execute();
}

async function setDue(trx: DatabaseTransaction, applicationId: string, at: Date | null): Promise<void> {
  await trx.updateTable('webhook_stream').set({ due_at: at }).where('application_id', '=', applicationId).execute();
}

/** When the next event is due; `undefined` when nothing waits. */
export async function nextDue(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(greatest(due_at, coalesce(lease_until, due_at))) as due from webhook_stream where due_at is not null
  `.execute(db);
  return rows[0]?.due ?? undefined;
}
