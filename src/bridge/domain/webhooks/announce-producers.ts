import { producerSections, type Mode, type ProducerSection } from '../../../contract/index.js';
import type { ReportedUpdate } from '../../ports/producer-registry.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { type AnnouncedProducer, insertProducerEvents } from '../../store/webhooks/producer-event-store.js';
import type { BridgeContext } from '../context.js';
import { currentRequestId, currentTraceparent } from '../request-id.js';

/** The number of updates that one transaction announces, like a batch of an import. */
const updatesAtOnce = 500;

/** Announces the updates that an adapter reported, in batches. */
export async function announceReported(
  { db, clock, wakeOutbox }: Pick<BridgeContext, 'db' | 'clock' | 'wakeOutbox'>,
  mode: Mode,
  updates: readonly ReportedUpdate[],
): Promise<void> {
  for (let start = 0; start < updates.length; start += updatesAtOnce) {
    const batch = updates.slice(start, start + updatesAtOnce);
    await inTransaction(db, (trx) => announceProducers(trx, mode, batch, clock()));
    wakeOutbox();
  }
}

/**
 * Writes `producer.updated` for the agencies that subscribe to the updated producers and have a
 * webhook URL in this mode, in the transaction of the updates. Updates of one producer become one
 * event, also with an event that was not delivered yet. Call `context.wakeOutbox()` after the commit;
 * otherwise the events wait for the next poll.
 */
export async function announceProducers(
  trx: DatabaseTransaction,
  mode: Mode,
  updates: readonly ReportedUpdate[],
  now: Date,
): Promise<void> {
  if (updates.length === 0) return;
  await insertProducerEvents(trx, {
    mode,
    producers: mergeUpdates(updates),
    requestId: currentRequestId(),
    traceparent: currentTraceparent(),
    now,
  });
}

function mergeUpdates(updates: readonly ReportedUpdate[]): AnnouncedProducer[] {
  const merged = new Map<string, AnnouncedProducer>();
  for (const { npn, updatedAt, changes } of updates) {
    const reportDate = reportDateOf(updatedAt);
    const earlier = merged.get(npn);
    const newest = earlier !== undefined && earlier.reportDate > reportDate ? earlier.reportDate : reportDate;
    merged.set(npn, { npn, reportDate: newest, changes: sortSections([...(earlier?.changes ?? []), ...changes]) });
  }
  return [...merged.values()];
}

/** The day of a time in UTC, for which getSubscriptionUpdate (operation 11) returns what was new then. */
function reportDateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The sections in the order of the record, each once. */
export function sortSections(sections: readonly string[]): ProducerSection[] {
  return producerSections.filter((section) => sections.includes(section));
}
