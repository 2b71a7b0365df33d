import type {
  TerritoriesQuery,
  TerritoryAssignment,
  TerritoryList,
  TerritoryUnassignment,
} from '../../../contract/index.js';
import type { Calls } from '../calls.js';
import type { CallOptions } from '../options.js';
import { walkPages } from '../pages.js';
import type { Received, ReceivedTerritory } from '../received.js';

/** Operations 14 to 16: who works where. */
export interface TerritoryOperations {
  /** Assigns a territory to a producer beside those that are assigned (operation 14). The second time changes nothing. */
  assignTerritory(npn: string | number, territoryId: string, options?: CallOptions): Promise<TerritoryAssignment>;
  /** Takes a territory from a producer (operation 15). Rejects with `refused` when it is not assigned. */
  unassignTerritory(npn: string | number, territoryId: string, options?: CallOptions): Promise<TerritoryUnassignment>;
  /** Reads one page of the agency's territories and of who works in them (operation 16). */
  listTerritories(options?: TerritoriesQuery & CallOptions): Promise<Received<TerritoryList>>;
  /**
   * Goes through all territories, a page at a time as the loop gets there. `pageSize` is how many to read at once, 1–100; the
   * other options hold for each page.
   */
  territories(
    options?: Pick<TerritoriesQuery, 'pageSize'> & CallOptions,
  ): AsyncGenerator<ReceivedTerritory, void, undefined>;
}

/** Offers operations 14 to 16 and what is built on them. */
export function territoryOperations({ call }: Calls): TerritoryOperations {
  const operations: TerritoryOperations = {
    assignTerritory: (npn, territoryId, options) =>
      call('assignTerritory', { params: { npn: textOf(npn) }, body: { territoryId } }, options),
    unassignTerritory: (npn, territoryId, options) =>
      call('unassignTerritory', { params: { npn: textOf(npn), territoryId } }, options),
    listTerritories: ({ page = 1, pageSize = 20, ...options } = {}) =>
      call('listTerritories', { query: { page, pageSize } }, options),
    territories: (options) =>
      walkPages('listTerritories', async (page) => {
        const { data } = await operations.listTerritories({ ...options, page });
        return { ...data, items: data.territories };
      }),
  };
  return operations;
}

/** Only a number becomes a text: what is neither must be noticed before it stands in an address. */
function textOf(npn: string | number): string {
  return typeof npn === 'number' ? String(npn) : npn;
}
