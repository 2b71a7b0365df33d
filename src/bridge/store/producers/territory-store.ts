import type { Selectable } from 'kysely';
import type { TerritoryState } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import type { TerritoryTable } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

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

/**
 * Assigns a territory of the owner's agency to a producer. Resolves with when that was first done, or with `undefined` when the
 * agency has not onboarded the producer.
 */
export async function insertAssignment(
  db: Database,
  owner: Owner,
  npn: string,
  territoryId: string,
  now: Date,
): Promise<Date | undefined> {
  const assignment = await db
    .insertInto('territory_assignment')
    .columns(['agency_id', 'mode', 'npn', 'territory_id', 'assigned_at'])
    .expression((eb) =>
      eb
        .selectFrom('onboarded_producer')
        .select(['agency_id', 'mode', 'npn'])
        .select((select) => [
          select.val(territoryId).as('territory_id'),
          select.cast<Date>(select.val(now), 'timestamptz').as('assigned_at'),
        ])
        .where(ownedBy(owner, 'onboarded_producer'))
        .where('npn', '=', Number(npn)),
    )
    // Changes nothing, but makes the row that is there come back.
    .onConflict((conflict) =>
      conflict
        .columns(['territory_id', 'mode', 'npn'])
        .doUpdateSet((eb) => ({ assigned_at: eb.ref('territory_assignment.assigned_at') })),
    )
    .returning('assigned_at')
    .executeTakeFirst();
  return assignment?.assigned_at;
}

/** Takes a territory from a producer. Resolves with whether it was assigned. */
export async function deleteAssignment(db: Database, owner: Owner, npn: string, territoryId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('territory_assignment')
    .where(ownedBy(owner, 'territory_assignment'))
    .where('territory_id', '=', territoryId)
    .where('npn', '=', Number(npn))
    .returning('npn')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The producers of some territories: the NPNs by the territory's id, those that were assigned first in front. */
export async function findAssignedNpns(
  db: Database,
  owner: Owner,
  territoryIds: readonly string[],
): Promise<Map<string, string[]>> {
  const npns = new Map(territoryIds.map((id): [string, string[]] => [id, []]));
  if (territoryIds.length === 0) return npns;
  const rows = await db
    .selectFrom('territory_assignment')
    .select(['territory_id', 'npn'])
    .where(ownedBy(owner, 'territory_assignment'))
    .where('territory_id', 'in', territoryIds)
    .orderBy('assigned_at')
    .orderBy('npn')
    .execute();
  for (const { territory_id, npn } of rows) npns.get(territory_id)?.push(String(npn));
  return npns;
}
