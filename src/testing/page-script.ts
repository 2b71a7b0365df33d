import type { Snapshot } from '../channel/index.js';
import { applicationSteps as steps } from '../contract/index.js';
import type { Scenario } from './scenarios.js';

/** The configuration that the server puts into the page for its script. */
export interface PageScript {
  scenario: Scenario;
  applicationId: string;
  /** The origins that may embed the page. */
  allowedOrigins: readonly string[];
  /** Where the application stands when the page opens. */
  snapshot: Snapshot;
  /** The states applied for. */
  states: readonly string[];
  /** Where the user goes in the end; absent when none was given. */
  returnUrl?: string;
  /** The state that asks, on the page that answers it. */
  asking?: string;
}

/** The snapshot of a user who is at a step, counted from 1. */
export function snapshotAt(index: number): Snapshot {
  return { step: steps[index - 1] ?? 'submitted', index, count: steps.length, dirty: false, states: [] };
}

/** The snapshot of a user who is done. With `asking`, that state asks for more. */
export function submittedSnapshot(states: readonly string[], asking?: string): Snapshot {
  return {
    ...snapshotAt(steps.length),
    step: 'submitted',
    states: states.map((state) => ({ state, status: state === asking ? 'requires_action' : 'pending_review' })),
  };
}

/** `returnUrl` as the user comes to it. */
export function returnAddress(returnUrl: string, status: 'submitted' | 'cancelled' | 'expired'): string {
  const url = new URL(returnUrl);
  url.searchParams.set('status', status);
  return url.href;
}

/** The path at which a state is answered: `/a/` and 43 characters that name the state and the application, as the bridge has it. */
export function actionPath(state: string, applicationId: string): string {
  return `/a/${(state + applicationId).padEnd(43, '-')}`;
}

/** Reads what {@link actionPath} wrote. */
export function parseActionPath(token: string): { asking: string; applicationId: string } {
  return { asking: token.slice(0, 2), applicationId: token.slice(2).replace(/-+$/, '') };
}
