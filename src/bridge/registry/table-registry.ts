import type { Mode, ProducerDetail } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../store/tables/typed-database.js';
import type { KeyRing, Keys } from '../domain/keys/keys.js';
import {
  findFirstNpns,
  findLatestUpdate,
  findNpnByHash,
  findNpnsAmong,
  findStoredLicenses,
  findStoredNames,
  findStoredProducers,
  type StoredProducerRow,
} from '../store/producers/registry-store.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';

/** The embedded registry: tables of the bridge's own database. */
export function createTableRegistry(db: Database, keys: Keys): ProducerRegistry {
  return {
    findKnown: async (mode, npns, trx?: DatabaseTransaction) => new Set(await findNpnsAmong(trx ?? db, mode, npns)),
    async findProducers(mode, npns) {
      const rows = await findStoredProducers(db, mode, npns);
      return new Map(rows.map((row) => [String(row.npn), producerDetail(mode, row)]));
    },
    async findNames(mode, npns) {
      const rows = await findStoredNames(db, mode, npns);
      return new Map(rows.map((row) => [String(row.npn), { firstName: row.firstName, lastName: row.lastName }]));
    },
    findActiveLicenses: (mode, npns, states) => findStoredLicenses(db, mode, npns, states),
    isEmpty: async (mode) => (await findFirstNpns(db, mode, 1)).length === 0,
    findNpn: (mode, lastName, ssn) => findNpnByHash(db, mode, lookUpHashes(keys.of(mode), mode, lastName, ssn)),
    async findUpdate(mode, npn, before) {
      const row = await findLatestUpdate(db, mode, npn, before);
      return row && { updatedAt: row.updatedAt, changes: row.changes, producer: producerDetail(mode, row) };
    },
  };
}

/**
 * The id of a producer's record. It contains the mode, because a partner may store records of both
 * modes together.
 */
function recordId(mode: Mode, npn: number): string {
  return `prd_${mode}_${npn}`;
}

function producerDetail(mode: Mode, { npn, detail, createdAt, updatedAt }: StoredProducerRow) {
  return {
    id: recordId(mode, npn),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...detail,
  } satisfies ProducerDetail;
}

/**
 * The look-up hash of an SSN (nine digits) and a last name. One hash of both, so that neither can
 * be guessed separately.
 */
export function lookUpHash(keys: KeyRing, mode: Mode, lastName: string, ssn: string): Buffer {
  return keys.mac('ssn-lookup', hashedText(mode, lastName, ssn));
}

/** The hash with every key, newest first: the stored one may be of an older key. */
export function lookUpHashes(keys: KeyRing, mode: Mode, lastName: string, ssn: string): Buffer[] {
  return keys.macs('ssn-lookup', hashedText(mode, lastName, ssn));
}

/** The associated data of a producer's encrypted SSN: its row. */
export function ssnAssociatedData(mode: Mode, npn: string): string {
  return `registry:${mode}:${npn}`;
}

function hashedText(mode: Mode, lastName: string, ssn: string): string {
  return JSON.stringify([mode, ssn, foldName(lastName)]);
}

/**
 * Removes the differences between two spellings of one name: case, spaces, the apostrophe, how a
 * letter is composed.
 */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[’ʼ`´]/g, "'")
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
