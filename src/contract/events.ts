import type { ApplicationStatus, Progress } from './application.js';
import type { StateCode } from './states.js';

/** The five kinds of webhook and what each one means. The docs are made from this table. */
export const webhookEvents = {
  'application.session_started': 'The user opened the application.',
  'application.progress_updated': 'The user completed a step.',
  'application.submitted': 'The application went to the states.',
  'application.status_changed': 'One or more states approved, denied or updated the application.',
  'application.requires_action': 'A state needs something from the user; carries the `actionUrl`.',
} as const;

/** The `type` of a webhook event. */
export type WebhookEventType = keyof typeof webhookEvents;

/** What every event says. */
export interface WebhookEventData {
  /** The application that moved on. */
  applicationId: string;
  /** The session that started it. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
}

/** What each kind adds to {@link WebhookEventData}. */
export interface WebhookEventExtras {
  'application.session_started': object;
  /** The step that was completed, not the one that follows. */
  'application.progress_updated': Progress;
  'application.submitted': object;
  /** Only the states whose status changed. */
  'application.status_changed': { states: { state: StateCode; status: ApplicationStatus }[] };
  /** `reason` is "" when the department gave none. `actionUrl` is a capability: never log it. */
  'application.requires_action': { actionUrl: string; state: StateCode; reason: string };
}

/** The body of a webhook, sent as `POST` with the headers `webhook-id` and `webhook-timestamp` (epoch seconds). Unsigned. */
export type WebhookEvent = {
  [Type in WebhookEventType]: {
    /** Tells events apart; equals the header `webhook-id` and stays the same in every retry. */
    id: string;
    type: Type;
    /** ISO 8601 in UTC. */
    createdAt: string;
    data: WebhookEventData & WebhookEventExtras[Type];
  };
}[WebhookEventType];
