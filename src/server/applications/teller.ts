import type { Clock } from '../clock.js';
import { inTime } from '../in-time.js';
import { harmless, type Log } from '../log.js';
import { createPauses } from '../pauses.js';
import { messageOf } from '../redact.js';
import type { LicensingStore } from '../store/store.js';
import type { Fact, ProgressFact, RequiresActionFact, StatusFact, SubmittedFact } from './facts.js';

/**
 * Who is told what became known.
 *
 * A fact is kept in the store in the same step as the change that it is about, and struck off when its listener has finished.
 * So each is told once; again only if the instance that told it ended before it could strike it off (`factId` is then the
 * same), or if the listener threw or took longer than ten minutes: after 1 s, 2 s, 4 s …, eight times in all, then it is logged
 * and left. Facts of one application are told one after the other, in their order, by one instance at a time.
 */
export interface FactListeners {
  /** The user is at another step. */
  progress?(fact: ProgressFact): unknown;
  /** The application went to the states. */
  submitted?(fact: SubmittedFact): unknown;
  /** A state has another status. */
  status?(fact: StatusFact): unknown;
  /** A state needs something from the user. */
  requiresAction?(fact: RequiresActionFact): unknown;
}

/** Tells facts to the listeners. */
export interface Teller {
  /** Whether anybody is to be told facts of this kind. */
  isHeard(item: Fact): boolean;
  /** Tells what is to be told of an application, without making the caller wait. */
  tell(applicationId: string): Promise<void>;
  /** Resolves once this instance has told everything that it was asked to tell of an application. */
  told(applicationId: string): Promise<void>;
  /** Stops waiting for listeners that throw. What is untold stays so in the store. */
  close(): Promise<void>;
}

/** What {@link createTeller} works with. */
export interface TellerContext {
  listeners: FactListeners;
  store: LicensingStore;
  clock: Clock;
  log: Log;
}

/** How long an instance that is gone keeps others from telling. */
const leaseMs = 30_000;
const renewalMs = 10_000;
const maxTries = 8;

/** Makes the teller of a handler. */
export function createTeller({ listeners, store, clock, log }: TellerContext): Teller {
  const queues = new Map<string, Promise<void>>();
  const pauses = createPauses(clock);
  // Workers have no random numbers before the first request.
  let ownName: string | undefined;
  const holder = () => (ownName ??= crypto.randomUUID());

  /** A listener may take longer than the lease: nobody else is to tell meanwhile. */
  function keepLease(applicationId: string): () => void {
    let stop = () => {};
    const renew = harmless(() => store.claimFacts(applicationId, holder(), leaseMs));
    const renewLater = () => {
      stop = clock.after(renewalMs, () => {
        renew();
        renewLater();
      });
    };
    renewLater();
    return () => {
      stop();
    };
  }

  /** Resolves with whether the fact is done with. */
  async function tellOne(item: Fact): Promise<boolean> {
    const { listener, fact } = item;
    for (let tries = 1; ; tries += 1) {
      try {
        await inTime(clock, 600, `on.${listener}`, () => callListener(listeners, item));
        return true;
      } catch (error) {
        const { applicationId, factId } = fact;
        const isGivenUp = tries === maxTries;
        log({
          level: 'error',
          event: 'listener.failed',
          listener,
          applicationId,
          factId,
          tries,
          isGivenUp,
          message: messageOf(error),
        });
        if (isGivenUp) return true;
      }
      if (pauses.isOver) return false;
      await pauses.pause(500 * 2 ** tries);
    }
  }

  async function tellClaimed(applicationId: string, facts: readonly Fact[], told: Set<string>): Promise<boolean> {
    const stopRenewing = keepLease(applicationId);
    try {
      for (const item of facts) {
        const { factId } = item.fact;
        if (!told.has(factId) && !(await tellOne(item))) return false;
        told.add(factId);
        if (!(await store.strikeFact(applicationId, holder(), factId))) return false;
      }
      return true;
    } finally {
      stopRenewing();
    }
  }

  async function tellAll(applicationId: string): Promise<void> {
    // The store may fail between a listener and the striking off of what it was told.
    const told = new Set<string>();
    for (let tries = 1; tries < maxTries; tries += 1) {
      try {
        // Asked again after the last one: what was added meanwhile could not be claimed by whoever added it.
        for (let goesOn = true; goesOn;) {
          const facts = await store.claimFacts(applicationId, holder(), leaseMs);
          if (!facts) return;
          goesOn = await tellClaimed(applicationId, facts, told);
          await store.releaseFacts(applicationId, holder());
        }
        return;
      } catch (error) {
        log({ level: 'error', event: 'store.failed', applicationId, message: messageOf(error) });
      }
      await pauses.pause(500 * 2 ** tries);
      if (pauses.isOver) return;
    }
  }

  return {
    isHeard: ({ listener }) => listeners[listener] !== undefined,
    tell(applicationId) {
      const earlier = queues.get(applicationId) ?? Promise.resolve();
      const queue = earlier.then(() => tellAll(applicationId));
      queues.set(applicationId, queue);
      return queue.finally(() => {
        if (queues.get(applicationId) === queue) queues.delete(applicationId);
      });
    },
    told: (applicationId) => queues.get(applicationId) ?? Promise.resolve(),
    async close() {
      pauses.end();
      await Promise.all(queues.values());
    },
  };
}

function callListener(listeners: FactListeners, { listener, fact }: Fact): unknown {
  // Each listener takes the fact of its own name; TypeScript does not see that the two belong together.
  return listeners[listener]?.(fact as never);
}
