import type {
  ProducerUpdatedEvent,
  ProgressUpdatedEvent,
  RequiresActionEvent,
  SessionStartedEvent,
  StatusChangedEvent,
  SubmittedEvent,
  WebhookEventData,
} from './generated.js';
import type {
  ReceivedProducerUpdatedEvent,
  ReceivedProgressUpdatedEvent,
  ReceivedRequiresActionEvent,
  ReceivedSessionStartedEvent,
  ReceivedStatusChangedEvent,
  ReceivedSubmittedEvent,
  ReceivedUnknownEvent,
} from './generated-received.js';

/** The webhook events and their meanings. The docs are generated from this table. */
export const webhookEvents = {
  'application.session_started': 'The user opened the application.',
  'application.progress_updated': 'The user completed a step.',
  'application.submitted': 'The application went to the states.',
  'application.status_changed': 'One or more states approved, denied or updated the application.',
  'application.requires_action': 'A state needs something from the user; carries the `actionUrl`.',
  'producer.updated': 'The record of a producer that the agency subscribes to changed.',
} as const;

/** The `type` of a webhook event. */
export type WebhookEventType = keyof typeof webhookEvents;

/** The `type` of an event of an application. */
export type ApplicationEventType = Exclude<WebhookEventType, 'producer.updated'>;

/**
 * The body of a webhook, sent as `POST` with the headers `webhook-id` and `webhook-timestamp`
 * (epoch seconds). Unsigned.
 */
export type WebhookEvent =
  | SessionStartedEvent
  | ProgressUpdatedEvent
  | SubmittedEvent
  | StatusChangedEvent
  | RequiresActionEvent
  | ProducerUpdatedEvent;

/** The fields of each type of an application in addition to {@link WebhookEventData}. */
export type WebhookEventExtras = {
  [Type in ApplicationEventType]: Omit<Extract<WebhookEvent, { type: Type }>['data'], keyof WebhookEventData>;
};

/** A webhook event of any host. A part that cannot be read is absent. */
export type ReceivedWebhookEvent =
  | ReceivedSessionStartedEvent
  | ReceivedProgressUpdatedEvent
  | ReceivedSubmittedEvent
  | ReceivedStatusChangedEvent
  | ReceivedRequiresActionEvent
  | ReceivedProducerUpdatedEvent
  | ReceivedUnknownEvent;
