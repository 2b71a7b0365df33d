import type { Snapshot } from '../channel/index.js';
import { applicationSteps as steps } from '../contract/index.js';
import type { Scenario } from './scenarios.js';

/** The configuration that the server puts into the page for its script. */
export interface PageScript {
  scenario: Scenario;
  applicationId: string;
  /** The origins that may embed the page. */
  allowedOrigins: readonly string[];
  /** The progress when the page opens. */
  snapshot: Snapshot;
  /** The states applied for. */
  states: readonly string[];
  /**
   * The URL to which the user returns. Absent: the page shows that the application is submitted.
   */
  returnUrl?: string;
  /** The state that requires an action, on the page of that action. */
  asking?: string;
}

/** Returns the snapshot of a user at a step, counted from 1. */
export function snapshotAt(index: number): Snapshot {
  return { step: steps[index - 1] ?? 'submitted', index, count: steps.length, dirty: false, states: [] };
}

/** Returns the snapshot of a submitted application. The state `asking` requires an action. */
export function submittedSnapshot(states: readonly string[], asking?: string): Snapshot {
  return {
    ...snapshotAt(steps.length),
    step: 'submitted',
    states: states.map((state) => ({ state, status: state === asking ? 'requires_action' : 'pending_review' })),
  };
}

/** Returns `returnUrl` with the return status. */
export function returnAddress(returnUrl: string, status: 'submitted' | 'cancelled' | 'expired'): string {
  const url = new URL(returnUrl);
  url.searchParams.set('status', status);
  return url.href;
}

/**
 * Returns the path of an action: `/a/` and 43 characters, as on the bridge. They name the state and
 * the application.
 */
export function actionPath(state: string, applicationId: string): string {
  return `/a/${(state + applicationId).padEnd(43, '-')}`;
}

/** Parses a path of {@link actionPath}. */
export function parseActionPath(token: string): { asking: string; applicationId: string } {
  return { asking: token.slice(0, 2), applicationId: token.slice(2).replace(/-+$/, '') };
}
