import { sql } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import { statement } from '../statement.js';
import type { DatabaseTransaction } from '../tables/typed-database.js';
import { useIndexesOnly } from './endpoint-store.js';

/** A changed producer, as its subscribers are told. */
export interface AnnouncedProducer {
  npn: string;
  /** The day of the newest update in UTC, `YYYY-MM-DD`. */
  reportDate: string;
  /** The changed sections. */
  changes: readonly string[];
}

/** The producers of one mode to announce. */
export interface Announcement {
  mode: Mode;
  /** Each NPN once. */
  producers: readonly AnnouncedProducer[];
  /** The id of the request, job or command that caused the updates. */
  requestId: string | undefined;
  /** Its W3C trace context. */
  traceparent: string | undefined;
  now: Date;
}

/**
 * Writes one event per producer and subscriber with a webhook URL:
 *
 * 1. The settings of the subscribers are shared, so that a new URL waits for the events and then
 *    moves them.
 * 2. The streams are locked, in the order of their ids, as wherever several are locked.
 * 3. Each event takes the place of those that wait in its stream, with their changes. An event that
 *    is being delivered stays.
 *
 * The database finds the subscribers, so this process only holds the ids of the streams.
 */
export async function insertProducerEvents(trx: DatabaseTransaction, announcement: Announcement): Promise<void> {
  const { mode, producers, requestId, traceparent, now } = announcement;
  const npns = producers.map(({ npn }) => npn);
  await useIndexesOnly(trx);
  const accounts = await shareAccounts(trx, { mode, npns });
  if (accounts.length === 0) return;
  const agencies = accounts.map(({ agencyId }) => agencyId);
  const urls = accounts.map(({ webhookUrl }) => webhookUrl);
  const streams = await lockStreams(trx, { mode, npns, agencies, urls, now });
  await replaceWaiting(trx, {
    ids: streams.map(({ streamId }) => streamId),
    producers: JSON.stringify(producers),
    requestId: requestId ?? null,
    traceparent: traceparent ?? null,
    now,
  });
}

/** The accounts that subscribe to any of the NPNs and have a webhook URL. */
const shareAccounts = statement<{ mode: Mode; npns: string[] }, { agencyId: string; webhookUrl: string }>(
  'share_subscribers',
  (db, { mode, npns }) => ({
    compile: () =>
      sql<{ agencyId: string; webhookUrl: string }>`
        select agency_id, webhook_url from account_setting
        where mode = ${mode} and webhook_url is not null and agency_id = any(array(
          select distinct found.agency_id from unnest(${npns}::bigint[]) as given (npn)
          -- offset: one look-up by the primary key per NPN, also without statistics.
          cross join lateral (
            select agency_id from subscription
            where subscription.mode = ${mode} and subscription.npn = given.npn offset 0
          ) as found
        ))
        order by agency_id for share`.compile(db),
  }),
);

/** The subscribers' accounts: the same place of both lists belongs to one. */
interface Subscribers {
  mode: Mode;
  npns: string[];
  agencies: string[];
  urls: string[];
  now: Date;
}

/*
 * Like appendEvent, for many. A stream without a current lease gets a new fence: the result of a
 * try whose lease has ended comes too late for an event that is replaced.
 */
const lockStreams = statement<Subscribers, { streamId: string }>(
  'lock_producer_streams',
  (db, { mode, npns, agencies, urls, now }) => ({
    compile: () =>
      sql<{ streamId: string }>`
        insert into webhook_stream (agency_id, mode, npn, url, follows_account, next_seq, due_at)
        select found.agency_id, ${mode}, given.npn, account.url, true, 2, ${now}::timestamptz
        from unnest(${npns}::bigint[]) as given (npn)
        cross join lateral (
          select agency_id from subscription
          where subscription.mode = ${mode} and subscription.npn = given.npn offset 0
        ) as found
        join unnest(${agencies}::text[], ${urls}::text[]) as account (agency_id, url)
          on account.agency_id = found.agency_id
        order by found.agency_id || ':' || ${mode} || ':' || given.npn::text
        on conflict (stream_id) do update set
          url = excluded.url,
          next_seq = webhook_stream.next_seq + 1,
          attempts = case when webhook_stream.url <> excluded.url then 0 else webhook_stream.attempts end,
          due_at = case when webhook_stream.url <> excluded.url then excluded.due_at
            else coalesce(webhook_stream.due_at, excluded.due_at) end,
          fence = case when webhook_stream.lease_until >= now() then webhook_stream.fence
            else webhook_stream.fence + 1 end
        returning stream_id`.compile(db),
  }),
);

/*
 * A separate statement, which sees the events that were delivered while the streams were awaited.
 * The new event has a new id, because a receiver may have seen the old one and would take it for a
 * repetition.
 */
const replaceWaiting = statement<
  { ids: string[]; producers: string; requestId: string | null; traceparent: string | null; now: Date },
  never
>('announce_producers', (db, { ids, producers, requestId, traceparent, now }) => ({
  compile: () =>
    sql<never>`
      with given as materialized (
        select * from json_to_recordset(${producers}::json) as given (npn bigint, "reportDate" text, changes jsonb)
      ), stream as materialized (
        select stream_id, npn, next_seq - 1 as seq, coalesce(lease_until >= now(), false) as is_leased
        from webhook_stream where stream_id = any(${ids}::text[])
      ), replaced as materialized (
        select event.id, stream.stream_id, event.data from stream
        cross join lateral (
          select id, data from webhook_event
          where webhook_event.stream_id = stream.stream_id and delivered_at is null and dead_at is null
          -- The first one is being delivered.
          order by webhook_event.seq offset case when is_leased then 1 else 0 end
        ) as event
      ), tries as (
        delete from webhook_attempt where event_id = any(array(select id from replaced))
      ), gone as (
        delete from webhook_event where id = any(array(select id from replaced))
      ), earlier as materialized (
        select replaced.stream_id, max(data ->> 'reportDate') as report_date, jsonb_agg(section) as changes
        from replaced cross join lateral jsonb_array_elements(data -> 'changes') as change (section)
        group by replaced.stream_id
      )
      insert into webhook_event (stream_id, seq, id, type, data, request_id, traceparent, created_at)
      select stream.stream_id, stream.seq,
        'evt_' || translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
        'producer.updated',
        jsonb_build_object(
          'npn', given.npn::text,
          'reportDate', greatest(given."reportDate", earlier.report_date),
          'changes', (select jsonb_agg(distinct section)
            from jsonb_array_elements(given.changes || coalesce(earlier.changes, '[]')) as change (section))
        ),
        ${requestId}::text, ${traceparent}::text, ${now}::timestamptz
      from stream join given on given.npn = stream.npn left join earlier on earlier.stream_id = stream.stream_id`.compile(
      db,
    ),
}));
