import { isDeepStrictEqual } from 'node:util';
import { producerSections, type Mode } from '../../contract/index.js';
import type { DatabaseTransaction } from '../store/tables/typed-database.js';
import type { Keys } from '../domain/keys/keys.js';
import type { StoredProducer } from '../store/tables/producer-tables.js';
import {
  findProducersForImport,
  type StoredProducerRecord,
  insertUpdates,
  lockRegistry,
  upsertProducers,
  type WrittenProducer,
  type WrittenUpdate,
} from '../store/producers/registry-write-store.js';
import { emptyProducer, hasName, writtenProducer, type ProducerRecord } from './producer-record.js';
import { lookUpHash, lookUpHashes, ssnAssociatedData } from './table-registry.js';
import { announceProducers } from '../domain/webhooks/announce-producers.js';
import { open } from 'node:fs/promises';
import { generateProducer } from './synthetic/producer.js';

/** The result of a record; a text is the reason why it was not applied. */
export type RecordOutcome = 'created' | 'updated' | 'unchanged' | { refused: string };

/**
 * Applies records to a mode's registry, in order and with one time: new producers, and updates of
 * existing ones, which are announced to their subscribers. `now` is the current time.
 */
export async function applyRecords(
  context: { trx: DatabaseTransaction; keys: Keys },
  mode: Mode,
  records: readonly ProducerRecord[],
  at: Date,
  now: Date,
): Promise<RecordOutcome[]> {
  const { trx, keys } = context;
  await lockRegistry(trx, mode, 'alone');
  const stored = new Map<string, StoredRow>();
  for (const { npn, ...row } of await findProducersForImport(trx, mode, [...new Set(records.map(({ npn }) => npn))])) {
    stored.set(String(npn), row);
  }
  const written = new Map<string, WrittenProducer>();
  const updates: WrittenUpdate[] = [];

  const outcomes = records.map((record): RecordOutcome => {
    const { npn } = record;
    const before = stored.get(npn);
    const detail = mergeSections(before?.detail ?? emptyProducer(), record);
    if (!hasName(detail)) return { refused: 'biographic: expected a lastName or a companyName' };
    const changes = before === undefined ? [] : changedSections(before.detail, detail);
    const secret = keepSsn(keys, mode, record, before, detail.biographic.lastName);
    if (before !== undefined && changes.length === 0 && secret === undefined) return 'unchanged';
    if (before !== undefined && before.updatedAt > at) return { refused: 'the registry has a newer record' };
    const { lookUpHash: hash, ssnEncrypted } = secret ?? before ?? noSsn;
    const after: StoredRow = {
      detail,
      lookUpHash: hash,
      ssnEncrypted,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    };
    stored.set(npn, after);
    written.set(npn, writtenProducer(npn, after));
    if (changes.length > 0) updates.push({ npn, updatedAt: at, changes, detail });
    return before === undefined ? 'created' : 'updated';
  });

  if (written.size > 0) await upsertProducers(trx, mode, [...written.values()]);
  await insertUpdates(trx, mode, updates);
  await announceProducers(trx, mode, updates, now);
  return outcomes;
}

type StoredRow = Omit<StoredProducerRecord, 'npn'>;

const noSsn = { lookUpHash: null, ssnEncrypted: null };

/** Replaces the sections that the record contains; others stay. */
function mergeSections(before: StoredProducer, { npn, ssn: _ssn, ...sections }: ProducerRecord): StoredProducer {
  const merged = { ...before, ...sections };
  return { ...merged, biographic: { ...merged.biographic, npn } };
}

function changedSections(before: StoredProducer, after: StoredProducer) {
  return producerSections.filter((section) => !isDeepStrictEqual(before[section], after[section]));
}

/** The columns of the SSN; `undefined` when they do not change. */
function keepSsn(
  keys: Keys,
  mode: Mode,
  record: ProducerRecord,
  before: StoredRow | undefined,
  lastName: string,
): Pick<WrittenProducer, 'lookUpHash' | 'ssnEncrypted'> | undefined {
  const ring = keys.of(mode);
  const associatedData = ssnAssociatedData(mode, record.npn);
  // The look-up hash includes the name, so a new name requires a new hash of the stored SSN.
  const isKept =
    before?.ssnEncrypted != null && before.detail.biographic.lastName === lastName && record.ssn === undefined;
  if (isKept) return undefined;
  const ssn =
    record.ssn ?? (before?.ssnEncrypted == null ? undefined : ring.decrypt(before.ssnEncrypted, associatedData));
  if (ssn === undefined) return undefined;
  const isSame = lookUpHashes(ring, mode, lastName, ssn).some((hash) => before?.lookUpHash?.equals(hash));
  return isSame
    ? undefined
    : { lookUpHash: lookUpHash(ring, mode, lastName, ssn), ssnEncrypted: ring.encrypt(ssn, associatedData) };
}

/** The number of records per write. */
const batchSize = 500;

/**
 * Writes synthetic producers to a new file in the import format, each with a synthetic SSN. The
 * file must not exist.
 */
export async function writeRecords(
  path: string,
  { count, seed }: { count: number; seed: number },
  onProgress: (written: number) => void = () => undefined,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for (let start = 0; start < count; start += batchSize) {
      const end = Math.min(count, start + batchSize);
      const lines = Array.from({ length: end - start }, (_, offset) => syntheticLine(seed, start + offset));
      // Unlike `write`, it continues after a partial write.
      await file.appendFile(lines.join(''));
      onProgress(end);
    }
  } finally {
    await file.close();
  }
}

function syntheticLine(seed: number, index: number): string {
  return `${JSON.stringify(generateProducer(seed, index))}\n`;
}
