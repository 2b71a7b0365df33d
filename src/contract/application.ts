/**
 * The steps of the hosted application in their order. `payment` is skipped for `partner_billing`.
 */
export const applicationSteps = ['profile', 'identity', 'background', 'disclosures', 'review', 'payment'] as const;

/** One of {@link applicationSteps}. */
export type ApplicationStep = (typeof applicationSteps)[number];

/** The progress of an application: before the link was opened, at a step, or done. */
export type ProgressStep = 'not_started' | ApplicationStep | 'submitted';

/** The statuses that a state department gives to an application. */
export const applicationStatuses = ['pending_review', 'approved', 'denied', 'requires_action'] as const;

/**
 * One of {@link applicationStatuses}. `approved` and `denied` are final, unless an operator corrects
 * a decision.
 */
export type ApplicationStatus = (typeof applicationStatuses)[number];

/**
 * The reasons of a state in `pending_review` that does not review the application now, so that "in
 * review" would be wrong: the application is not filed yet, the fingerprints of the user are
 * missing, or the department has asked the operator for a correction.
 */
export const waitingReasons = ['not_filed', 'waits_for_fingerprints', 'waits_for_correction'] as const;

/** One of {@link waitingReasons}. */
export type WaitingReason = (typeof waitingReasons)[number];

/**
 * The allowed transitions between statuses. Any other is refused (spec, States and transitions).
 */
export const statusTransitions: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  pending_review: ['approved', 'denied', 'requires_action'],
  requires_action: ['pending_review', 'denied'],
  approved: [],
  denied: [],
};
