import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../tables/typed-database.js';

/** The kinds of rows that are deleted some time after they were written. */
export type RetainedKind =
  'deliveredWebhooks' | 'deadWebhooks' | 'bulkOnboardings' | 'registryUpdates' | 'auditEntries';

/** A position in the order of age. */
interface Place {
  /**
   * The text of the database, because a Date would round it down and select the same rows again.
   */
  at: string;
  id: string;
}

/** So small that locks are held for milliseconds, and a stop of the bridge does not wait longer. */
const batchSize = 500;

/**
 * Deletes rows that are as old as `before`, or older, in batches, oldest first. It can be
 * interrupted at any time, repeated, and run on several instances at once.
 */
export async function deleteOld(db: Database, kind: RetainedKind, before: Date, signal?: AbortSignal): Promise<void> {
  let place: Place | undefined = { at: '-infinity', id: '0' };
  while (place !== undefined && signal?.aborted !== true) {
    const { rows } = await statements[kind](before, place).execute(db);
    place = rows.length < batchSize ? undefined : rows.at(-1);
  }
}

/**
 * Each function deletes the rows of the next batch after a position that may be deleted, and
 * returns the positions of the whole batch.
 */
const statements: Readonly<Record<RetainedKind, (before: Date, after: Place) => RawBuilder<Place>>> = {
  deliveredWebhooks: (before) => deleteEvents('deliveredAt', before),
  deadWebhooks: (before) => deleteEvents('deadAt', before),
  bulkOnboardings: (before) => sql<Place>`
    with old as (
      select id, completed_at as at from bulk_onboarding where completed_at <= ${before}
      order by completed_at limit ${batchSize}
    ), batches as (
      delete from bulk_batch where bulk_id in (select id from old)
    ), gone as (
      delete from bulk_onboarding where id in (select id from old)
    )
    select at::text, id::text from old`,
  // By the function of the owner: the role of a serving bridge may only insert.
  auditEntries: (before) => sql<Place>`select at, id from delete_audit_entries(${before}, ${batchSize})`,
  // The newest update of a producer is never deleted: getSubscriptionUpdate (operation 11) returns
  // it for every later day.
  registryUpdates: (before, after) => sql<Place>`
    with old as (
      select id, mode, npn, updated_at as at from registry_update
      where updated_at <= ${before} and (updated_at, id) > (${after.at}::timestamptz, ${after.id}::bigint)
      order by updated_at, id limit ${batchSize}
    ), gone as (
      delete from registry_update where id in (
        select old.id from old where exists (
          select from registry_update newer where newer.mode = old.mode and newer.npn = old.npn
            and (newer.updated_at, newer.id) > (old.at, old.id)
        )
      )
    )
    select at::text, id::text from old order by old.at, old.id`,
};

/** Deletes events, and the streams of producers that have no others: the next update begins a new one. */
function deleteEvents(column: 'deliveredAt' | 'deadAt', before: Date): RawBuilder<Place> {
  return sql<Place>`
    with old as (
      select id, stream_id, ${sql.ref(column)} as at from webhook_event where ${sql.ref(column)} <= ${before}
      order by ${sql.ref(column)} limit ${batchSize} for update skip locked
    ), attempts as (
      delete from webhook_attempt where event_id in (select id from old)
    ), gone as (
      delete from webhook_event where id in (select id from old)
    ), idle as (
      select stream_id from webhook_stream stream
      where stream_id = any(array(select stream_id from old)) and npn is not null and due_at is null and not exists (
        select from webhook_event other
        where other.stream_id = stream.stream_id and other.id not in (select id from old)
      )
      -- Not one for which an update is being written.
      for update skip locked
    ), ended as (
      delete from webhook_stream where stream_id = any(array(select stream_id from idle))
    )
    select at::text, id from old`;
}
