import type { Generated } from 'kysely';
import type { Mode, TerritoryState } from '../../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** A territory of an agency, made by the operator. Shows in both modes. */
export interface TerritoryTable {
  /** `ter_…` */
  id: string;
  agency_id: string;
  /** Unique in its agency: a file that is imported again updates by name. */
  name: string;
  /** The order in which territories are listed: that of the files they came from. */
  position: Generated<number>;
  states: Json<TerritoryState[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
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
