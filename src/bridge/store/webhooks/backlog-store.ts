import { sql } from 'kysely';
import type { Database } from '../tables/typed-database.js';

/** What the whole service, all its instances together, has still to do. */
export interface Backlog {
  /** When the first of the webhooks became due that are due now; null when none is. */
  oldest_due_at: Date | null;
  /** Applications with a webhook that is due. */
  due_lines: number;
  /** Webhooks that are neither delivered nor given up. */
  waiting_events: number;
  /** Webhooks that were given up. */
  dead_events: number;
  /** NPNs of bulk onboardings that are to be done. */
  open_items: number;
  /** NPNs of all bulk onboardings. */
  all_items: number;
}

/** Reads it, each number from an index of what is open or from a table of a row a request. */
export async function findBacklog(db: Database, now: Date): Promise<Backlog> {
  // Not those of a deactivated agency: they are held until the operator activates it, which is no delay.
  const isDue = sql`due_at <= ${now} and agency_id <> all(array(select id from agency where deactivated_at is not null))`;
  const { rows } = await sql<Backlog>`select
    (select min(due_at) from webhook_stream where ${isDue}) as oldest_due_at,
    (select count(*) from webhook_stream where ${isDue}) as due_lines,
    (select count(*) from webhook_event where delivered_at is null and dead_at is null) as waiting_events,
    (select count(*) from webhook_event where dead_at is not null) as dead_events,
    (select coalesce(sum(cardinality(npns)), 0)::int8 from bulk_batch where outcomes is null) as open_items,
    (select coalesce(sum(total_count), 0)::int8 from bulk_onboarding) as all_items`.execute(db);
  const [backlog] = rows;
  if (backlog === undefined) throw new Error('The backlog has no row.');
  return backlog;
}
