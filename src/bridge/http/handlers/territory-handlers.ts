import { assignTerritory, listTerritories, unassignTerritory } from '../../domain/territories/territories.js';
import type { Handlers } from './call.js';

/** Operations 14 to 16. */
export const territoryHandlers = {
  assignTerritory: (context, { params, body, caller }) =>
    assignTerritory(context, caller, params.npn, body.territoryId),
  unassignTerritory: (context, { params, caller }) =>
    unassignTerritory(context, caller, params.npn, params.territoryId),
  listTerritories: (context, { query, caller }) => listTerritories(context, caller, query),
} satisfies Partial<Handlers>;
