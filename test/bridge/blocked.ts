import { sql } from 'kysely';
import type { Database } from '../../src/bridge/store/tables/typed-database.js';
import { until } from './until.js';

/** Waits until `count` statements of this database wait for a lock that another transaction holds. */
export async function untilBlocked(db: Database, count = 1): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length >= count;
  });
}
