import type { Mode } from '../../src/contract/index.js';
import type { BridgeContext } from '../../src/bridge/domain/context.js';
import { applyRecords, type RecordOutcome } from '../../src/bridge/registry/apply-records.js';
import type { ProducerRecord } from '../../src/bridge/registry/producer-record.js';

export { sampleLicense, sampleProducer, type SampleProducer } from './sample-producer.js';

/**
 * Adds producers to a mode's registry, or updates existing ones, like the import. `at`: the time.
 * Default: now.
 */
export async function addProducers(
  { db, keys, clock }: Pick<BridgeContext, 'db' | 'keys'> & Partial<Pick<BridgeContext, 'clock'>>,
  mode: Mode,
  records: readonly ProducerRecord[],
  at: Date = clock?.() ?? new Date(),
): Promise<RecordOutcome[]> {
  const outcomes: RecordOutcome[] = [];
  for (let start = 0; start < records.length; start += 500) {
    const batch = records.slice(start, start + 500);
    outcomes.push(
      ...(await db
        .transaction()
        .execute((trx) => applyRecords({ trx, keys }, mode, batch, at, clock?.() ?? new Date()))),
    );
  }
  return outcomes;
}
