import { sql, type RawBuilder } from 'kysely';
import type { Database } from './tables/typed-database.js';

/** The rows that grow without end and are not needed after some time. */
export type Growing = 'deliveredWebhooks' | 'deadWebhooks' | 'bulkOnboardings' | 'registryUpdates' | 'auditEntries';

/** A place in the order of age. */
interface Place {
  /** As the database writes it: a Date would round it down, and the same rows would come again. */
  at: string;
  id: string;
}

/** Locks are held for some milliseconds, and whoever stops the bridge waits no longer. */
const batchSize = 500;

/**
 * Deletes what is as old as `before`, or older, batch by batch, the oldest first. Can be broken off at any time, run again, and run on
 * several instances at once.
 */
export async function deleteOld(db: Database, growing: Growing, before: Date, signal?: AbortSignal): Promise<void> {
  let place: Place | undefined = { at: '-infinity', id: '0' };
  while (place !== undefined && signal?.aborted !== true) {
    const { rows } = await statements[growing](before, place).execute(db);
    place = rows.length < batchSize ? undefined : rows.at(-1);
  }
}

/** Each deletes the next batch after a place, or what of it may go, and answers with the places of the whole batch. */
const statements: Readonly<Record<Growing, (before: Date, after: Place) => RawBuilder<Place>>> = {
  deliveredWebhooks: (before) => deleteEvents('delivered_at', before),
  deadWebhooks: (before) => deleteEvents('dead_at', before),
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
  auditEntries: (before) => sql<Place>`
    with old as (
      select id, at from audit_entry where at <= ${before} order by at limit ${batchSize}
    ), gone as (
      delete from audit_entry where id in (select id from old)
    )
    select at::text, id::text from old`,
  // The newest of a producer stays however old it is: operation 11 answers with it for every later day.
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

function deleteEvents(column: 'delivered_at' | 'dead_at', before: Date): RawBuilder<Place> {
  return sql<Place>`
    with old as (
      select id, ${sql.ref(column)} as at from webhook_event where ${sql.ref(column)} <= ${before}
      order by ${sql.ref(column)} limit ${batchSize} for update skip locked
    ), attempts as (
      delete from webhook_attempt where event_id in (select id from old)
    ), gone as (
      delete from webhook_event where id in (select id from old)
    )
    select at::text, id from old`;
}
