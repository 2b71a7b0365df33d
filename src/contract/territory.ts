/** A territory of an agency, created by the operator. */
export interface Territory {
  /** `ter_…` */
  id: string;
  /** Its name in the agency. */
  name: string;
  /** Its states. */
  states: TerritoryState[];
  /** Its producers, in the token's mode. */
  assignedProducers: AssignedProducer[];
}

/** A state of a territory. */
export interface TerritoryState {
  /** State code in upper case. */
  stateCode: string;
  /** The licenses that count there. */
  licenses: TerritoryLicense[];
}

/** A class of license that counts in a territory. */
export interface TerritoryLicense {
  /** Name of the class. */
  licenseClass: string;
  /** Number of the class, as a text. */
  licenseClassCode: string;
  /** Its lines of authority. */
  loas: TerritoryLoa[];
}

/** A line of authority that counts in a territory. */
export interface TerritoryLoa {
  /** Number of the line, as a text. */
  code: string;
  /** Name of the line. */
  name: string;
  /** The producers for which it counts. */
  residencyType: 'resident' | 'non-resident';
}

/** A producer of a territory. */
export interface AssignedProducer {
  /** Given name. */
  firstName: string;
  /** Family name. */
  lastName: string;
  /** National producer number without leading zeros. */
  npn: string;
}

/** Body of assignTerritory (operation 14). */
export interface TerritoryAssignRequest {
  /** A territory of the agency. */
  territoryId: string;
}

/** Response of assignTerritory (operation 14). */
export interface TerritoryAssignment {
  /** A sentence for people. */
  message: string;
  /** The assignment. */
  data: {
    /** The time of the first assignment, ISO 8601 in UTC. */
    assignedAt: string;
    /** The NPN of the producer. */
    npn: string;
    /** The id of the territory. */
    territoryId: string;
    /** Its name. */
    territoryName: string;
  };
}

/** Response of unassignTerritory (operation 15). */
export interface TerritoryUnassignment {
  /** A sentence for people. */
  message: string;
  /** The removed assignment. */
  data: {
    /** The NPN of the producer. */
    npn: string;
    /** The id of the territory. */
    territoryId: string;
    /** The time of the removal, ISO 8601 in UTC. */
    unassignedAt: string;
  };
}

/** Query of listTerritories (operation 16). */
export interface TerritoriesQuery {
  /** From 1. Default: 1. */
  page?: number;
  /** 1–100. Default: 20. */
  pageSize?: number;
}

/** Response of listTerritories (operation 16). */
export interface TerritoryList {
  /** A sentence for people. */
  message: string;
  /** One page. */
  data: {
    /** The requested page. */
    currentPage: number;
    /** The number of territories on a full page. */
    pageSize: number;
    /** The number of territories of the agency. */
    totalCount: number;
    /** Whether there is a page after this one. */
    hasNextPage: boolean;
    /** Whether there is a page before this one. */
    hasPreviousPage: boolean;
    /** The territories of this page. */
    territories: Territory[];
  };
}
