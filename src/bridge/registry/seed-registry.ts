import type { Mode } from '../../contract/index.js';
import { type AuditedContext, recordLongChange } from '../domain/audit/audit.js';
import type { BridgeContext } from '../domain/context.js';
import { findNpnsAmong } from '../store/producers/registry-store.js';
import {
  insertMissingProducers,
  insertUpdates,
  lockRegistry,
  type WrittenProducer,
} from '../store/producers/registry-write-store.js';
import { inTransaction } from '../store/transaction.js';
import { writtenProducer } from './producer-record.js';
import { generateProducer, generateUpdate, syntheticNpn } from './synthetic/producer.js';
import { lookUpHash, ssnAssociatedData } from './table-registry.js';

/** The options of a seed. */
export interface SeedOptions {
  mode: Mode;
  /** The number of producers, from the first of the seed. */
  count: number;
  seed: number;
  /** The time of their entry into the registry. */
  at: Date;
}

/** The result. */
export interface SeededRegistry {
  /** The number of new producers. */
  created: number;
  /** The number of existing producers, also changed ones. */
  existing: number;
}

/** Large enough to make round trips negligible, small enough to bound memory. */
const batchSize = 500;

/** The next batch is created while the database writes one. */
const batchesAtOnce = 2;

/**
 * Adds synthetic producers to a registry; existing ones stay unchanged. It can be interrupted and
 * repeated, and skips existing producers.
 */
export function seedRegistry(
  context: AuditedContext & Pick<BridgeContext, 'keys'>,
  options: SeedOptions,
  onProgress: (seeded: Readonly<SeededRegistry>) => void = () => undefined,
): Promise<SeededRegistry> {
  const change = { action: 'registry.generated', mode: options.mode, subject: `seed:${options.seed}` } as const;
  return recordLongChange(
    context,
    change,
    () => seedBatches(context, options, onProgress),
    ({ created }) => created,
  );
}

async function seedBatches(
  context: Pick<BridgeContext, 'db' | 'keys'>,
  options: SeedOptions,
  onProgress: (seeded: Readonly<SeededRegistry>) => void,
): Promise<SeededRegistry> {
  const seeded: SeededRegistry = { created: 0, existing: 0 };
  const batches = batchesOf(options.count);
  const seedNext = async () => {
    // The workers share the iterator, and each takes the next batch.
    for (const indexes of batches) {
      const created = await seedBatch(context, options, indexes);
      seeded.created += created;
      seeded.existing += indexes.length - created;
      onProgress(seeded);
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, seedNext));
  return seeded;
}

function* batchesOf(count: number): Generator<number[]> {
  for (let start = 0; start < count; start += batchSize) {
    yield Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => start + offset);
  }
}

async function seedBatch(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  { mode, seed, at }: SeedOptions,
  indexes: readonly number[],
): Promise<number> {
  const options = new Map(indexes.map((index) => [syntheticNpn(seed, index), index]));
  return inTransaction(db, async (trx) => {
    await lockRegistry(trx, mode, 'shared');
    for (const npn of await findNpnsAmong(trx, mode, [...options.keys()])) options.delete(npn);
    if (options.size === 0) return 0;
    const ring = keys.of(mode);
    const producers = [...options.values()].map((index): WrittenProducer => {
      const { npn, ssn, ...detail } = generateProducer(seed, index);
      return writtenProducer(npn, {
        detail,
        lookUpHash: ssn === undefined ? null : lookUpHash(ring, mode, detail.biographic.lastName, ssn),
        ssnEncrypted: ssn === undefined ? null : ring.encrypt(ssn, ssnAssociatedData(mode, npn)),
        createdAt: at,
        updatedAt: at,
      });
    });
    const created = await insertMissingProducers(trx, mode, producers);
    // On the day of their entry, so that getSubscriptionUpdate (operation 11) has an answer from
    // then on.
    const updates = producers.flatMap(({ npn, detail }) => {
      const changes = created.has(npn) ? generateUpdate(seed, options.get(npn) ?? 0) : undefined;
      return changes ? [{ npn, updatedAt: at, changes, detail }] : [];
    });
    await insertUpdates(trx, mode, updates);
    return created.size;
  });
}
