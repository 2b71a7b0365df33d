import type { ApplicationStatus, Progress } from './application.js';
import type { OpenUnion, ReceivedProgress } from './received.js';
import type { StateCode } from './states.js';

/** The five webhook events and their meanings. The docs are generated from this table. */
export const webhookEvents = {
  'application.session_started': 'The user opened the application.',
  'application.progress_updated': 'The user completed a step.',
  'application.submitted': 'The application went to the states.',
  'application.status_changed': 'One or more states approved, denied or updated the application.',
  'application.requires_action': 'A state needs something from the user; carries the `actionUrl`.',
} as const;

/** The `type` of a webhook event. */
export type WebhookEventType = keyof typeof webhookEvents;

/** The fields of every event. */
export interface WebhookEventData {
  /** The id of the application. */
  applicationId: string;
  /** The id of the session that started the application. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
}

/** The fields of each type in addition to {@link WebhookEventData}. */
export interface WebhookEventExtras {
  'application.session_started': object;
  /** The completed step, not the next one. */
  'application.progress_updated': Progress;
  'application.submitted': object;
  /** Only the states with a new status. */
  'application.status_changed': { states: { state: StateCode; status: ApplicationStatus }[] };
  /** `reason` is "" without one. `actionUrl` is a capability: never log it. */
  'application.requires_action': { actionUrl: string; state: StateCode; reason: string };
}

/**
 * The body of a webhook, sent as `POST` with the headers `webhook-id` and `webhook-timestamp`
 * (epoch seconds). Unsigned.
 */
export type WebhookEvent = {
  [Type in WebhookEventType]: {
    /** The id of the event, as in the header `webhook-id`. The same in every retry. */
    id: string;
    type: Type;
    /** ISO 8601 in UTC. */
    createdAt: string;
    data: WebhookEventData & WebhookEventExtras[Type];
  };
}[WebhookEventType];

/**
 * The fields of an event of any host. They are not verified: read the application before you act on
 * them.
 */
export interface ReceivedEventData {
  /** The id of the application. */
  applicationId?: string;
  /** The id of the session that started the application. */
  sessionId?: string;
  /** The partner's own id for the user. */
  userId?: string;
}

/** The fields that every event of any host may have. */
export interface ReceivedEvent {
  /** The id of the event. The same in every retry. */
  id?: string;
  /** The time of the event, ISO 8601. */
  createdAt?: string;
}

/** The user opened the application, or it went to the states. */
export interface ReceivedSimpleEvent extends ReceivedEvent {
  /** The type of the event. */
  type: 'application.session_started' | 'application.submitted';
  /** The application. */
  data: ReceivedEventData;
}

/** The user completed a step. */
export interface ReceivedProgressEvent extends ReceivedEvent {
  type: 'application.progress_updated';
  /** The application and the completed step. */
  data: ReceivedEventData & Partial<ReceivedProgress>;
}

/** One or more states approved, denied or updated the application. */
export interface ReceivedStatusEvent extends ReceivedEvent {
  type: 'application.status_changed';
  /** The application and the states with a new status. */
  data: ReceivedEventData & { states: ReceivedStatusChange[] };
}

/** The new status of one state. */
export interface ReceivedStatusChange {
  /** State code. */
  state: string;
  /** The status of the department. */
  status: OpenUnion<ApplicationStatus>;
}

/** A state requires an action of the user. */
export interface ReceivedActionEvent extends ReceivedEvent {
  type: 'application.requires_action';
  /** The application and the required action. `actionUrl` gives access: never log it. */
  data: ReceivedEventData & { actionUrl?: string; state?: string; reason?: string };
}

/** An event of an unknown type. */
export interface ReceivedUnknownEvent extends ReceivedEvent {
  type: 'unknown';
  /** The host's type, if it is a short name. */
  originalType?: string;
  /** The application and the states with a new status, if the host lists any. */
  data: ReceivedEventData & { states: ReceivedStatusChange[] };
}

/** A webhook event of any host. A part that cannot be read is absent. */
export type ReceivedWebhookEvent =
  ReceivedSimpleEvent | ReceivedProgressEvent | ReceivedStatusEvent | ReceivedActionEvent | ReceivedUnknownEvent;
