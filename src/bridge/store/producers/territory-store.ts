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
    .values({ ...territory, states: JSON.stringify(territory.states), createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['agencyId', 'name'])
        .doUpdateSet((eb) => ({ states: eb.ref('excluded.states'), updatedAt: eb.ref('excluded.updatedAt') })),
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
    .where('agencyId', '=', agencyId)
    .orderBy('position');
  return (slice === undefined ? all : all.offset(slice.offset).limit(slice.limit)).execute();
}

/** Counts the territories of an agency. */
export async function countTerritories(db: Database, agencyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('territory')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agencyId', '=', agencyId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the name of an agency's territory; `undefined` when there is none with this id. */
export async function findTerritoryName(db: Database, agencyId: string, id: string): Promise<string | undefined> {
  const territory = await db
    .selectFrom('territory')
    .select('name')
    .where('id', '=', id)
    .where('agencyId', '=', agencyId)
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
    .insertInto('territoryAssignment')
    .columns(['agencyId', 'mode', 'npn', 'territoryId', 'assignedAt'])
    .expression((eb) =>
      eb
        .selectFrom('onboardedProducer')
        .select(['agencyId', 'mode', 'npn'])
        .select((select) => [
          select.val(territoryId).as('territoryId'),
          select.cast<Date>(select.val(now), 'timestamptz').as('assignedAt'),
        ])
        .where(ownedBy(owner, 'onboardedProducer'))
        .where('npn', '=', Number(npn)),
    )
    // Changes nothing, but returns the existing row.
    .onConflict((conflict) =>
      conflict
        .columns(['territoryId', 'mode', 'npn'])
        .doUpdateSet((eb) => ({ assignedAt: eb.ref('territoryAssignment.assignedAt') })),
    )
    .returning('assignedAt')
    .executeTakeFirst();
  return assignment?.assignedAt;
}

/** Removes a territory from a producer. Resolves with whether it was assigned. */
export async function deleteAssignment(db: Database, owner: Owner, npn: string, territoryId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('territoryAssignment')
    .where(ownedBy(owner, 'territoryAssignment'))
    .where('territoryId', '=', territoryId)
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
    .selectFrom('territoryAssignment')
    .select(['territoryId', 'npn'])
    .where(ownedBy(owner, 'territoryAssignment'))
    .where('territoryId', 'in', territoryIds)
    .orderBy('assignedAt')
    .orderBy('npn')
    .execute();
  for (const { territoryId, npn } of rows) npns.get(territoryId)?.push(String(npn));
  return npns;
}
