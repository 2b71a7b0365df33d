import type { StateCode } from './states.js';

/**
 * The steps of the hosted application in their order. `payment` is skipped for `partner_billing`.
 */
export const applicationSteps = ['profile', 'identity', 'background', 'disclosures', 'review', 'payment'] as const;

/** One of {@link applicationSteps}. */
export type ApplicationStep = (typeof applicationSteps)[number];

/** The progress of an application: before the link was opened, at a step, or done. */
export type ProgressStep = 'not_started' | ApplicationStep | 'submitted';

/** The progress of the user. */
export interface Progress {
  /** The current step. */
  step: ProgressStep;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. */
  index: number;
  /** The number of steps: 6, or 5 without payment. */
  count: number;
}

/** The statuses that a state department gives to an application. */
export const applicationStatuses = ['pending_review', 'approved', 'denied', 'requires_action'] as const;

/** One of {@link applicationStatuses}. `approved` and `denied` are final. */
export type ApplicationStatus = (typeof applicationStatuses)[number];

/**
 * The allowed transitions between statuses. Any other is refused (spec, States and transitions).
 */
export const statusTransitions: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  pending_review: ['approved', 'denied', 'requires_action'],
  requires_action: ['pending_review', 'denied'],
  approved: [],
  denied: [],
};

/** The status of one state. */
export interface ApplicationState {
  /** The state. */
  state: StateCode;
  /** Its latest status. */
  status: ApplicationStatus;
  /** The time of the status, ISO 8601 in UTC. */
  updatedAt: string;
  /**
   * The URL for the user, only while the status is `requires_action`. A capability: never log it.
   */
  actionUrl?: string;
  /** The reason in the department's words; absent when it gave none. */
  reason?: string;
}

/** Response of getApplication (operation 19). */
export interface Application {
  /** The id of the application. */
  applicationId: string;
  /** Its newest session. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
  /** As in createSession (operation 18). */
  applicationType: string;
  /** As in createSession (operation 18). */
  licenseType: string;
  /** The time of the submission, ISO 8601 in UTC; absent before. */
  submittedAt?: string;
  /** The progress of the user. */
  progress: Progress;
  /** The status of each state; empty until submitted. */
  states: ApplicationState[];
}

/** Body of the test helper operation: the simulated department decides. */
export interface DecideStateRequest {
  /** The new status. */
  status: ApplicationStatus;
  /** The reason, shown to the user with `requires_action`. */
  reason?: string;
}
