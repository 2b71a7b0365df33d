import type { Clock } from '../clock.js';
import { concurrently } from '../concurrently.js';
import type { Log } from '../log.js';
import { messageOf } from '../redact.js';
import type { LicensingStore } from '../store/store.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { Teller } from './teller.js';

/** Longer than a living instance ever leaves a delivery alone. */
const abandonedAfterMs = 120_000;
const intervalMs = 30_000;
const maxApplications = 100;
const maxAtOnce = 4;

/** Finds what instances left undone that ended in the middle of it, and does it. */
export interface LeftWork {
  /** Does what is there now. Never rejects. */
  takeOver(): Promise<void>;
  /** Does so now if the last time is a while ago, and from then on again and again until {@link close}. */
  wake(waitUntil: (work: Promise<unknown>) => void): void;
  /** Stops looking. Resolves when what was begun is done. */
  close(): Promise<void>;
}

/** What {@link createLeftWork} works with. */
export interface LeftWorkContext {
  store: LicensingStore;
  deliveries: Deliveries;
  teller: Teller;
  clock: Clock;
  log: Log;
}

/** Makes the one who looks. Sets no timer before it is woken. */
export function createLeftWork({ store, deliveries, teller, clock, log }: LeftWorkContext): LeftWork {
  let lookedAt = 0;
  let after: string | undefined;
  let isClosed = false;
  let cancelTimer = () => {};
  let running = Promise.resolve();

  async function takeOverApplication(applicationId: string, receivedBefore: string): Promise<void> {
    const link = await store.linkOfApplication(applicationId);
    if (!link || isClosed) return;
    const unsettled = await store.unsettledDeliveries(applicationId);
    const isOwn = deliveries.pending(applicationId) > 0;
    // Not what arrived just now: whoever acknowledged that is at work on it.
    const left = unsettled.filter(({ receivedAt }) => !isOwn && receivedAt < receivedBefore);
    try {
      if (left.length > 0) await deliveries.takeOver(link, left);
    } finally {
      // Also when the bridge cannot be asked: what is known already can be told.
      await teller.tell(applicationId);
    }
  }

  function logFailure(error: unknown): void {
    log({ level: 'warn', event: 'left_work.failed', message: messageOf(error) });
  }

  async function takeOver(): Promise<void> {
    try {
      const receivedBefore = new Date(clock.now() - abandonedAfterMs).toISOString();
      const found = await store.applicationsWithLeftWork({ receivedBefore, after, limit: maxApplications });
      // Where this look ended the next one begins: those that fail again and again must not keep others from their turn.
      after = found[maxApplications - 1];
      await concurrently(found, maxAtOnce, (applicationId) =>
        takeOverApplication(applicationId, receivedBefore).catch(logFailure),
      );
    } catch (error) {
      logFailure(error);
    }
  }

  function look(): void {
    lookedAt = clock.now();
    cancelTimer();
    // It may ring a moment before its time by the clock.
    cancelTimer = clock.after(intervalMs, look);
    running = takeOver();
  }

  return {
    takeOver,
    wake(waitUntil) {
      // Where timers end with their request, every request is an occasion. In either direction: a clock may be set back.
      if (isClosed || Math.abs(clock.now() - lookedAt) < intervalMs) return;
      look();
      waitUntil(running);
    },
    close() {
      isClosed = true;
      cancelTimer();
      return running;
    },
  };
}
