import type { Selectable } from 'kysely';
import type { TerritoryState } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import type { TerritoryTable } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A territory as it is read. */
export type TerritoryRow = Pick<Selectable<TerritoryTable>, 'id' | 'name' | 'states'>;

/** A territory to write. */
export interface NewTerritory {
  /**
   * The id of a new territory. A territory that the agency already has by this name keeps its id.
   */
  id: string;
  agencyId: string;
  name: string;
  states: TerritoryState[];
}

/**
 * Writes a territory. An existing one with the same name keeps its id, position and assignments.
 * Resolves with its id.
 */
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

/** A part of a list. */
export interface Slice {
  offset: number;
  limit: number;
}

/** Reads the territories of an agency in order; all of them when no slice is given. */
export function findTerritories(db: Database, agencyId: string, slice?: Slice): Promise<TerritoryRow[]> {
  const all = db
    .selectFrom('territory')
    .select(['id', 'name', 'states'])
    .where('agency_id', '=', agencyId)
    .orderBy('position');
  return (slice === undefined ? all : all.offset(slice.offset).limit(slice.limit)).execute();
}

/** Counts the territories of an agency. */
export async function countTerritories(db: Database, agencyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('territory')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agency_id', '=', agencyId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the name of an agency's territory; `undefined` when there is none with this id. */
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
 * Assigns a territory of the owner's agency to a producer. Resolves with the time of the first
 * assignment, or with `undefined` when the agency has not onboarded the producer.
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
    // Changes nothing, but returns the existing row.
    .onConflict((conflict) =>
      conflict
        .columns(['territory_id', 'mode', 'npn'])
        .doUpdateSet((eb) => ({ assigned_at: eb.ref('territory_assignment.assigned_at') })),
    )
    .returning('assigned_at')
    .executeTakeFirst();
  return assignment?.assigned_at;
}

/** Removes a territory from a producer. Resolves with whether it was assigned. */
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

/**
 * Reads the NPNs of the producers of some territories, by territory id, in the order of assignment.
 */
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
