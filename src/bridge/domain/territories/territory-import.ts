import type { Territory } from '../../../contract/index.js';
import { findAgency, lockAgency } from '../../store/accounts/agency-store.js';
import { findTerritories, upsertTerritory, type TerritoryRow } from '../../store/producers/territory-store.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';

/** A territory as the operator describes it. */
export type DescribedTerritory = Pick<Territory, 'name' | 'states'>;

/** What became of a described territory. */
export interface ImportedTerritory {
  /** `ter_…` */
  id: string;
  name: string;
  /** Whether the agency had none of this name before. */
  isNew: boolean;
}

/**
 * Writes territories of an agency, all or none. One whose name the agency has keeps its id and assignments and gets the states
 * that are described; those that are not described stay as they are. `undefined`: there is no such agency.
 */
export async function importTerritories(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  agencyId: string,
  territories: readonly DescribedTerritory[],
): Promise<ImportedTerritory[] | undefined> {
  return context.db.transaction().execute(async (trx) => {
    // One import at a time: two that name the same territories in another order would wait for each other.
    if ((await lockAgency(trx, agencyId)) === undefined) return undefined;
    const now = context.clock();
    const imported: ImportedTerritory[] = [];
    for (const { name, states } of territories) {
      const newId = randomId('ter');
      const id = await upsertTerritory(trx, { id: newId, agencyId, name, states }, now);
      imported.push({ id, name, isNew: id === newId });
    }
    return imported;
  });
}

/** All territories of an agency in their order. `undefined`: there is no such agency. */
export async function readTerritories(
  context: Pick<BridgeContext, 'db'>,
  agencyId: string,
): Promise<TerritoryRow[] | undefined> {
  if ((await findAgency(context.db, agencyId)) === undefined) return undefined;
  return findTerritories(context.db, agencyId);
}
