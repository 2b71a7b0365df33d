import type { Mode, TerritoryState } from '../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** A territory of an agency, made by the operator. Shows in both modes. */
export interface TerritoryTable {
  /** `ter_…` */
  id: string;
  agency_id: string;
  name: string;
  states: Json<TerritoryState[]>;
  created_at: Timestamp;
}

/** Who works in a territory, in one mode. */
export interface TerritoryAssignmentTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  territory_id: string;
  assigned_at: Timestamp;
}

/** The tables of territories. */
export interface TerritoryTables {
  territory: TerritoryTable;
  territory_assignment: TerritoryAssignmentTable;
}
