import type { Selectable } from 'kysely';
import type { ReasonTemplateTable } from '../tables/operator-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `reason_template` as it is read. */
export type ReasonTemplateRow = Selectable<ReasonTemplateTable>;

/** Stores a template, unless its name is taken. Resolves with whether it was stored. */
export async function insertTemplate(trx: DatabaseTransaction, template: ReasonTemplateRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('reasonTemplate')
    .values(template)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** All templates, by name. */
export function findTemplates(db: Database | DatabaseTransaction): Promise<ReasonTemplateRow[]> {
  return db.selectFrom('reasonTemplate').selectAll().orderBy('name').execute();
}

/** Deletes a template. Resolves with its name; `undefined` when there is none. */
export async function deleteTemplate(trx: DatabaseTransaction, id: string): Promise<string | undefined> {
  const deleted = await trx.deleteFrom('reasonTemplate').where('id', '=', id).returning('name').executeTakeFirst();
  return deleted?.name;
}
