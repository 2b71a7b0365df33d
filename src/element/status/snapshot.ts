import type { ApplicationStatus, ProgressStep } from '../../contract/index.js';
import { type ApplicationFacts, isFinal, type StateFact } from './application-facts.js';
import type { Phase } from '../flow.js';
import { stateName } from '../locales/state-name.js';

/** The status of one state as the element shows it. */
export interface StateSnapshot {
  /** The state's code, such as `TX`. */
  readonly state: string;
  /** What its department said last. */
  readonly status: ApplicationStatus;
  /** When it said so, ISO 8601 in UTC; absent when only the hosted page told. */
  readonly updatedAt?: string;
  /** Why, in the department's words. */
  readonly reason?: string;
}

/** All that the element knows of the application. It never holds an address or anything that the user typed. */
export interface ApplicationSnapshot {
  /** The id of the application; "" as long as no session was made. */
  readonly applicationId: string;
  /** The step whose page was shown last; as long as none was, the one that the server has open. */
  readonly step: ProgressStep;
  /** Counts from 1; 0 before the application was opened. */
  readonly index: number;
  /** How many steps there are; 0 as long as nobody said. */
  readonly count: number;
  /** Whether the open page has input that is not saved. */
  readonly dirty: boolean;
  /** When the hosted application last saved, ISO 8601 in UTC. */
  readonly savedAt?: string;
  /** Whether the application went to the states. */
  readonly submitted: boolean;
  /** Whether the server said so, and not only the page. */
  readonly verified: boolean;
  /** What needs the user first, then by name. */
  readonly states: readonly StateSnapshot[];
}

const urgency: readonly ApplicationStatus[] = ['requires_action', 'pending_review', 'denied', 'approved'];

/** The public view of `facts`. */
export function snapshotOf(facts: ApplicationFacts, applicationId: string): ApplicationSnapshot {
  const { page, server, submitted, verified } = facts;
  const count = page?.snapshot.count ?? server?.count ?? 0;
  const at = page?.snapshot ?? server ?? { step: 'not_started' as const, index: 0 };
  return {
    applicationId,
    step: submitted ? 'submitted' : at.step,
    index: submitted ? count : at.index,
    count,
    dirty: facts.dirty?.dirty ?? false,
    ...(page?.snapshot.savedAt && { savedAt: page.snapshot.savedAt }),
    submitted,
    verified,
    states: Object.values(facts.states)
      .sort(
        (one, other) =>
          urgency.indexOf(one.status) - urgency.indexOf(other.status) ||
          (stateName(one.state) < stateName(other.state) ? -1 : 1),
      )
      .map(publicState),
  };
}

function publicState({ state, status, updatedAt, reason }: StateFact): StateSnapshot {
  return { state, status, ...(updatedAt && { updatedAt }), ...(reason && { reason }) };
}

/** Whether nothing more will come: the server told of a last word of every state. */
export function isDecided({ states, verified }: ApplicationSnapshot): boolean {
  return verified && states.length > 0 && states.every(({ status }) => isFinal(status));
}

/** What the facts mean for the flow. */
export function phaseOf(facts: ApplicationFacts): Phase {
  if (Object.values(facts.states).some(({ status }) => status === 'requires_action')) return 'awaiting-action';
  return facts.submitted ? 'submitted' : 'unsubmitted';
}

/** Where the user answers `state`; undefined while nobody said. */
export function actionUrlOf(facts: ApplicationFacts, state: string): string | undefined {
  const fact = facts.states[state];
  if (fact?.status !== 'requires_action') return undefined;
  // The server's word on the status includes its link; the page's link is used only while the server has said nothing.
  return fact.actionUrl || facts.actions[state]?.url;
}
