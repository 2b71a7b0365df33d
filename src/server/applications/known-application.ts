import type {
  Application,
  ReceivedApplication,
  ReceivedApplicationState,
  ReceivedProgress,
} from '../../contract/index.js';
import type { ApplicationLink } from './application-link.js';

/** What the backend knows of an application: all that operation 19 declares, and nothing else that a host may send. */
export interface KnownApplication extends Omit<Application, 'progress' | 'states'> {
  /** How far the user is. */
  progress: ReceivedProgress;
  /** The status of each state; empty until submitted. */
  states: ReceivedApplicationState[];
}

/** The statuses after which a state says nothing more. */
const finalStatuses: readonly string[] = ['approved', 'denied'];

/** Whether a status stays as it is. */
export function isFinalStatus(status: string): boolean {
  return finalStatuses.includes(status);
}

/** Whether the user has sent the application off. */
export function isSubmitted(application: Pick<KnownApplication, 'submittedAt' | 'progress'>): boolean {
  return application.submittedAt !== undefined || application.progress.step === 'submitted';
}

/** Whether nothing will change any more. */
export function isFinished({ states }: KnownApplication): boolean {
  return states.length > 0 && states.every(({ status }) => isFinalStatus(status));
}

/**
 * Completes what the bridge answered with what is known since the session was created: a host may leave out all but the id
 * and the states.
 * @throws Error when the answer is about another application or user. A record must never be written to by the name of another.
 */
export function completeApplication(link: ApplicationLink, received: ReceivedApplication): KnownApplication {
  const { applicationId, sessionId, userId } = link;
  if (received.applicationId !== applicationId || (received.userId ?? userId) !== userId) {
    throw new Error('The bridge answered with another application.');
  }
  const wasSent = received.submittedAt !== undefined || received.states.length > 0;
  const { step, index, count } = received.progress ?? {
    step: wasSent ? 'submitted' : 'not_started',
    index: 0,
    count: 0,
  };
  return {
    applicationId,
    sessionId: received.sessionId ?? sessionId,
    userId,
    applicationType: received.applicationType ?? link.applicationType,
    licenseType: received.licenseType ?? link.licenseType,
    ...(received.submittedAt === undefined ? {} : { submittedAt: received.submittedAt }),
    progress: { step, index, count },
    states: received.states.map(({ state, status, updatedAt, actionUrl, reason }) => ({
      state,
      status,
      updatedAt,
      ...(actionUrl === undefined ? {} : { actionUrl }),
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}

/** Whether two values of JSON say the same, in whatever order their fields stand. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  const names = Object.keys(left) as (keyof typeof left)[];
  return names.length === Object.keys(right).length && names.every((name) => isSame(left[name], right[name]));
}
