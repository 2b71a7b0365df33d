import { sql } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/**
 * The statistics that the planner may have of the tables when a backlog has built up. They depend
 * on the last time the server analyzed the tables, so a query must read as few rows with each kind.
 */
export const statisticsKinds = [
  'without statistics',
  'with statistics of empty tables',
  'with statistics of a few rows',
  'with true statistics',
] as const;

/** One of {@link statisticsKinds}. */
export type StatisticsKind = (typeof statisticsKinds)[number];

/** Keeps the server from analyzing the tables by itself. Call it before anything is added. */
export async function stopStatistics(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  for (const { name } of rows) await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(db);
}

/** Adds `few` rows and then `many` by `add`, and analyzes the tables at the time of the kind. */
export async function addWithStatistics(
  db: Database,
  kind: StatisticsKind,
  add: (what: 'few' | 'many') => Promise<void>,
): Promise<void> {
  const analyzeAt = async (time: StatisticsKind) => {
    if (time === kind) await sql`analyze`.execute(db);
  };
  await analyzeAt('with statistics of empty tables');
  await add('few');
  await analyzeAt('with statistics of a few rows');
  await add('many');
  await analyzeAt('with true statistics');
}
