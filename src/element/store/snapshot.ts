import type { ApplicationStatus, ProgressStep } from '../../contract/index.js';

/** The source of a fact: the hosted page, its return to this site, or the server. */
export type CompletionSource = 'message' | 'return' | 'server';

/** The status of one state as the element shows it. */
export interface StateSnapshot {
  /** The code of the state, such as `TX`. */
  readonly state: string;
  /** The last status that the state returned. */
  readonly status: ApplicationStatus;
  /**
   * The time when the state returned it, ISO 8601 in UTC; absent when only the hosted page reported
   * it.
   */
  readonly updatedAt?: string;
  /** The reason in the words of the state; one of `waitingReasons`, such as `not_filed`, of a pending state that does not review it now. */
  readonly reason?: string;
  /** The number of the license that the state issued; absent when it is not known. */
  readonly licenseNumber?: string;
  /** The day on which that license expires, `YYYY-MM-DD`; absent when it is not known. */
  readonly expiresOn?: string;
}

/** The element's data about the application. Contains no URL and no answer. */
export interface ApplicationSnapshot {
  /** The id of the application; "" until a session exists. */
  readonly applicationId: string;
  /** The step that was shown last; until then, the step that the server has open. */
  readonly step: ProgressStep;
  /** The number of the step, from 1; 0 before the application was opened. */
  readonly index: number;
  /** The number of steps; 0 while unknown. */
  readonly count: number;
  /** Whether the open page has unsaved input. */
  readonly dirty: boolean;
  /** The time of the last save, ISO 8601 in UTC. */
  readonly savedAt?: string;
  /** Whether the application was submitted. */
  readonly submitted: boolean;
  /** Whether the server confirmed that it was submitted. */
  readonly verified: boolean;
  /** The states: those with a required action first, then by code. */
  readonly states: readonly StateSnapshot[];
  /** The time at which the user started it, ISO 8601 in UTC; absent when the server does not say. */
  readonly createdAt?: string;
  /** The codes of the states applied for; absent when the server does not say. */
  readonly requestedStates?: readonly string[];
  /** The estimated fees in US dollars; absent when the server does not say. */
  readonly estimatedFee?: number;
  /** The time of the submission, ISO 8601 in UTC; absent before, and when the server does not say. */
  readonly submittedAt?: string;
  /** The short number on the receipt; absent before the submission, and when the server does not say. */
  readonly receiptNumber?: string;
}

/** Returns the snapshot of an application without any report. */
export function emptySnapshot(applicationId: string): ApplicationSnapshot {
  const progress = { step: 'not_started', index: 0, count: 0, dirty: false } as const;
  return { applicationId, ...progress, submitted: false, verified: false, states: [] };
}
