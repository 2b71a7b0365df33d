import type { ApplicationStatus } from './application.js';
import type {
  ProgressUpdatedEvent,
  RequiresActionEvent,
  SessionStartedEvent,
  StatusChangedEvent,
  SubmittedEvent,
  WebhookEventData,
} from './generated.js';
import type { OpenUnion, ReceivedProgress } from './received.js';

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

/**
 * The body of a webhook, sent as `POST` with the headers `webhook-id` and `webhook-timestamp`
 * (epoch seconds). Unsigned.
 */
export type WebhookEvent =
  SessionStartedEvent | ProgressUpdatedEvent | SubmittedEvent | StatusChangedEvent | RequiresActionEvent;

/** The fields of each type in addition to {@link WebhookEventData}. */
export type WebhookEventExtras = {
  [Type in WebhookEventType]: Omit<Extract<WebhookEvent, { type: Type }>['data'], keyof WebhookEventData>;
};

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
