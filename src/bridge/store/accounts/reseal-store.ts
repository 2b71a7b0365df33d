import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../tables/typed-database.js';
import type { Tables } from '../tables/tables.js';

/** A column that holds sealed texts, and the columns that name its row. */
export interface SealedColumnName {
  table: keyof Tables;
  column: string;
  /** The primary key. */
  key: readonly string[];
}

/** A row with a sealed text: all its columns. */
export type SealedRow = Record<string, unknown>;

/** The next rows, in the order of their key, whose text begins otherwise than `prefix`. */
export async function findOtherwiseSealed(
  db: Database,
  { table, column, key }: SealedColumnName,
  prefix: string,
  after: SealedRow | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const rest = after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(key.map((name) => after[name]))})`;
  const { rows } = await sql<SealedRow>`select * from ${sql.table(table)}
    where ${isOtherwise(column, prefix)} and ${rest} order by ${columns} limit ${limit}`.execute(db);
  return rows;
}

/** A text that was sealed anew, and what else of its row changes with it. */
export interface Resealed {
  row: SealedRow;
  /** Columns and their values as JSON; bytes as hex after `\x`. */
  change: Record<string, string>;
}

/** Puts texts in place that were sealed anew, unless their row has changed meanwhile. Resolves with how many. */
export async function replaceSealed(
  db: Database,
  { table, column, key }: SealedColumnName,
  resealed: readonly Resealed[],
): Promise<number> {
  const [first] = resealed;
  if (first === undefined) return 0;
  const entries = resealed.map(({ row, change }) => ({
    from: row[column],
    fresh: { ...Object.fromEntries(key.map((name) => [name, row[name]])), ...change },
  }));
  const assignments = Object.keys(first.change).map((name) => sql`${sql.ref(name)} = fresh.${sql.ref(name)}`);
  const sameRow = key.map((name) => sql`held.${sql.ref(name)} = fresh.${sql.ref(name)}`);
  // The table's own row type reads the JSON: every column has the type that it has there.
  const { numAffectedRows } = await sql`update ${sql.table(table)} as held set ${sql.join(assignments)}
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) as entry,
      jsonb_populate_record(null::${sql.table(table)}, entry -> 'fresh') as fresh
    where ${sql.join(sameRow, sql` and `)} and held.${sql.ref(column)} = entry ->> 'from'`.execute(db);
  return Number(numAffectedRows);
}

/** How many texts begin otherwise than `prefix`. */
export async function countOtherwiseSealed(
  db: Database,
  { table, column }: SealedColumnName,
  prefix: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where ${isOtherwise(column, prefix)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Not `like`: an id of a key may hold its wildcards. */
function isOtherwise(column: string, prefix: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} is not null and not starts_with(${sql.ref(column)}, ${prefix})`;
}
