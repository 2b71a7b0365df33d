import { setImmediate } from 'node:timers/promises';
import type { Database } from '../store/tables/typed-database.js';
import { settleEvent, settleEvents, type Settlement } from '../store/webhooks/delivery-store.js';

/** Records the results of deliveries, those that end together in one transaction. */
export interface SettlementQueue {
  /**
   * Records a result. Resolves with whether the stream's next event is due already; `undefined`
   * when a later claim replaced this one.
   */
  settle(settlement: Settlement): Promise<boolean | undefined>;
}

interface Waiting {
  settlement: Settlement;
  resolve(isNextDue: boolean | undefined | Promise<boolean | undefined>): void;
}

/** Creates the queue. Settlements that arrive during a transaction form the next group. */
export function createSettlementQueue(db: Database, clock: () => Date): SettlementQueue {
  const waiting: Waiting[] = [];
  let isSettling = false;

  const settleAlone = (settlement: Settlement) => settleEvent(db, settlement, clock());

  async function settleWaiting(): Promise<void> {
    isSettling = true;
    // So that the results of one turn of the event loop are one group.
    await setImmediate();
    while (waiting.length > 0) await settleGroup(waiting.splice(0));
    isSettling = false;
  }

  async function settleGroup(group: readonly Waiting[]): Promise<void> {
    const settlements = group.map(({ settlement }) => settlement);
    // When the group fails, each is recorded by itself: one that cannot be recorded must not cause
    // a second delivery of the others.
    const results = await settleEvents(db, settlements, clock()).catch(() => new Map<Settlement, boolean>());
    for (const { settlement, resolve } of group) {
      // Not awaited: the next group does not wait for the holder of one stream.
      resolve(results.get(settlement) ?? settleAlone(settlement));
    }
  }

  return {
    settle(settlement) {
      // It may wait for a sweep, and the others would wait with it.
      if (settlement.outcome.kind === 'gone') return settleAlone(settlement);
      return new Promise((resolve) => {
        waiting.push({ settlement, resolve });
        if (!isSettling) void settleWaiting();
      });
    },
  };
}
