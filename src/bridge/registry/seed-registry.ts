import type { Mode } from '../../contract/index.js';
import type { BridgeContext } from '../domain/context.js';
import { findNpnsAmong } from '../store/producers/registry-store.js';
import {
  insertMissingProducers,
  insertUpdates,
  lockRegistry,
  type WrittenProducer,
} from '../store/producers/registry-write-store.js';
import { writtenProducer } from './producer-record.js';
import { generateProducer, generateUpdate, syntheticNpn } from './synthetic/producer.js';
import { lookUpHash, ssnAssociatedData } from './table-registry.js';

/** Which synthetic producers are wanted. */
export interface WantedProducers {
  mode: Mode;
  /** How many, counted from the first of the seed. */
  count: number;
  seed: number;
  /** When they are to have come into the registry. */
  at: Date;
}

/** What became of them. */
export interface FilledRegistry {
  /** How many were made. */
  created: number;
  /** How many were there already, whatever they have become since. */
  existing: number;
}

/** Big enough that the way to the database costs nothing, small enough that memory stays flat. */
const batchSize = 500;

/** While the database writes one batch, the next one is made. */
const batchesAtOnce = 2;

/**
 * Adds synthetic producers to a registry; those that are there stay as they are. May be interrupted and run again: what is there
 * is not even made again.
 */
export async function fillRegistry(
  context: Pick<BridgeContext, 'db' | 'keys'>,
  wanted: WantedProducers,
  onProgress: (filled: Readonly<FilledRegistry>) => void = () => undefined,
): Promise<FilledRegistry> {
  const filled: FilledRegistry = { created: 0, existing: 0 };
  const batches = batchesOf(wanted.count);
  const fillBatches = async () => {
    // The iterator is shared: each worker takes the next batch that is free.
    for (const indexes of batches) {
      const created = await fillBatch(context, wanted, indexes);
      filled.created += created;
      filled.existing += indexes.length - created;
      onProgress(filled);
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, fillBatches));
  return filled;
}

function* batchesOf(count: number): Generator<number[]> {
  for (let start = 0; start < count; start += batchSize) {
    yield Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => start + offset);
  }
}

async function fillBatch(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  { mode, seed, at }: WantedProducers,
  indexes: readonly number[],
): Promise<number> {
  const wanted = new Map(indexes.map((index) => [syntheticNpn(seed, index), index]));
  return db.transaction().execute(async (trx) => {
    await lockRegistry(trx, mode, 'shared');
    for (const npn of await findNpnsAmong(trx, mode, [...wanted.keys()])) wanted.delete(npn);
    if (wanted.size === 0) return 0;
    const producers = [...wanted.values()].map((index): WrittenProducer => {
      const { npn, ssn, ...detail } = generateProducer(seed, index);
      return writtenProducer(npn, {
        detail,
        lookUpHash: ssn === undefined ? null : lookUpHash(keys, mode, detail.biographic.lastName, ssn),
        ssnSealed: ssn === undefined ? null : keys.encrypt(ssn, ssnAssociatedData(mode, npn)),
        createdAt: at,
        updatedAt: at,
      });
    });
    const created = await insertMissingProducers(trx, mode, producers);
    // Of the day on which they came: operation 11 answers from then on.
    const updates = producers.flatMap(({ npn, detail }) => {
      const changes = created.has(npn) ? generateUpdate(seed, wanted.get(npn) ?? 0) : undefined;
      return changes ? [{ npn, updatedAt: at, changes, detail }] : [];
    });
    await insertUpdates(trx, mode, updates);
    return created.size;
  });
}
