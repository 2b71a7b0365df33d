import type { Log } from '../log.js';
import { redact } from '../redact.js';
import type { Fact, ProgressFact, RequiresActionFact, StatusFact, SubmittedFact } from './facts.js';

/** Who is told what became known. Each fact is told once, those of an application one after the other. */
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
  /** Tells facts after those told before, without making the caller wait. */
  tell(applicationId: string, facts: readonly Fact[]): void;
  /** Resolves once everything about an application has been told. */
  told(applicationId: string): Promise<void>;
}

/** Makes a teller. A listener that throws is logged and does not keep the others from being told. */
export function createTeller(listeners: FactListeners, log: Log): Teller {
  const queues = new Map<string, Promise<void>>();

  async function tellOne(item: Fact): Promise<void> {
    try {
      await callListener(listeners, item);
    } catch (error) {
      const message = redact(error instanceof Error ? error.message : String(error));
      log({
        level: 'error',
        event: 'listener.failed',
        listener: item.listener,
        applicationId: item.fact.applicationId,
        message,
      });
    }
  }

  return {
    tell(applicationId, facts) {
      if (facts.length === 0) return;
      const earlier = queues.get(applicationId) ?? Promise.resolve();
      const queue = facts.reduce((rest, item) => rest.then(() => tellOne(item)), earlier);
      queues.set(applicationId, queue);
      void queue.then(() => {
        if (queues.get(applicationId) === queue) queues.delete(applicationId);
      });
    },
    told: (applicationId) => queues.get(applicationId) ?? Promise.resolve(),
  };
}

function callListener(listeners: FactListeners, item: Fact): unknown {
  switch (item.listener) {
    case 'progress':
      return listeners.progress?.(item.fact);
    case 'submitted':
      return listeners.submitted?.(item.fact);
    case 'status':
      return listeners.status?.(item.fact);
    case 'requiresAction':
      return listeners.requiresAction?.(item.fact);
  }
}
