import { sql } from 'kysely';
import type { WebhookEventType, WebhookPreference } from '../../../contract/index.js';
import { statement } from '../statement.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { inTransaction } from '../transaction.js';
import { adaptStreams, currentUrl, disableEndpoint, isClosed, useIndexesOnly } from './endpoint-store.js';
import type { AddressedEvent } from './stream-store.js';

/** The first undelivered event of a stream, claimed by one worker. */
export interface ClaimedEvent extends AddressedEvent {
  /** The fence of the claim: a later claim has a higher one. */
  fence: number;
  /** Tries so far. */
  attempts: number;
  seq: number;
  id: string;
  type: WebhookEventType;
  data: Record<string, unknown>;
  /** The id of the request, job or command that caused it. */
  requestId: string | null;
  /** Its W3C trace context. */
  traceparent: string | null;
  /**
   * The encrypted secret that signs the agency's webhooks of this mode; null where they are not
   * signed.
   */
  secretEncrypted: string | null;
  /** The account's, for an event of a producer. Null before the account chose one. */
  webhookPreference: WebhookPreference | null;
  createdAt: Date;
}

/** Limits of a claim. */
export interface Claim {
  now: Date;
  /** The maximum number of streams. */
  limit: number;
  leaseMs: number;
  /** The maximum number of events of one agency in delivery, including those claimed now. */
  share: number;
  /** The number of events in delivery, by agency. */
  underWay: ReadonlyMap<string, number>;
  /** The last agency that the previous claim looked at in turn; "" before the first. */
  lastAgency: string;
}

/** The result of a claim. */
export interface ClaimResult {
  events: ClaimedEvent[];
  /**
   * The last agency that was looked at in turn. "" when nothing is due behind it, so that the next
   * claim begins again with the first.
   */
  lastAgency: string;
}

/** The number of due events whose agencies a claim looks at: the oldest, and the newest. */
const eventsLookedAt = 64;
/** The number of agencies that a claim looks at in turn when more is due. */
const agenciesInTurn = 32;

/**
 * Claims streams with a due event: first of the agency with the fewest deliveries in progress,
 * and per agency the oldest first.
 *
 * 1. The agencies of the oldest due events are looked at. Usually nothing else is due.
 * 2. When more is due, so are the agencies of the newest due events: an event that has just been
 *    written does not wait behind the backlog of another agency.
 * 3. Then some agencies in turn, behind those of the previous claim: every agency gets its turn,
 *    whatever waits for others.
 *
 * So the number of rows read depends neither on the number of agencies nor on what waits.
 */
export async function claimEvents(db: Database, claim: Claim): Promise<ClaimResult> {
  const { heads, lastAgency } = await claimHeads(db, claim);
  const changed = heads.filter(({ isAdapted }) => !isAdapted).map(({ event }) => event.streamId);
  const released = heads.filter((head) => head.isClosed).map(({ event }) => event.streamId);
  // In a separate transaction: see settleEvent for why a stream is not updated twice in one.
  await adaptStreams(db, { ids: changed, released, now: claim.now });
  return { events: heads.flatMap((head) => (head.isClosed ? [] : [head.event])), lastAgency };
}

/** The first undelivered event of a claimed stream, and whether the stream's URL is the current one. */
interface Head {
  event: ClaimedEvent;
  /** Whether nothing is sent to the stream any more. */
  isClosed: boolean;
  /** Whether the stream has followed the last change of its endpoint. */
  isAdapted: boolean;
}

async function claimHeads(
  db: Database,
  { underWay, ...claim }: Claim,
): Promise<Pick<ClaimResult, 'lastAgency'> & { heads: Head[] }> {
  const busy = { agencies: [...underWay.keys()], counts: [...underWay.values()] };
  return inTransaction(db, async (trx) => {
    await useIndexesOnly(trx);
    const [found] = await claimStreams(trx, { ...claim, ...busy });
    const { ids, lastAgency } = found ?? { ids: [], lastAgency: '' };
    if (ids.length === 0) return { heads: [], lastAgency };
    // A second statement with a newer snapshot: the first one would still see an event that was
    // acknowledged while it waited.
    const rows = await findHeads(trx, { ids });
    const withdrawn = rows.filter(({ isWithdrawn }) => isWithdrawn).map(({ streamId }) => streamId);
    if (withdrawn.length > 0) await deleteWaiting(trx, { ids: withdrawn });
    const empty = ids.filter((id) => withdrawn.includes(id) || !rows.some((row) => row.streamId === id));
    if (empty.length > 0) {
      // A stream whose events were dead-lettered during a delivery, or withdrawn, has nothing due.
      const set = { dueAt: null, leaseUntil: null };
      await trx.updateTable('webhookStream').set(set).where('streamId', 'in', empty).execute();
    }
    const heads = rows.flatMap(({ isClosed: isHeadClosed, isAdapted, isWithdrawn, ...event }) =>
      isWithdrawn ? [] : [{ event, isClosed: isHeadClosed, isAdapted }],
    );
    return { heads, lastAgency };
  });
}

/*
 * Events of all agencies are found by `due_at`, those of one by `is_waiting`: each has one index, see
 * useIndexesOnly. The rows of an agency are compared as rows, which gives the place in its index
 * where the walk begins. The second select locks the rows and sees the claims of other instances. A lease
 * uses the clock of the database: an instance whose clock is ahead would see the leases of others
 * as ended, and deliver twice.
 */
const claimStreams = statement<
  Omit<Claim, 'underWay'> & { agencies: string[]; counts: number[] },
  { ids: string[]; lastAgency: string }
>('claim_webhooks', (db, { now, leaseMs, limit, share, agencies, counts, lastAgency }) => {
  const isFree = sql`due_at <= ${now} and (lease_until is null or lease_until < now())`;
  const isMoreDue = sql`(select count(*) from oldest) = ${sql.lit(eventsLookedAt)}`;
  return {
    compile: () =>
      sql<{ ids: string[]; lastAgency: string }>`
      with recursive oldest as materialized (
        select agency_id from webhook_stream where ${isFree} order by due_at limit ${sql.lit(eventsLookedAt)}
      ), newest as materialized (
        select agency_id from webhook_stream where ${isFree} and ${isMoreDue}
        order by due_at desc limit ${sql.lit(eventsLookedAt)}
      ), turn (agency_id, step) as (
        select ${lastAgency}::text, 0 where ${isMoreDue}
        union all
        select (select agency_id from webhook_stream where is_waiting and agency_id > turn.agency_id
          order by agency_id limit 1), step + 1
        from turn where agency_id is not null and step < ${sql.lit(agenciesInTurn)}
      ), owner as materialized (
        select agency_id, min(step) as step from (
          select agency_id, null::int as step from oldest
          union all select agency_id, null from newest
          union all select agency_id, step from turn where step > 0 and agency_id is not null
        ) as seen group by agency_id
      ), candidate as materialized (
        select next.stream_id, owner.step from owner
        left join unnest(${agencies}::text[], ${counts}::int[]) as busy (agency_id, count)
          on busy.agency_id = owner.agency_id
        cross join lateral (
          select stream_id, due_at from webhook_stream
          where is_waiting and (webhook_stream.agency_id, due_at) >= (owner.agency_id, '-infinity')
            and (webhook_stream.agency_id, due_at) <= (owner.agency_id, ${now})
            and (lease_until is null or lease_until < now())
          order by webhook_stream.agency_id, due_at
          limit greatest(0, least(${limit}::int, ${share}::int - coalesce(busy.count, 0)))
        ) as next
        -- What is due for a deactivated agency waits until the operator activates it again. Looked up for each owner: joined, a
        -- planner without statistics reads all agencies.
        where (select deactivated_at is null from agency where agency.id = owner.agency_id)
        -- In turn first, and in its order, so that no agency is passed over.
        order by coalesce(busy.count, 0) + row_number() over (partition by owner.agency_id order by due_at), owner.step, due_at
        limit ${limit}
      ), locked as (
        select stream_id from webhook_stream
        where stream_id = any(array(select stream_id from candidate))
          and coalesce(due_at, 'infinity') <= ${now} and coalesce(lease_until, '-infinity') < now()
        for no key update skip locked
      ), claimed as (
        update webhook_stream set lease_until = now() + ${leaseMs}::int * interval '1 millisecond', fence = fence + 1
        where stream_id = any(array(select stream_id from locked))
        returning stream_id
      )
      select array(select stream_id from claimed) as ids,
        -- Where the limit left out agencies, the next claim goes on with them.
        case when (select count(*) from candidate) = ${limit}
          then coalesce((select agency_id from turn where step = (select max(step) from candidate)), ${lastAgency})
          else coalesce((select agency_id from turn order by step desc limit 1), '')
        end as last_agency`.compile(db),
  };
});

/** A head as it is read. */
interface HeadRow extends ClaimedEvent, Omit<Head, 'event'> {
  /** Whether it announces a producer to which the agency no longer subscribes. */
  isWithdrawn: boolean;
}

/** The first undelivered event of each claimed stream, which goes to the current URL. */
const findHeads = statement<{ ids: string[] }, HeadRow>('heads_of_webhooks', (db, { ids }) => ({
  compile: () =>
    sql<HeadRow>`
      select webhook_stream.stream_id, webhook_stream.agency_id, webhook_stream.mode, current.url, fence,
        case when current.url = webhook_stream.url then attempts else 0 end as attempts, event.seq, event.id, event.type,
        event.data, event.request_id, event.traceparent, event.created_at,
        (select secret_encrypted from webhook_secret where webhook_secret.agency_id = webhook_stream.agency_id
          and webhook_secret.mode = webhook_stream.mode) as secret_encrypted,
        case when webhook_stream.npn is not null then (select webhook_preference from account_setting
          where account_setting.agency_id = webhook_stream.agency_id and account_setting.mode = webhook_stream.mode)
        end as webhook_preference,
        webhook_stream.npn is not null and (select added_at from subscription
          where subscription.mode = webhook_stream.mode and subscription.npn = webhook_stream.npn
            and subscription.agency_id = webhook_stream.agency_id) is null as is_withdrawn,
        current.is_closed, not current.is_closed and current.url = webhook_stream.url as is_adapted
      from webhook_stream
      cross join lateral (select ${currentUrl} as url, ${isClosed(currentUrl)} as is_closed) as current
      cross join lateral (
        select * from webhook_event
        where webhook_event.stream_id = webhook_stream.stream_id and delivered_at is null and dead_at is null
        order by seq limit 1
      ) as event
      where webhook_stream.stream_id = any(${ids})`.compile(db),
}));

/** Deletes the undelivered events of streams that the transaction has locked. */
const deleteWaiting = statement<{ ids: string[] }, never>('withdraw_webhooks', (db, { ids }) => ({
  compile: () =>
    sql<never>`
      with waiting as materialized (
        select id from webhook_event where stream_id = any(${ids}::text[]) and delivered_at is null and dead_at is null
      ), tries as (
        delete from webhook_attempt where event_id = any(array(select id from waiting))
      )
      delete from webhook_event where id = any(array(select id from waiting))`.compile(db),
}));

/**
 * Releases a claim without a try, so that another instance does not wait for the end of the lease.
 */
export async function releaseEvent(db: Database, event: ClaimedEvent): Promise<void> {
  await db
    .updateTable('webhookStream')
    .set({ leaseUntil: null })
    .where('streamId', '=', event.streamId)
    .where('fence', '=', event.fence)
    .execute();
}

/** The result of a try. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'dead' }
  /** The receiver answered 410: nothing more is sent to this URL. The next claim dead-letters the event. */
  | { kind: 'gone' };

/** A try to deliver, as shown to the operator. */
export interface Attempt {
  attemptedAt: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
}

/** A try of a claimed event and its result. */
export interface Settlement {
  event: ClaimedEvent;
  outcome: Outcome;
  attempt: Attempt;
}

/**
 * Records the result of a claimed event and releases the stream. Changes nothing when a later claim
 * replaced this one. Resolves with whether the stream's next event is due already; `undefined` when
 * the claim was replaced.
 */
export async function settleEvent(db: Database, settlement: Settlement, now: Date): Promise<boolean | undefined> {
  const { event, outcome } = settlement;
  return inTransaction(db, async (trx) => {
    if (outcome.kind === 'gone') {
      // Before the lock of the stream, which comes last, so the claim is compared twice.
      if (!(await isClaimed(trx, event))) return undefined;
      await disableEndpoint(trx, event, now);
    }
    // Locks the stream's row first, so that no event is appended while the stream is marked as
    // empty, and the next statement sees events appended before. The lock is a select, because a
    // second update of a row in one transaction makes PostgreSQL check its foreign key again. That
    // check waits for the holder of the application, which may wait for this stream.
    await useIndexesOnly(trx);
    const [stream] = await lockClaimed(trx, event);
    if (stream === undefined) return undefined;
    const due = await settleLocked(trx, [{ ...settlement, url: stream.url }], now);
    return due.has(event.streamId);
  });
}

async function isClaimed(trx: DatabaseTransaction, { streamId, fence }: ClaimedEvent): Promise<boolean> {
  const found = await trx
    .selectFrom('webhookStream')
    .select('fence')
    .where('streamId', '=', streamId)
    .where('fence', '=', fence)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Records results like {@link settleEvent}, but in one transaction: none of them is 410. Does not
 * wait: a stream that another transaction holds, or whose claim was replaced, is left out of the
 * result and unchanged. So the locks of many streams cause no deadlock.
 */
export async function settleEvents(
  db: Database,
  settlements: readonly Settlement[],
  now: Date,
): Promise<Map<Settlement, boolean>> {
  return inTransaction(db, async (trx) => {
    await useIndexesOnly(trx);
    const locked = await lockFree(trx, { ids: settlements.map(({ event }) => event.streamId) });
    const found = settlements.flatMap((settlement) => {
      const { streamId, fence } = settlement.event;
      const stream = locked.find((row) => row.streamId === streamId && row.fence === fence);
      return stream === undefined ? [] : [{ settlement, url: stream.url }];
    });
    if (found.length === 0) return new Map<Settlement, boolean>();
    const due = await settleLocked(
      trx,
      found.map(({ settlement, url }) => ({ ...settlement, url })),
      now,
    );
    return new Map(found.map(({ settlement }) => [settlement, due.has(settlement.event.streamId)]));
  });
}

const lockClaimed = statement<Pick<ClaimedEvent, 'streamId' | 'fence'>, { url: string | null }>(
  'lock_claimed_webhook',
  (db, { streamId, fence }) =>
    db
      .selectFrom('webhookStream')
      .select(currentUrl.as('url'))
      .where('streamId', '=', streamId)
      .where('fence', '=', fence)
      .forNoKeyUpdate(),
);

/** Also streams whose claim was replaced: the caller compares the fences. */
const lockFree = statement<{ ids: string[] }, LockedStream>('lock_claimed_webhooks', (db, { ids }) => ({
  compile: () =>
    sql<LockedStream>`
      select stream_id, fence, ${currentUrl} as url from webhook_stream where stream_id = any(${ids})
      for no key update skip locked`.compile(db),
}));

type LockedStream = Pick<ClaimedEvent, 'streamId' | 'fence'> & { url: string | null };

/**
 * Records the results of events whose streams the transaction has locked. `url` is where the
 * stream's events go now. Resolves with the ids of the streams whose next event is due.
 */
async function settleLocked(
  trx: DatabaseTransaction,
  settlements: readonly (Settlement & { url: string | null })[],
  now: Date,
): Promise<Set<string>> {
  const ended = settlements.map(({ event, outcome, url }) => {
    // The URL changed during the try: only a success of the old URL counts.
    const isElsewhere = url !== event.url;
    const isDead = outcome.kind === 'dead' && !isElsewhere;
    const retryAt = outcome.kind === 'retry' && !isElsewhere ? outcome.at : null;
    return { event, isDead, isFinished: outcome.kind === 'delivered' || isDead, retryAt };
  });
  const settled = await settleStreams(trx, {
    now,
    ids: ended.map(({ event }) => event.streamId),
    seqs: ended.map(({ event }) => event.seq),
    tries: ended.map(({ event }) => event.attempts),
    areFinished: ended.map(({ isFinished }) => isFinished),
    retriesAt: ended.map(({ retryAt }) => retryAt),
    deadIds: ended.flatMap(({ event, isDead }) => (isDead ? [event.id] : [])),
    eventIds: ended.map(({ event }) => event.id),
    attemptedAt: settlements.map(({ attempt }) => attempt.attemptedAt),
    statuses: settlements.map(({ attempt }) => attempt.status),
    errors: settlements.map(({ attempt }) => attempt.error),
    durationsMs: settlements.map(({ attempt }) => attempt.durationMs),
  });
  return new Set(settled.filter(({ isDue }) => isDue).map(({ streamId }) => streamId));
}

/** Results of several events; the same place of each list belongs to one event. */
interface Results {
  now: Date;
  ids: string[];
  seqs: number[];
  /** The tries before this one. */
  tries: number[];
  areFinished: boolean[];
  /** When the next try is due; null when there is none. */
  retriesAt: (Date | null)[];
  /** The events that are dead-lettered. Of the finished ones, the others are delivered. */
  deadIds: string[];
  eventIds: string[];
  attemptedAt: Date[];
  statuses: (number | null)[];
  errors: (string | null)[];
  durationsMs: number[];
}

/** Every part of the statement sees the table before the change, including the finished events. */
const settleStreams = statement<Results, { streamId: string; isDue: boolean }>('settle_webhooks', (db, given) => ({
  compile: () =>
    sql<{ streamId: string; isDue: boolean }>`
      with given as (
        select * from unnest(${given.ids}::text[], ${given.seqs}::int[], ${given.eventIds}::text[], ${given.tries}::int[],
          ${given.areFinished}::boolean[], ${given.retriesAt}::timestamptz[])
          as given (stream_id, seq, event_id, tries, is_finished, retry_at)
      ), attempt as (
        insert into webhook_attempt (event_id, attempted_at, status, error, duration_ms)
        select try.* from unnest(${given.eventIds}::text[], ${given.attemptedAt}::timestamptz[], ${given.statuses}::int[],
          ${given.errors}::text[], ${given.durationsMs}::int[]) as try (id, attempted_at, status, error, duration_ms)
        -- An event of a producer may have been deleted meanwhile, with the account's URL.
        where try.id = any(array(select id from webhook_event where id = any(${given.eventIds}::text[])))
      ), finished as (
        update webhook_event set
          delivered_at = case when id = any(${given.deadIds}::text[]) then null else ${given.now}::timestamptz end,
          dead_at = case when id = any(${given.deadIds}::text[]) then ${given.now}::timestamptz end
        -- A select and not a list: from an empty list, the predicate of every index follows.
        where id = any(array(select event_id from given where is_finished))
      ), head as (
        select given.*, (
          select min(event.seq) from webhook_event event
          where event.stream_id = given.stream_id and delivered_at is null and dead_at is null
            and not (given.is_finished and event.seq = given.seq)
        ) as next_seq from given
      ), next as (
        -- An event that was dead-lettered meanwhile is not retried: the one behind it has its own tries.
        select *, case when next_seq = seq then retry_at end as next_at from head
      )
      update webhook_stream set
        lease_until = null,
        attempts = case when next_at is null then 0 else tries + 1 end,
        due_at = case when next.next_seq is not null then coalesce(next_at, ${given.now}) end
      from next where webhook_stream.stream_id = next.stream_id
        and webhook_stream.stream_id = any(${given.ids}::text[])
      returning webhook_stream.stream_id, coalesce(due_at, 'infinity') <= ${given.now} as is_due`.compile(db),
}));
