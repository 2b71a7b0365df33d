import { sql, type RawBuilder } from 'kysely';
import type { WebhookEventType } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { lockAddress, stopAddress, type AddressedEvent } from './stream-store.js';

/** The first undelivered event of an application, claimed by one worker. */
export interface ClaimedEvent extends AddressedEvent {
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
  /** The W3C trace context of that. */
  traceparent: string | null;
  /** The sealed secret that its agency's webhooks of this mode are signed with; null where they are not. */
  secretSealed: string | null;
  createdAt: Date;
}

/** Which events are claimed. */
export interface Claim {
  now: Date;
  /** From how many applications at most. */
  limit: number;
  leaseMs: number;
  /** How many events of one agency may be under way, those claimed now included. */
  share: number;
  /** How many of each agency are under way. */
  underWay: ReadonlyMap<string, number>;
}

/** Claims applications with something due: first of the agency that has the fewest under way, and of each the oldest first. */
export async function claimEvents(db: Database, claim: Claim): Promise<ClaimedEvent[]> {
  const { now, limit, leaseMs, share, underWay } = claim;
  const isDue = sql`due_at <= ${now} and (lease_until is null or lease_until < ${now})`;
  return db.transaction().execute(async (trx) => {
    // Agency by agency, each found in the index after the one before, so that nobody's thousands are read. Locked in a second
    // look, which sees what another instance has claimed meanwhile.
    const { rows: claimed } = await sql<{ application_id: string }>`
      with recursive owner (agency_id) as (
        select min(agency_id) from webhook_stream where due_at is not null
        union all
        select (select min(agency_id) from webhook_stream where due_at is not null and agency_id > owner.agency_id)
        from owner where agency_id is not null
      ), candidate as (
        select next.application_id from owner
        left join unnest(${[...underWay.keys()]}::text[], ${[...underWay.values()]}::int[]) as busy (agency_id, count)
          on busy.agency_id = owner.agency_id
        cross join lateral (
          select application_id, due_at from webhook_stream
          where webhook_stream.agency_id = owner.agency_id and ${isDue}
          order by due_at limit greatest(0, least(${limit}::int, ${share}::int - coalesce(busy.count, 0)))
        ) as next
        -- What is due for a deactivated agency waits until the operator activates it again. Looked up for each owner: joined, a
        -- planner without statistics reads all agencies.
        where (select deactivated_at is null from agency where agency.id = owner.agency_id)
        order by coalesce(busy.count, 0) + row_number() over (partition by owner.agency_id order by due_at), due_at
        limit ${limit}
      ), locked as (
        select application_id from webhook_stream
        where application_id = any(array(select application_id from candidate))
          -- Not the condition of above: an index on due_at would be read for it, whole.
          and coalesce(due_at, 'infinity') <= ${now} and coalesce(lease_until, '-infinity') < ${now}
        for no key update skip locked
      )
      update webhook_stream set lease_until = ${new Date(now.getTime() + leaseMs)}, fence = fence + 1
      where application_id = any(array(select application_id from locked))
      returning application_id`.execute(trx);
    if (claimed.length === 0) return [];
    const ids = claimed.map((row) => row.application_id);
    // A second statement, and so a newer view: the first one's would still show an event that was acknowledged while it waited.
    const events = await headEvents(trx, ids);
    const empty = ids.filter((id) => !events.some((event) => event.applicationId === id));
    if (empty.length > 0) {
      // A stream whose events were dead-lettered while one of them was under way has nothing to be due for.
      const set = { due_at: null, lease_until: null };
      await trx.updateTable('webhook_stream').set(set).where('application_id', 'in', empty).execute();
    }
    return events;
  });
}

function headEvents(trx: DatabaseTransaction, applicationIds: string[]): Promise<ClaimedEvent[]> {
  return trx
    .selectFrom('webhook_stream as stream')
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
    .leftJoin('webhook_secret', (join) =>
      join
        .onRef('webhook_secret.agency_id', '=', 'stream.agency_id')
        .onRef('webhook_secret.mode', '=', 'stream.mode'),
    )
    .select([
      'stream.application_id as applicationId',
      'stream.agency_id as agencyId',
      'stream.mode',
      'stream.url',
      'stream.fence',
      'stream.attempts',
      'event.seq',
      'event.id',
      'event.type',
      'event.data',
      'event.request_id as requestId',
      'event.traceparent',
      'webhook_secret.secret_sealed as secretSealed',
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
 * Writes down what came of a claimed event and lets the stream go on. Changes nothing when the claim was lost to a later one.
 * Resolves with whether the stream's next event is due already; `undefined` when the claim was lost.
 */
export async function settleEvent(
  db: Database,
  event: ClaimedEvent,
  outcome: Outcome,
  attempt: Attempt,
  now: Date,
): Promise<boolean | undefined> {
  return db.transaction().execute(async (trx) => {
    if (outcome.kind === 'gone') await lockAddress(trx, event);
    // The stream's row first: its lock keeps an enqueue from seeing a stream that is about to be called empty, and the next
    // statement sees what was appended before. Locked by a select: a second update of a row in one transaction makes PostgreSQL
    // check its foreign key again, which waits for whoever holds the application, who may be waiting for this stream.
    const stream = await trx
      .selectFrom('webhook_stream')
      .select(['url', 'gone_at'])
      .where('application_id', '=', event.applicationId)
      .where('fence', '=', event.fence)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (stream === undefined) return undefined;
    // Redirected during the try: what the old address said, but for "thank you", is not the new one's fault.
    const isElsewhere = stream.url !== event.url;
    if (outcome.kind === 'gone') await stopAddress(trx, event, now);
    if (outcome.kind === 'gone' && !isElsewhere) {
      await insertAttempt(event, attempt).execute(trx);
      return false;
    }
    const isDead = outcome.kind === 'dead' && !isElsewhere;
    const isFinished = sql<boolean>`${outcome.kind === 'delivered' || isDead}::boolean`;
    const retryAt = sql<Date | null>`${outcome.kind === 'retry' && !isElsewhere ? outcome.at : null}::timestamptz`;
    // Every part sees the table as it was before: the event that is finished still stands in it.
    const { rows } = await sql<{ is_due: boolean }>`with attempt as (${insertAttempt(event, attempt)}), finished as (
        update webhook_event set delivered_at = ${isDead ? null : now}, dead_at = ${isDead ? now : null}
        where ${isFinished} and application_id = ${event.applicationId} and seq = ${event.seq}
      ), head as (
        select min(seq) as seq from webhook_event
        where application_id = ${event.applicationId} and delivered_at is null and dead_at is null
          and not (${isFinished} and seq = ${event.seq})
      ), next as (
        -- An event that was dead-lettered meanwhile is not retried: the one behind it has its own tries.
        select seq, case when seq = ${event.seq} then ${retryAt} end as retry_at from head
      )
      update webhook_stream set
        lease_until = null,
        attempts = case when next.retry_at is null then 0 else ${event.attempts + 1} end,
        -- No longer due where the address was found to be gone meanwhile, for another application.
        due_at = case when gone_at is null and next.seq is not null then coalesce(next.retry_at, ${now}) end
      from next where application_id = ${event.applicationId}
      returning coalesce(due_at, 'infinity') <= ${now} as is_due`.execute(trx);
    return rows[0]?.is_due === true;
  });
}

function insertAttempt(event: ClaimedEvent, { attemptedAt, status, error, durationMs }: Attempt): RawBuilder<unknown> {
  return sql`insert into webhook_attempt (event_id, attempted_at, status, error, duration_ms)
    values (${event.id}, ${attemptedAt}, ${status}, ${error}, ${durationMs})`;
}
