import { isSubmitted, type KnownApplication } from './known-application.js';

/** Which application a fact is about. */
export interface FactSubject {
  applicationId: string;
  sessionId: string;
  /** The `userId` that `identify` gave. */
  userId: string;
}

/** What every fact says. */
export interface FactIdentity extends FactSubject {
  /** The same whenever this fact is told, so that one that is told again after a crash can be known by it. */
  factId: string;
}

/** The user is at another step. */
export interface ProgressFact extends FactIdentity {
  progress: KnownApplication['progress'];
}

/** The application went to the states. */
export interface SubmittedFact extends FactIdentity {
  /** ISO 8601 in UTC; `undefined` when the bridge does not say. */
  submittedAt: string | undefined;
}

/** A state has another status. */
export interface StatusFact extends FactIdentity {
  state: KnownApplication['states'][number]['state'];
  status: KnownApplication['states'][number]['status'];
  /** When the state said so, ISO 8601 in UTC. */
  updatedAt: string;
  /** Why, if the state gave a reason. */
  reason: string | undefined;
}

/** A state needs something from the user. */
export interface RequiresActionFact extends FactIdentity {
  state: KnownApplication['states'][number]['state'];
  /** Where to send the user. A capability: never log it. */
  actionUrl: string;
  /** Why, if the state gave a reason. */
  reason: string | undefined;
}

/** Something that became known, with the name of the listener that is told. */
export type Fact =
  | { listener: 'progress'; fact: ProgressFact }
  | { listener: 'submitted'; fact: SubmittedFact }
  | { listener: 'status'; fact: StatusFact }
  | { listener: 'requiresAction'; fact: RequiresActionFact };

/** What became known between two states of an application, in the order in which it is told. `version` is that of `next`. */
export function factsBetween(previous: KnownApplication | undefined, next: KnownApplication, version: number): Fact[] {
  const { applicationId, sessionId, userId, progress, submittedAt } = next;
  const facts: Fact[] = [];
  const identity = (): FactIdentity => {
    const factId = `${applicationId}.${String(version)}.${String(facts.length)}`;
    return { factId, applicationId, sessionId, userId };
  };

  const wasSubmitted = previous !== undefined && isSubmitted(previous);
  if (isSubmitted(next)) {
    if (!wasSubmitted) facts.push({ listener: 'submitted', fact: { ...identity(), submittedAt } });
  } else if (progress.step !== (previous?.progress.step ?? 'not_started')) {
    facts.push({ listener: 'progress', fact: { ...identity(), progress } });
  }

  for (const { state, status, updatedAt, reason, actionUrl } of next.states) {
    const before = previous?.states.find((other) => other.state === state);
    if (before?.status !== status) {
      facts.push({ listener: 'status', fact: { ...identity(), state, status, updatedAt, reason } });
    }
    const isAsking = status === 'requires_action' && actionUrl !== undefined;
    if (isAsking && (before?.status !== status || before.actionUrl !== actionUrl)) {
      facts.push({ listener: 'requiresAction', fact: { ...identity(), state, actionUrl, reason } });
    }
  }
  return facts;
}
