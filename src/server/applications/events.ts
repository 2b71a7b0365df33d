import type { ReceivedApplicationState, ReceivedProducerDetail, ReceivedProgress } from '../../contract/index.js';
import { toBase64Url } from '../webhooks/webhook-proof.js';
import { issuedLicense, isSubmitted } from './known-application.js';
import type { ApplicationRecord, DeliveredValue } from '../store/licensing-store.js';

/** The part that all events have. */
export interface ApplicationEventBase {
  /**
   * The id of the event. The same whenever this event is delivered, so that a repetition can be
   * detected. Contains no secret and no personal data.
   */
  eventId: string;
  /** The id of the application. */
  applicationId: string;
  /** The newest session of the application. */
  sessionId: string;
  /** The `userId` that `identify` returned. */
  userId: string;
}

/** The user reached another step. */
export interface ApplicationProgressEvent extends ApplicationEventBase {
  type: 'progress';
  /** The current step. */
  progress: ReceivedProgress;
}

/** The application was submitted to the states. */
export interface ApplicationSubmittedEvent extends ApplicationEventBase {
  type: 'submitted';
  /** The time, ISO 8601. Absent when the bridge does not send it. */
  submittedAt?: string;
}

/** A state returned another status. */
export interface ApplicationStatusEvent extends ApplicationEventBase {
  type: 'status';
  /** The code of the state, such as `TX`. */
  state: ReceivedApplicationState['state'];
  /** The new status. */
  status: ReceivedApplicationState['status'];
  /** The time when the state returned it, ISO 8601; "" when the bridge does not send it. */
  updatedAt: string;
  /** The reason in the words of the state. Absent when it gave none. */
  reason?: string;
  /** The number of the license that an approval issued. Absent when it is not known. */
  licenseNumber?: string;
  /** The day on which the license was issued, `YYYY-MM-DD`. Absent when it is not known. */
  issuedOn?: string;
  /** The day on which the license expires, `YYYY-MM-DD`. Absent when it is not known. */
  expiresOn?: string;
  /** The lines of authority of the license, such as `life`. Absent when they are not known. */
  lines?: string[];
}

/** A state requires an action of the user. */
export interface ApplicationActionEvent extends ApplicationEventBase {
  type: 'requiresAction';
  /** The code of the state, such as `TX`. */
  state: ReceivedApplicationState['state'];
  /** The link on which the user answers. A capability: never log it. */
  actionUrl: string;
  /** The reason in the words of the state. Absent when it gave none. */
  reason?: string;
}

/** A change of an application. */
export type ApplicationEvent =
  ApplicationProgressEvent | ApplicationSubmittedEvent | ApplicationStatusEvent | ApplicationActionEvent;

/**
 * The functions that handle changes of applications. Events of one application are delivered in
 * order, one at a time, at least once: a listener that rejects, or takes longer than 25 seconds,
 * receives its event again, with the same `eventId`.
 */
export interface ApplicationListeners {
  /** Handles another step of the user. */
  progress?(event: ApplicationProgressEvent): unknown;
  /** Handles the submission. */
  submitted?(event: ApplicationSubmittedEvent): unknown;
  /** Handles the status of one state. */
  status?(event: ApplicationStatusEvent): unknown;
  /** Handles a state that requires an action of the user. */
  requiresAction?(event: ApplicationActionEvent): unknown;
}

/** The registry's record of a producer to which the agency subscribes changed. */
export interface ProducerUpdatedEvent {
  type: 'producer';
  /**
   * The id of the update. The same whenever it is delivered, so that a repetition can be detected.
   * Contains no secret.
   */
  eventId: string;
  /** National producer number without leading zeros. */
  npn: string;
  /** The day of the update in UTC, `YYYY-MM-DD`. */
  reportDate: string;
  /**
   * The changed sections of the record, such as `licenseInformation`. Several updates may come as
   * one event: with the sections of all, and the newest record.
   */
  changes: string[];
  /** The record, as getSubscriptionUpdate (operation 11) returns it. Absent when the bridge does not send it. */
  producer?: ReceivedProducerDetail;
}

/** All functions that a handler calls with changes. */
export interface LicensingListeners extends ApplicationListeners {
  /**
   * Handles an update of a subscribed producer, in order per NPN, at least once. Only with the URL of
   * `accountWebhookUrl()` in the account.
   */
  producer?(event: ProducerUpdatedEvent): unknown;
}

/** An event that was not delivered yet. */
export interface PendingEvent {
  event: ApplicationEvent;
  /** The key in `delivered` of the record. */
  slot: string;
  /** The value that the record keeps in that slot after delivery. */
  delivered: DeliveredValue;
}

/** Compares an application with the delivered state. Resolves with the events between, in order. */
export async function pendingEvents({
  application,
  delivered,
}: Pick<ApplicationRecord, 'application' | 'delivered'>): Promise<PendingEvent[]> {
  if (!application) return [];
  const { applicationId, sessionId, userId, progress, submittedAt } = application;
  const pending: PendingEvent[] = [];

  function add(slot: string, value: string, createEvent: (base: ApplicationEventBase) => ApplicationEvent): number {
    const known = delivered[slot];
    if (known?.value === value) return known.count;
    const count = (known?.count ?? 0) + 1;
    // The value is part of the id: after a crash, another value may take the place of one that was
    // delivered and not recorded.
    const eventId = `${applicationId}.${slot}.${count}.${value}`;
    const event = createEvent({ eventId, applicationId, sessionId, userId });
    pending.push({ event, slot, delivered: { value, count } });
    return count;
  }

  if (isSubmitted(application)) {
    add('submitted', 'submitted', (base) => ({ ...base, type: 'submitted', ...(submittedAt && { submittedAt }) }));
  } else if (progress.step !== 'not_started') {
    add('progress', progress.step, (base) => ({ ...base, type: 'progress', progress }));
  }
  for (const { state, status, updatedAt, actionUrl, reason, ...license } of application.states) {
    const explained = reason === undefined ? {} : { reason };
    const times = add(`status:${state}`, status, (base) => {
      return { ...base, type: 'status', state, status, updatedAt, ...explained, ...issuedLicense(license) };
    });
    if (status !== 'requires_action' || actionUrl === undefined) continue;
    // A state may require another action with the same link, so the status is counted too.
    add(`requiresAction:${state}`, `${times}-${await shortHash(actionUrl)}`, (base) => {
      return { ...base, type: 'requiresAction', state, actionUrl, ...explained };
    });
  }
  return pending;
}

/** Calls the listener of an event; does nothing when there is none. */
export function callListener(listeners: ApplicationListeners, event: ApplicationEvent): unknown {
  // Each listener has the name of its event's type, which the compiler cannot follow.
  return listeners[event.type]?.(event as never);
}

/** An event id must not contain the link itself, because partners log it. */
async function shortHash(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(hash)).slice(0, 12);
}
