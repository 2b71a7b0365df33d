import type { Generated } from 'kysely';
import type { Mode, ProducerDetail, ProducerSection, ResidencyStatus } from '../../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** The part of a producer's record that is kept as a document: the columns beside it hold the rest. */
export type StoredProducer = Omit<ProducerDetail, 'id' | 'createdAt' | 'updatedAt'>;

/** Active licenses by state: number and residency of each, in the order of the number. */
export type StoredLicenses = Record<string, [licenseNumber: string, residencyStatus: ResidencyStatus][]>;

/** A producer of the embedded registry, in one mode. */
export interface RegistryProducerTable {
  mode: Mode;
  npn: number;
  first_name: string;
  /** The name of the company where there is no family name. */
  last_name: string;
  /** Keyed hash of SSN and last name (see registry/table-registry.ts), for operation 10; null without an SSN. */
  look_up_hash: Buffer | null;
  /** The SSN, sealed; see domain/keys.ts. */
  ssn_sealed: string | null;
  /** Beside the document, so that operation 9 need not read it. */
  active_licenses: Json<StoredLicenses>;
  detail: Json<StoredProducer>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** An update of a producer and the record as of then. */
export interface RegistryUpdateTable {
  id: Generated<number>;
  mode: Mode;
  npn: number;
  updated_at: Timestamp;
  changes: ProducerSection[];
  detail: Json<StoredProducer>;
}

/** How far an import has come, and what it found so far. */
export interface ImportProgress {
  /** Where the next line begins, in bytes. */
  position: number;
  /** How many lines were read. */
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  bad: number;
  /** The first bad lines; more help nobody. */
  badLines: BadLine[];
}

/** A line of an import that was left out. */
export interface BadLine {
  /** Counted from 1. */
  line: number;
  /** Never quotes the line. */
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
