import type { ColumnType, Generated } from 'kysely';
import type {
  BulkOnboardType,
  Mode,
  OnboardType,
  PaymentResponsibility,
  ProducerDetail,
  ProducerSection,
  ResidencyStatus,
  TerritoryState,
} from '../../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** A producer that an agency onboarded, by `subscribe` or `team`. */
export interface OnboardedProducerTable {
  agencyId: string;
  mode: Mode;
  npn: number;
  onboardType: Exclude<OnboardType, 'lookup'>;
  onboardedAt: Timestamp;
}

/** The details of a team member that onboardProducer (operation 5) received. */
export interface TeamMemberTable {
  agencyId: string;
  mode: Mode;
  npn: number;
  paymentResponsibility: PaymentResponsibility;
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  gender: string | null;
  updatedAt: Timestamp;
}

/** An NPN whose updates an agency follows. */
export interface SubscriptionTable {
  agencyId: string;
  mode: Mode;
  npn: number;
  addedAt: Timestamp;
}

/** The tables of onboarding and subscriptions. */
export interface OnboardingTables {
  onboardedProducer: OnboardedProducerTable;
  teamMember: TeamMemberTable;
  subscription: SubscriptionTable;
}

/**
 * The part of a producer's record that is stored as a document; the other columns hold the rest.
 */
export type StoredProducer = Omit<ProducerDetail, 'id' | 'createdAt' | 'updatedAt'>;

/** Active licenses by state: number and residency of each, in the order of the number. */
export type StoredLicenses = Record<string, [licenseNumber: string, residencyStatus: ResidencyStatus][]>;

/** A producer of the embedded registry, in one mode. */
export interface RegistryProducerTable {
  mode: Mode;
  npn: number;
  firstName: string;
  /** The company name where there is no family name. */
  lastName: string;
  /**
   * Keyed hash of SSN and last name (see registry/table-registry.ts), for lookUpNpn (operation 10);
   * null without an SSN.
   */
  lookUpHash: Buffer | null;
  /** The SSN, encrypted; see domain/keys/keys.ts. */
  ssnEncrypted: string | null;
  /**
   * Outside the document, so that listActiveLicenses (operation 9) does not need to read the
   * document.
   */
  activeLicenses: Json<StoredLicenses>;
  detail: Json<StoredProducer>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** An update of a producer and the record at that time. */
export interface RegistryUpdateTable {
  id: Generated<number>;
  mode: Mode;
  npn: number;
  updatedAt: Timestamp;
  changes: ProducerSection[];
  detail: Json<StoredProducer>;
}

/** The progress of an import and its counts so far. */
export interface ImportProgress {
  /** Where the next line begins, in bytes. */
  position: number;
  /** How many lines were read. */
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  bad: number;
  /** The first invalid lines. More would not help. */
  badLines: BadLine[];
}

/** A line that the import skipped. */
export interface BadLine {
  /** Counted from 1. */
  line: number;
  /** Never contains text of the line. */
  reason: string;
}

/** An import that has not finished, by the content of its file. */
export interface RegistryImportTable {
  mode: Mode;
  fileHash: Buffer;
  progress: Json<ImportProgress>;
  updatedAt: Timestamp;
}

/** The tables of the embedded producer registry. */
export interface RegistryTables {
  registryProducer: RegistryProducerTable;
  registryUpdate: RegistryUpdateTable;
  registryImport: RegistryImportTable;
}

/** A bulk onboarding (operation 7). It is kept, so that its report stays readable. */
export interface BulkOnboardingTable {
  /** A UUID. */
  id: string;
  agencyId: string;
  mode: Mode;
  onboardType: BulkOnboardType;
  /** NPNs of the request, each counted once. */
  totalCount: number;
  /** NPNs onboarded so far, counted in the transactions that onboarded them. */
  successCount: number;
  /** Unfinished batches. */
  openBatches: number;
  createdAt: Timestamp;
  completedAt: Timestamp | null;
}

/**
 * Some NPNs of a bulk onboarding, which are claimed, onboarded and recorded together. One row
 * instead of one per NPN, so that a claim is one lock, and a request of 10,000 NPNs is written
 * while its caller waits.
 */
export interface BulkBatchTable {
  bulkId: string;
  /** Its position in the request, from 0. */
  number: number;
  /** `bigint[]`, which the driver reads as texts, as NPNs are everywhere else. */
  npns: ColumnType<string[], readonly string[], never>;
  /**
   * For each NPN 0 when it was onboarded, else the number of the error in the error catalogue; null
   * while the batch is unfinished.
   */
  outcomes: number[] | null;
  /**
   * The number of outcomes that are 0, so that a page of the report reads only the batches that it
   * shows.
   */
  successCount: number;
  /** The number of failed tries. */
  attempts: number;
  /** The earliest time of the next try. */
  dueAt: Timestamp;
}

/** The last turn of an agency in one mode. The agency with the oldest turn is next. */
export interface BulkTurnTable {
  agencyId: string;
  mode: Mode;
  /**
   * A number of the sequence `bulk_turn_number`, not a time, because the clocks of instances
   * differ. 0 before the first turn.
   */
  served: Generated<number>;
}

/** The tables of bulk onboarding. */
export interface BulkTables {
  bulkOnboarding: BulkOnboardingTable;
  bulkBatch: BulkBatchTable;
  bulkTurn: BulkTurnTable;
}

/** A territory of an agency, created by the operator. Visible in both modes. */
export interface TerritoryTable {
  /** `ter_…` */
  id: string;
  agencyId: string;
  /** Unique in its agency: a repeated import updates by name. */
  name: string;
  /** The order of the list, which is the order of the imported files. */
  position: Generated<number>;
  states: Json<TerritoryState[]>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** The producers of a territory, in one mode. */
export interface TerritoryAssignmentTable {
  agencyId: string;
  mode: Mode;
  npn: number;
  territoryId: string;
  assignedAt: Timestamp;
}

/** The tables of territories. */
export interface TerritoryTables {
  territory: TerritoryTable;
  territoryAssignment: TerritoryAssignmentTable;
}
