import type { Generated } from 'kysely';
import type { Mode, ProducerDetail, ProducerSection } from '../../contract/index.js';
import type { Json, Timestamp } from './column-types.js';

/** The part of a producer's record that is kept as a document: the columns beside it hold the rest. */
export type StoredProducer = Omit<ProducerDetail, 'id' | 'createdAt' | 'updatedAt'>;

/** Active licenses by state: number and residency of each, in the order of the number. */
export type StoredLicenses = Record<string, [licenseNumber: string, residencyStatus: 'R' | 'NR'][]>;

/** A producer of the embedded registry, in one mode. */
export interface RegistryProducerTable {
  mode: Mode;
  npn: number;
  first_name: string;
  last_name: string;
  /** Keyed hash of SSN and last name (in one case, without accents' variants), for operation 10; null without an SSN. */
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

/** The tables of the embedded producer registry. */
export interface RegistryTables {
  registry_producer: RegistryProducerTable;
  registry_update: RegistryUpdateTable;
}
