import { sql, type SqlBool } from 'kysely';
import type { Mode, WebhookEventType } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { isAddressGone } from './webhook-address-store.js';

/** An event to write. */
export interface NewEvent {
  applicationId: string;
  url: string;
  id: string;
  type: WebhookEventType;
  data: object;
  /** What caused it. */
  requestId: string | undefined;
  now: Date;
}

/** The first undelivered event of an application, claimed by one worker. */
export interface ClaimedEvent {
  applicationId: string;
  agencyId: string;
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
  /** The id of the request, job or command that caused it. */
  requestId: string | null;
  createdAt: Date;
}

/**
 * Appends an event to its application's line, which follows the event's address with all that waits in it. To an address that
 * answered 410 it is parked at once. The caller holds the application's row, so that all who touch both take the application
 * before the line.
 */
export async function appendEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const isGone = await isAddressGone(trx, event.applicationId, event.url);
  const dueAt = isGone ? null : event.now;
  const { next_seq, due_at } = await trx
    .insertInto('webhook_stream')
    .values({
      application_id: event.applicationId,
      url: event.url,
      next_seq: 2,
      due_at: dueAt,
      lease_until: null,
      gone_at: null,
    })
    // The row's lock, held until the commit, makes the order of numbers the order of commits.
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet((eb) => {
        // The account's address has changed while nothing waited in this line, or the session was renewed with another one: it
        // begins anew there.
        const isElsewhere = eb('webhook_stream.url', '<>', eb.ref('excluded.url'));
        return {
          url: eb.ref('excluded.url'),
          next_seq: eb('webhook_stream.next_seq', '+', 1),
          attempts: eb.case().when(isElsewhere).then(0).else(eb.ref('webhook_stream.attempts')).end(),
          gone_at: eb.case().when(isElsewhere).then(null).else(eb.ref('webhook_stream.gone_at')).end(),
          due_at: eb
            .case()
            .when(isElsewhere)
            .then(eb.ref('excluded.due_at'))
            .when('webhook_stream.gone_at', 'is', null)
            .then(eb.fn.coalesce('webhook_stream.due_at', 'excluded.due_at'))
            .else(null)
            .end(),
        };
      }),
    )
    .returning(['next_seq', 'due_at'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('webhook_event')
    .values({
      application_id: event.applicationId,
      seq: next_seq - 1,
      id: event.id,
      type: event.type,
      data: JSON.stringify(event.data),
      request_id: event.requestId ?? null,
      created_at: event.now,
      delivered_at: null,
      dead_at: isGone || due_at === null ? event.now : null,
    })
    .execute();
  // What waited for the address before would wait for ever, and no list would show it.
  if (due_at === null) await parkWaiting(trx, event);
}

async function parkWaiting(trx: DatabaseTransaction, { applicationId, now }: NewEvent): Promise<void> {
  await trx
    .updateTable('webhook_event')
    .set({ dead_at: now })
    .where('application_id', '=', applicationId)
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .execute();
}

/** Which events are claimed. */
export interface Claim {
  now: Date;
  /** From how many applications at most. */
  limit: number;
  leaseMs: number;
  /** Agencies from which nothing is claimed. */
  exceptOf: readonly string[];
  /** Only among so many applications, those whose event became due last. Among all when absent. */
  amongNewest?: number | undefined;
}

/** Claims applications with something due. */
export async function claimEvents(db: Database, claim: Claim): Promise<ClaimedEvent[]> {
  const { now, limit, leaseMs, exceptOf, amongNewest } = claim;
  return db.transaction().execute(async (trx) => {
    const due = trx
      .selectFrom('webhook_stream as due')
      .select('due.application_id')
      .where('due.due_at', '<=', now)
      .where((either) => either.or([either('due.lease_until', 'is', null), either('due.lease_until', '<', now)]))
      // What is due for a deactivated agency waits until the operator activates it again.
      .where(
        sql<SqlBool>`(select agency_id from application where id = due.application_id)
          <> all(array(select id from agency where deactivated_at is not null) || ${exceptOf}::text[])`,
      )
      .$if(amongNewest !== undefined, (query) =>
        query.where(
          sql<SqlBool>`due.application_id = any(array(select application_id from webhook_stream where due_at <= ${now}
            order by due_at desc limit ${amongNewest}))`,
        ),
      )
      .orderBy('due.due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    const claimed = await trx
      .updateTable('webhook_stream')
      .set((eb) => ({ lease_until: new Date(now.getTime() + leaseMs), fence: eb('fence', '+', 1) }))
      // An array and no join: it is read once, and then looked up by the primary key, however many lines there are.
      .where('application_id', '=', sql<string>`any(array(${due}))`)
      .returning('application_id')
      .execute();
    if (claimed.length === 0) return [];
    const ids = claimed.map((row) => row.application_id);
    // A second statement, and so a newer view: the first one's would still show an event that was acknowledged while it waited.
    const events = await headEvents(trx, ids);
    await clearEmptyLines(
      trx,
      ids.filter((id) => !events.some((event) => event.applicationId === id)),
    );
    return events;
  });
}

/** A line whose events were parked while one of them was under way has nothing to be due for. */
async function clearEmptyLines(trx: DatabaseTransaction, applicationIds: string[]): Promise<void> {
  if (applicationIds.length === 0) return;
  await trx
    .updateTable('webhook_stream')
    .set({ due_at: null, lease_until: null })
    .where('application_id', 'in', applicationIds)
    .execute();
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
      'application.agency_id as agencyId',
      'application.mode',
      'stream.url',
      'stream.fence',
      'stream.attempts',
      'event.seq',
      'event.id',
      'event.type',
      'event.data',
      'event.request_id as requestId',
      'event.created_at as createdAt',
    ])
    .where('stream.application_id', 'in', applicationIds)
    .execute();
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
