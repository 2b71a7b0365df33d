import { sql } from 'kysely';
import { inTransaction } from '../../../src/bridge/store/transaction.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/** Due streams to add, each with one event. */
export interface DueStreams {
  /** The ids of the applications are this with a number. */
  prefix: string;
  count: number;
  /** The agency of all; absent: each has its own agency, with the id of the application. */
  agencyId?: string;
  /** When the first is due. The next is due a millisecond later. */
  dueAt: Date;
}

/**
 * Adds due streams and agencies, without the applications, by one statement a table. Workers see
 * all of it at once: a stream that they find without its event is marked as one with nothing due.
 */
export async function addDueStreams(db: Database, { prefix, count, agencyId, dueAt }: DueStreams): Promise<void> {
  await sql`alter table webhook_stream drop constraint if exists webhook_stream_application_id_fkey`.execute(db);
  const numbers = sql`generate_series(1, ${count}::int) n`;
  const id = sql`${prefix} || lpad(n::text, 7, '0')`;
  const agency = agencyId === undefined ? id : sql`${agencyId}`;
  await inTransaction(db, async (trx) => {
    await sql`insert into agency (id, name, onboard_types, created_at)
      select distinct ${agency}, '', '{}'::text[], now() from ${numbers} on conflict do nothing`.execute(trx);
    await sql`insert into webhook_stream (application_id, agency_id, mode, url, next_seq, due_at)
      select ${id}, ${agency}, 'test', 'https://hooks.example', 2, ${dueAt}::timestamptz + n * interval '1 millisecond'
      from ${numbers}`.execute(trx);
    await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
      select ${id}, 1, 'evt_' || ${id}, 'application.submitted', '{}', ${dueAt}::timestamptz from ${numbers}`.execute(
      trx,
    );
  });
}
