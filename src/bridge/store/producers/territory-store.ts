import type { Selectable } from 'kysely';
import type { TerritoryState } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { TerritoryTable } from '../tables/territory-tables.js';

/** A territory as it is read. */
export type TerritoryRow = Pick<Selectable<TerritoryTable>, 'id' | 'name' | 'states'>;

/** A territory to write. */
export interface NewTerritory {
  /** Its id, unless the agency has a territory of this name. */
  id: string;
  agencyId: string;
  name: string;
  states: TerritoryState[];
}

/** Writes a territory; one of the same name keeps its id, its place and its assignments. Resolves with the id that it has. */
export async function upsertTerritory(trx: DatabaseTransaction, territory: NewTerritory, now: Date): Promise<string> {
  const { id } = await trx
    .insertInto('territory')
    .values({
      id: territory.id,
      agency_id: territory.agencyId,
      name: territory.name,
      states: JSON.stringify(territory.states),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agency_id', 'name'])
        .doUpdateSet((eb) => ({ states: eb.ref('excluded.states'), updated_at: eb.ref('excluded.updated_at') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Which part of a list. */
export interface Slice {
  offset: number;
  limit: number;
}

/** The territories of an agency in their order; all of them when no slice is given. */
export function findTerritories(db: Database, agencyId: string, slice?: Slice): Promise<TerritoryRow[]> {
  const all = db
    .selectFrom('territory')
    .select(['id', 'name', 'states'])
    .where('agency_id', '=', agencyId)
    .orderBy('position');
  return (slice === undefined ? all : all.offset(slice.offset).limit(slice.limit)).execute();
}

/** How many territories an agency has. */
export async function countTerritories(db: Database, agencyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('territory')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agency_id', '=', agencyId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The name of a territory of an agency; `undefined` when it has none of this id. */
export async function findTerritoryName(db: Database, agencyId: string, id: string): Promise<string | undefined> {
  const territory = await db
    .selectFrom('territory')
    .select('name')
    .where('id', '=', id)
    .where('agency_id', '=', agencyId)
    .executeTakeFirst();
  return territory?.name;
}
