import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { inTransaction } from '../transaction.js';

/*
 * A URL that answers 410, and a new URL of the account, change all waiting streams of an agency,
 * and there may be a million of them. So the change itself is one row, and the streams follow:
 *
 * 1. The change is written: the mark of a disabled URL, or the account's new URL.
 * 2. From then on, a claim looks up where a stream's events go now. It adapts the claimed streams
 *    that have not followed yet, so nothing is sent to a URL that is no longer right.
 * 3. A sweep adapts all streams of the agency in pieces, also those whose next try is hours away.
 *
 * Locks are taken in this order, so that no two transactions wait for each other: settings of the
 * account, mark, sweep, stream, event.
 */

/** A URL for webhooks of an agency in one mode. */
export interface Endpoint extends Owner {
  url: string;
}

/**
 * Where the events of a `webhook_stream` go now; null when its account has no URL. In a query that
 * reads that table.
 */
export const currentUrl: RawBuilder<string | null> =
  sql`case when not webhook_stream.follows_account then webhook_stream.url
  else (select webhook_url from account_setting
    where account_setting.agency_id = webhook_stream.agency_id and account_setting.mode = webhook_stream.mode) end`;

/**
 * The condition that nothing is sent to a URL of a `webhook_stream`: there is none, or it answered
 * 410. Only to the same agency in the same mode: another agency may use the URL by mistake or as an
 * attack, and test mode must not affect live mode.
 */
export function isClosed(url: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${url} is null or (select disabled_at from disabled_endpoint where disabled_endpoint.url = ${url}
    and disabled_endpoint.agency_id = webhook_stream.agency_id and disabled_endpoint.mode = webhook_stream.mode) is not null)`;
}

/** Disables a URL, because it answered 410. Its waiting events are dead-lettered in pieces. */
export async function disableEndpoint(
  trx: DatabaseTransaction,
  { agencyId, mode, url }: Endpoint,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('disabledEndpoint')
    .values({ agencyId, mode, url, disabledAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await sweepStreamsOf(trx, agencyId);
}

/** Enables a URL again, if it was disabled. */
export async function enableEndpoint(trx: DatabaseTransaction, endpoint: Endpoint): Promise<void> {
  await trx
    .deleteFrom('disabledEndpoint')
    .where(ownedBy(endpoint, 'disabledEndpoint'))
    .where('url', '=', endpoint.url)
    .execute();
}

/** Begins the sweep of an agency's streams, or begins it again. Call it after the change. */
export async function sweepStreamsOf(trx: DatabaseTransaction, agencyId: string): Promise<void> {
  const begin = { placeDueAt: sql<Date>`'-infinity'`, placeId: '' };
  await trx
    .insertInto('endpointSweep')
    .values({ agencyId, ...begin })
    .onConflict((conflict) => conflict.column('agencyId').doUpdateSet(begin))
    .execute();
}

/** Streams to adapt. */
export interface AdaptedStreams {
  ids: readonly string[];
  /** Those of them that the caller has claimed and does not send now. */
  released: readonly string[];
  now: Date;
}

/** The maximum number of events that one transaction dead-letters. */
const maxEvents = 1_000;

/**
 * Adapts waiting streams to where their events go now:
 *
 * - Without a URL, or with a disabled one, what waits is dead-lettered. The operator can replay it.
 *   But events of producers are deleted without a URL: nothing is kept for an account that gets none.
 * - With another URL, it is due at once, with all tries.
 *
 * A current try keeps its lease, so that there is never a second one at the same time. A stream with
 * very many events stays due with the rest. Resolves with whether there is such a rest.
 */
export async function adaptStreams(db: Database, { ids, released, now }: AdaptedStreams): Promise<boolean> {
  if (ids.length === 0) return false;
  return inTransaction(db, async (trx) => {
    await useIndexesOnly(trx);
    const rows = await adaptWaiting(trx, { ids, released, now });
    return rows.some(({ hasRest }) => hasRest);
  });
}

/*
 * Locks in the order of the ids, so that two transactions that adapt several streams cannot deadlock.
 * Idle streams are left out afterwards: see useIndexesOnly.
 */
const adaptWaiting = statement<AdaptedStreams, { hasRest: boolean }>('adapt_webhooks', (db, given) => ({
  compile: () =>
    sql<{ hasRest: boolean }>`
      with stream as materialized (
        select stream_id, npn, url, is_waiting, ${currentUrl} as current_url, ${isClosed(currentUrl)} as is_closed
        from webhook_stream where stream_id = any(${given.ids}::text[])
        order by stream_id for no key update
      ), ended as materialized (
        select event.stream_id, event.seq, event.id, npn is not null and current_url is null as is_unwanted from stream
        cross join lateral (
          select stream_id, seq, id from webhook_event
          where webhook_event.stream_id = stream.stream_id and delivered_at is null and dead_at is null
          order by seq limit ${sql.lit(maxEvents)}
        ) as event
        where is_waiting and is_closed limit ${sql.lit(maxEvents)}
      ), dead as (
        update webhook_event set dead_at = ${given.now}::timestamptz
        where id = any(array(select id from ended where not is_unwanted))
      ), tries as (
        delete from webhook_attempt where event_id = any(array(select id from ended where is_unwanted))
      ), deleted as (
        delete from webhook_event where id = any(array(select id from ended where is_unwanted))
      ), adapted as (
        select stream.*, is_closed and exists (
          select from webhook_event
          where webhook_event.stream_id = stream.stream_id and delivered_at is null and dead_at is null
            and seq > coalesce((select max(seq) from ended where ended.stream_id = stream.stream_id), 0)
        ) as has_rest
        from stream where is_waiting and (is_closed or current_url <> url)
      )
      update webhook_stream set
        url = coalesce(current_url, webhook_stream.url),
        attempts = 0,
        due_at = case when has_rest then due_at when not is_closed then least(due_at, ${given.now}) end,
        lease_until = case when not webhook_stream.stream_id = any(${given.released}::text[]) then lease_until end
      from adapted where webhook_stream.stream_id = adapted.stream_id
        and webhook_stream.stream_id = any(${given.ids}::text[])
      returning has_rest`.compile(db),
}));

/** The streams of one piece: its transaction takes a hundredth of a second, and less than a tenth on a busy machine. */
const pieceSize = 100;

/**
 * Adapts the next streams of the agency whose last piece is longest ago. An interrupted sweep goes
 * on where it was; several instances may run it. Resolves with whether there was anything to do.
 */
export async function sweepNextStreams(db: Database, now: Date): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const sweep = await trx
      .selectFrom('endpointSweep')
      .select(['agencyId', sql<string>`place_due_at::text`.as('dueAt'), 'placeId as id'])
      .orderBy('sweptAt')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (sweep === undefined) return false;
    await useIndexesOnly(trx);
    const piece = await findPiece(trx, sweep);
    const hasRest = await adaptStreams(trx, { ids: piece.map(({ id }) => id), released: [], now });
    const last = piece.at(-1);
    const ofAgency = sql<SqlBool>`agency_id = ${sweep.agencyId}`;
    if (last === undefined || (piece.length < pieceSize && !hasRest)) {
      await trx.deleteFrom('endpointSweep').where(ofAgency).execute();
    } else {
      const { dueAt, id } = hasRest ? sweep : last;
      const place = { placeDueAt: sql<Date>`${dueAt}::timestamptz`, placeId: id };
      await trx
        .updateTable('endpointSweep')
        .set({ ...place, sweptAt: sql<Date>`now()` })
        .where(ofAgency)
        .execute();
    }
    return true;
  });
}

/** `dueAt` is the text of the database, because a Date would round it down. */
interface Place {
  dueAt: string;
  id: string;
}

const findPiece = statement<Place & { agencyId: string }, Place>('piece_of_sweep', (db, { agencyId, dueAt, id }) => ({
  compile: () =>
    sql<Place>`select due_at::text, stream_id as id from webhook_stream
      where is_waiting and (agency_id, due_at, stream_id) > (${agencyId}, ${dueAt}::timestamptz, ${id})
        and (agency_id, due_at) <= (${agencyId}, 'infinity')
      order by agency_id, webhook_stream.due_at, stream_id limit ${sql.lit(pieceSize)}`.compile(db),
}));

/**
 * Makes the planner use plain index scans until the transaction ends. The statistics of the tables
 * of webhooks are always wrong when it matters: a table that was analyzed while it was empty, and in
 * which a backlog has built up since, has one row for the planner, so that all ways to read it cost
 * the same. It may then walk an index from end to end and drop all rows but one. Therefore each query
 * of these tables is written along one index, and leaves the planner no other:
 *
 * - A row that is named by its key has no condition from which the predicate of a partial index
 *   follows, and is named by one key. With two, or joined by one and named by the other, the second
 *   index offers a walk in an order that a merge join could use. Other conditions of the row are
 *   checked in the next step, or by `coalesce`, through which the planner does not see.
 * - A row of another table is looked up by `(select …)` and not by a join or `exists`, for which the
 *   planner may read the whole table to hash it.
 * - A walk has the predicate and the order of its index, and begins at a place in it.
 */
export async function useIndexesOnly(trx: DatabaseTransaction): Promise<void> {
  // `true`: only until the transaction ends, because the connection is used for other queries then.
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    trx,
  );
}
