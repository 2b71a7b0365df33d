import type { ApplicationStatus } from '../../contract/index.js';
import type { ApplicationPhase } from '../element-state.js';
import { type ApplicationFacts, isFinal, type StateFact } from './reducer.js';
import { type ApplicationSnapshot, emptySnapshot, type StateSnapshot } from './snapshot.js';

const urgency: readonly ApplicationStatus[] = ['requires_action', 'pending_review', 'denied', 'approved'];

/** Returns the public view of `facts`. */
export function snapshotOf(facts: ApplicationFacts, applicationId: string): ApplicationSnapshot {
  const { page, server, details, submitted, verified } = facts;
  const { createdAt, requestedStates, estimatedFees, submittedAt, receiptNumber } = details ?? {};
  const count = page?.snapshot.count ?? server?.count ?? 0;
  const { step, index } = page?.snapshot ?? server ?? emptySnapshot('');
  return {
    applicationId,
    step: submitted ? 'submitted' : step,
    index: submitted ? count : index,
    count,
    dirty: facts.dirty?.dirty ?? false,
    ...(page?.snapshot.savedAt && { savedAt: page.snapshot.savedAt }),
    submitted,
    verified,
    states: Object.values(facts.states)
      .sort((one, other) => compareUrgency(one, other) || (one.state < other.state ? -1 : 1))
      .map(toStateSnapshot),
    ...(createdAt && { createdAt }),
    ...(requestedStates && { requestedStates }),
    ...(estimatedFees && { estimatedFee: estimatedFees.total }),
    ...(submittedAt && { submittedAt }),
    ...(receiptNumber && { receiptNumber }),
  };
}

/** Compares two states for sorting: those with a required action come first. */
export function compareUrgency(one: Pick<StateSnapshot, 'status'>, other: Pick<StateSnapshot, 'status'>): number {
  return urgency.indexOf(one.status) - urgency.indexOf(other.status);
}

function toStateSnapshot({ order: _order, actionUrl: _url, updatedAt, reason, ...others }: StateFact): StateSnapshot {
  return { ...others, ...(updatedAt && { updatedAt }), ...(reason && { reason }) };
}

/** Whether the server reported a final status for every state. */
export function isDecided({ states, verified }: ApplicationSnapshot): boolean {
  return verified && states.length > 0 && states.every(({ status }) => isFinal(status));
}

/** Returns the progress of the application. */
export function phaseOf({ states, submitted }: ApplicationFacts): ApplicationPhase {
  if (Object.values(states).some(({ status }) => status === 'requires_action')) return 'awaiting-action';
  return submitted ? 'submitted' : 'unsubmitted';
}

/** Returns the link on which the user answers `state`; undefined if none was reported. */
export function actionUrlOf(facts: ApplicationFacts, state: string): string | undefined {
  const fact = facts.states[state];
  if (fact?.status !== 'requires_action') return undefined;
  // The server's status includes its link. The page's link is used only until the server reports.
  return fact.actionUrl || facts.actions[state]?.url;
}
