import { isFinalStatus, isSame, isSubmitted, type KnownApplication } from './known-application.js';

type KnownState = KnownApplication['states'][number];

/**
 * What is known after a newer reading. Two things never go back, whatever a reading says: a submitted application stays
 * submitted, and a state that approved or denied stays so.
 */
export function mergeApplication(previous: KnownApplication | undefined, next: KnownApplication): KnownApplication {
  if (!previous) return next;
  if (isSame(previous, next)) return previous;
  const wouldUnsubmit = isSubmitted(previous) && !isSubmitted(next);
  const submittedAt = previous.submittedAt ?? next.submittedAt;
  return {
    ...next,
    ...(submittedAt === undefined ? {} : { submittedAt }),
    progress: wouldUnsubmit ? previous.progress : next.progress,
    states: mergeStates(previous.states, next.states),
  };
}

function mergeStates(previous: readonly KnownState[], next: readonly KnownState[]): KnownState[] {
  const known = new Map(previous.map((state) => [state.state, state]));
  const merged = next.map((state) => newerOf(known.get(state.state), state));
  const missing = previous.filter(({ state }) => !next.some((other) => other.state === state));
  return [...merged, ...missing];
}

function newerOf(previous: KnownState | undefined, next: KnownState): KnownState {
  if (!previous) return next;
  if (isFinalStatus(previous.status) && next.status !== previous.status) return previous;
  // As times: hosts leave out fractions that are zero, and then the order of the texts is another. One that cannot be read is never older.
  return Date.parse(next.updatedAt) < Date.parse(previous.updatedAt) ? previous : next;
}
