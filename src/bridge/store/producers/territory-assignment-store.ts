import type { Database } from '../tables/typed-database.js';
import { ownedBy, type Owner } from '../owner.js';

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

/** Who works in some territories: the NPNs by the territory's id, those that were assigned first in front. */
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
