import type { ReceivedApplication, ReceivedApplicationState, ReceivedWebhookEvent } from '../../contract/index.js';
import type { ApplicationRecord, KnownApplication } from '../store/licensing-store.js';

/** The bridge answered with another application than the one that was asked for. */
export class ApplicationMismatchError extends Error {
  override readonly name = 'ApplicationMismatchError';

  constructor() {
    super('The bridge answered with an application of another id or user.');
  }
}

type IssuedLicense = Pick<ReceivedApplicationState, 'licenseNumber' | 'issuedOn' | 'expiresOn' | 'lines'>;

const finalStatuses: readonly string[] = ['approved', 'denied'];

/** Whether a state leaves this status only when an operator corrects a decision. */
function isFinalStatus(status: string): boolean {
  return finalStatuses.includes(status);
}

/** Whether the user has submitted the application. */
export function isSubmitted(application: Pick<KnownApplication, 'submittedAt' | 'progress'>): boolean {
  return application.submittedAt !== undefined || application.progress.step === 'submitted';
}

/** Whether every state has its final status. */
export function isDecided({ states }: KnownApplication): boolean {
  return states.length > 0 && states.every(({ status }) => isFinalStatus(status));
}

/**
 * Adds missing values of the host's response from the session.
 *
 * @throws {@link ApplicationMismatchError} when the answer is about another application or user:
 *   it must not become part of this record.
 */
export function completeApplication(record: ApplicationRecord, received: ReceivedApplication): KnownApplication {
  const { applicationId, session, userId, request } = record;
  if (received.applicationId !== applicationId || (received.userId ?? userId) !== userId) {
    throw new ApplicationMismatchError();
  }
  const wasSubmitted = received.submittedAt !== undefined || received.states.length > 0;
  const { step, index, count } = received.progress ?? {
    step: wasSubmitted ? 'submitted' : 'not_started',
    index: 0,
    count: 0,
  };
  return {
    applicationId,
    sessionId: received.sessionId ?? session?.sessionId ?? '',
    userId,
    applicationType: received.applicationType ?? request.applicationType,
    licenseType: received.licenseType ?? request.licenseType,
    ...(received.submittedAt === undefined ? {} : { submittedAt: received.submittedAt }),
    ...(received.receiptNumber === undefined ? {} : { receiptNumber: received.receiptNumber }),
    progress: { step, index, count },
    states: received.states.map(({ state, status, updatedAt, actionUrl, reason, ...rest }) => ({
      state,
      status,
      updatedAt,
      ...(actionUrl === undefined ? {} : { actionUrl }),
      ...(reason === undefined ? {} : { reason }),
      ...issuedLicense(rest),
    })),
  };
}

/** The issued license of a state, as far as the host reports it. */
export function issuedLicense({ licenseNumber, issuedOn, expiresOn, lines }: IssuedLicense): IssuedLicense {
  return {
    ...(licenseNumber === undefined ? {} : { licenseNumber }),
    ...(issuedOn === undefined ? {} : { issuedOn }),
    ...(expiresOn === undefined ? {} : { expiresOn }),
    ...(lines === undefined ? {} : { lines }),
  };
}

/**
 * Merges a newer answer of the bridge into the known application. A submitted application stays
 * submitted. A final status is replaced only by a status of a later time: an operator of the bridge
 * has corrected a decision.
 */
export function mergeApplication(previous: KnownApplication | undefined, next: KnownApplication): KnownApplication {
  if (!previous) return next;
  const wouldUnsubmit = isSubmitted(previous) && !isSubmitted(next);
  const submittedAt = previous.submittedAt ?? next.submittedAt;
  const receiptNumber = next.receiptNumber ?? previous.receiptNumber;
  const reported = next.states.map((state) => laterOf(previous.states.find(isOf(state)), state));
  const missing = previous.states.filter((state) => !next.states.some(isOf(state)));
  return {
    ...next,
    ...(submittedAt === undefined ? {} : { submittedAt }),
    ...(receiptNumber === undefined ? {} : { receiptNumber }),
    progress: wouldUnsubmit ? previous.progress : next.progress,
    states: [...reported, ...missing],
  };
}

function isOf({ state }: ReceivedApplicationState) {
  return (other: ReceivedApplicationState): boolean => other.state === state;
}

function laterOf(
  previous: ReceivedApplicationState | undefined,
  next: ReceivedApplicationState,
): ReceivedApplicationState {
  if (!previous) return next;
  // Compared as times, because hosts omit fractions of zero. An unreadable time counts as later,
  // except after a final status, which only a correction replaces.
  const [before, after] = [Date.parse(previous.updatedAt), Date.parse(next.updatedAt)];
  if (isFinalStatus(previous.status) && next.status !== previous.status) return after > before ? next : previous;
  return after < before ? previous : next;
}

/**
 * Whether a webhook is of a later time than each status of the application, such as that of a
 * corrected decision. An event without a time is not.
 */
export function isLaterThanStatuses({ createdAt }: ReceivedWebhookEvent, { states }: KnownApplication): boolean {
  const time = Date.parse(createdAt ?? '');
  return states.every(({ updatedAt }) => time > Date.parse(updatedAt));
}

/** Whether two JSON values are equal. The order of fields does not matter. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  const names = Object.keys(left) as (keyof typeof left)[];
  return names.length === Object.keys(right).length && names.every((name) => isSame(left[name], right[name]));
}

/**
 * Compares the claim of a webhook with the application as it was read after the webhook arrived.
 * Returns what the bridge does not confirm, or `undefined`. A host may answer from a copy that lags
 * behind its own webhooks.
 */
export function findContradiction(event: ReceivedWebhookEvent, application: KnownApplication): string | undefined {
  switch (event.type) {
    case 'application.session_started':
    // About no application.
    case 'producer.updated':
      return undefined;
    case 'application.submitted':
      return isSubmitted(application) ? undefined : 'submitted';
    case 'application.progress_updated': {
      const { index } = event.data;
      // A completed step stays completed when the user continues.
      const isConfirmed = index === undefined || isSubmitted(application) || application.progress.index >= index;
      return isConfirmed ? undefined : `step ${index} completed`;
    }
    case 'application.requires_action': {
      const { state } = event.data;
      return state === undefined ? undefined : unconfirmed(state, 'requires_action', event.createdAt, application);
    }
    case 'application.status_changed':
    case 'unknown':
      return event.data.states
        .map(({ state, status }) => unconfirmed(state, status, event.createdAt, application))
        .find((claim) => claim !== undefined);
  }
}

function unconfirmed(
  state: string,
  status: string,
  claimedAt: string | undefined,
  application: KnownApplication,
): string | undefined {
  const current = application.states.find((other) => other.state === state);
  if (current?.status === status) return undefined;
  if (current === undefined) return `${state} ${status}`;
  const [known, claimed] = [Date.parse(current.updatedAt), Date.parse(claimedAt ?? '')];
  // Webhooks may be late: the state may have moved on. Without both times this is unknown, and an
  // unconfirmed webhook would delay all that follow it. A state leaves a final status only by a
  // correction, which is later.
  const hasMovedOn = isFinalStatus(status) ? known > claimed : !(known < claimed);
  return hasMovedOn ? undefined : `${state} ${status}`;
}
