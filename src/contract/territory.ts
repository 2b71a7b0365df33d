/** An area of an agency's, made by the operator. */
export interface Territory {
  /** `ter_…` */
  id: string;
  /** Its name in the agency. */
  name: string;
  /** Its parts. */
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
  /** Which producers it counts for. */
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

/** Body of operation 14. */
export interface TerritoryAssignRequest {
  /** A territory of the agency. */
  territoryId: string;
}

/** Answer of operation 14. */
export interface TerritoryAssignment {
  /** One sentence for people. */
  message: string;
  /** The assignment. */
  data: {
    /** When it was first assigned, ISO 8601 in UTC. */
    assignedAt: string;
    /** To whom. */
    npn: string;
    /** Which territory. */
    territoryId: string;
    /** Its name. */
    territoryName: string;
  };
}

/** Answer of operation 15. */
export interface TerritoryUnassignment {
  /** One sentence for people. */
  message: string;
  /** The removed assignment. */
  data: {
    /** From whom. */
    npn: string;
    /** Which territory. */
    territoryId: string;
    /** When, ISO 8601 in UTC. */
    unassignedAt: string;
  };
}

/** Query of operation 16. */
export interface TerritoriesQuery {
  /** From 1. Default: 1. */
  page?: number;
  /** 1–100. Default: 20. */
  pageSize?: number;
}

/** Answer of operation 16. */
export interface TerritoryList {
  /** One sentence for people. */
  message: string;
  /** One page. */
  data: {
    /** The page asked for. */
    currentPage: number;
    /** Territories on a full page. */
    pageSize: number;
    /** Territories of the agency. */
    totalCount: number;
    /** Whether there is a page after this one. */
    hasNextPage: boolean;
    /** Whether there is a page before this one. */
    hasPreviousPage: boolean;
    /** The territories of this page. */
    territories: Territory[];
  };
}
