import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { WordingTable } from '../tables/session-tables.js';

/** A row of `wording` as it is read. */
export type WordingRow = Selectable<WordingTable>;

/** Keeps words that somebody signed; those that are kept already stay. */
export async function keepWordings(
  trx: DatabaseTransaction,
  wordings: readonly Pick<WordingRow, 'version' | 'language' | 'text'>[],
  now: Date,
): Promise<void> {
  // In one order: two submissions at once must not wait for each other.
  const rows = [...new Map(wordings.map((each) => [each.version, each])).values()].sort((left, right) =>
    left.version < right.version ? -1 : 1,
  );
  const values = rows.map(({ version, language, text }) => ({
    version,
    language,
    text: JSON.stringify(text),
    created_at: now,
  }));
  await trx
    .insertInto('wording')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Words by their version. */
export async function findWordings(db: Database, versions: readonly string[]): Promise<Map<string, WordingRow>> {
  if (versions.length === 0) return new Map();
  const rows = await db.selectFrom('wording').selectAll().where('version', 'in', versions).execute();
  return new Map(rows.map((row) => [row.version, row]));
}
