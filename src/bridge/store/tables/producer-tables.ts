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
  agency_id: string;
  mode: Mode;
  npn: number;
  onboard_type: Exclude<OnboardType, 'lookup'>;
  onboarded_at: Timestamp;
}

/** The details of a team member that onboardProducer (operation 5) received. */
export interface TeamMemberTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  payment_responsibility: PaymentResponsibility;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  gender: string | null;
  updated_at: Timestamp;
}

/** An NPN whose updates an agency follows. */
export interface SubscriptionTable {
  agency_id: string;
  mode: Mode;
  npn: number;
  added_at: Timestamp;
}

/** The tables of onboarding and subscriptions. */
export interface OnboardingTables {
  onboarded_producer: OnboardedProducerTable;
  team_member: TeamMemberTable;
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
  first_name: string;
  /** The company name where there is no family name. */
  last_name: string;
  /**
   * Keyed hash of SSN and last name (see registry/table-registry.ts), for lookUpNpn (operation 10);
   * null without an SSN.
   */
  look_up_hash: Buffer | null;
  /** The SSN, encrypted; see domain/keys/keys.ts. */
  ssn_encrypted: string | null;
  /**
   * Outside the document, so that listActiveLicenses (operation 9) does not need to read the
   * document.
   */
  active_licenses: Json<StoredLicenses>;
  detail: Json<StoredProducer>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** An update of a producer and the record at that time. */
export interface RegistryUpdateTable {
  id: Generated<number>;
  mode: Mode;
  npn: number;
  updated_at: Timestamp;
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
  file_hash: Buffer;
  progress: Json<ImportProgress>;
  updated_at: Timestamp;
}

/** The tables of the embedded producer registry. */
export interface RegistryTables {
  registry_producer: RegistryProducerTable;
  registry_update: RegistryUpdateTable;
  registry_import: RegistryImportTable;
}

/** A bulk onboarding (operation 7). It is kept, so that its report stays readable. */
export interface BulkOnboardingTable {
  /** A UUID. */
  id: string;
  agency_id: string;
  mode: Mode;
  onboard_type: BulkOnboardType;
  /** NPNs of the request, each counted once. */
  total_count: number;
  /** NPNs onboarded so far, counted in the transactions that onboarded them. */
  success_count: number;
  /** Unfinished batches. */
  open_batches: number;
  created_at: Timestamp;
  completed_at: Timestamp | null;
}

/**
 * Some NPNs of a bulk onboarding, which are claimed, onboarded and recorded together. One row
 * instead of one per NPN, so that a claim is one lock, and a request of 10,000 NPNs is written
 * while its caller waits.
 */
export interface BulkBatchTable {
  bulk_id: string;
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
  success_count: number;
  /** The number of failed tries. */
  attempts: number;
  /** The earliest time of the next try. */
  due_at: Timestamp;
}

/** The last turn of an agency in one mode. The agency with the oldest turn is next. */
export interface BulkTurnTable {
  agency_id: string;
  mode: Mode;
  /**
   * A number of the sequence `bulk_turn_number`, not a time, because the clocks of instances
   * differ. 0 before the first turn.
   */
  served: Generated<number>;
}

/** The tables of bulk onboarding. */
export interface BulkTables {
  bulk_onboarding: BulkOnboardingTable;
  bulk_batch: BulkBatchTable;
  bulk_turn: BulkTurnTable;
}

/** A territory of an agency, created by the operator. Visible in both modes. */
export interface TerritoryTable {
  /** `ter_…` */
  id: string;
  agency_id: string;
  /** Unique in its agency: a repeated import updates by name. */
  name: string;
  /** The order of the list, which is the order of the imported files. */
  position: Generated<number>;
  states: Json<TerritoryState[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The producers of a territory, in one mode. */
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
