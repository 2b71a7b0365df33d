import { sql, type Selectable } from 'kysely';
import type { CatalogueTable } from '../tables/session-tables.js';
import { statement } from '../statement.js';
import type { Database } from '../tables/typed-database.js';

/** A row of a stored release. */
export type CatalogueRow = Selectable<CatalogueTable>;

/** Finds a release by its version. */
export function findCatalogue(db: Database, version: string): Promise<CatalogueRow | undefined> {
  return db.selectFrom('catalogue').selectAll().where('version', '=', version).executeTakeFirst();
}

/** Stores a release. Resolves with `false` when its version is stored already. */
export async function insertCatalogue(db: Database, row: CatalogueRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('catalogue')
    .values({ ...row, content: JSON.stringify(row.content) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Reads the checksum of a stored release; `undefined` when there is none of this version. */
export async function findChecksum(db: Database, version: string): Promise<string | undefined> {
  const row = await db.selectFrom('catalogue').select('checksum').where('version', '=', version).executeTakeFirst();
  return row?.checksum;
}

/**
 * Reads the version that new sessions use on a day: the newest effective one, else the first future
 * one. An imported one takes precedence over those that versions of the bridge include, because the
 * operator has not reviewed these.
 */
export async function findCurrentVersion(db: Database, today: string): Promise<string | undefined> {
  const [row] = await currentVersion(db, { today });
  return row?.version;
}

const currentVersion = statement('current_catalogue', (db, given: { today: string }) =>
  db
    .selectFrom('catalogue')
    .select('version')
    .orderBy(sql`effective > ${given.today}`)
    .orderBy(sql`source = 'shipped'`)
    .orderBy(sql`case when effective <= ${given.today} then effective end`, (order) => order.desc())
    .orderBy('effective')
    .orderBy('importedAt', 'desc')
    .limit(1),
);

/** Reads all releases without their content, newest first. */
export function listCatalogues(db: Database): Promise<Omit<CatalogueRow, 'content'>[]> {
  return db
    .selectFrom('catalogue')
    .select(['version', 'effective', 'checksum', 'source', 'importedAt'])
    .orderBy('effective', 'desc')
    .orderBy('importedAt', 'desc')
    .execute();
}
