import type { ApplicationSnapshot } from './snapshot.js';

/** What is known before anything was heard. */
export function emptySnapshot(applicationId: string): ApplicationSnapshot {
  const nothing = { step: 'not_started', index: 0, count: 0, dirty: false, submitted: false, verified: false } as const;
  return { applicationId, ...nothing, states: [] };
}
