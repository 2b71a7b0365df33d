import type { ProgressStep } from './application.js';
import type { Application, CreateSessionRequest, LicensingProfile } from './generated.js';
import type { StateCode } from './states.js';
import type { PaymentMethod } from './values.js';

/**
 * The body that the element posts to `session-url`, a route of the partner's backend. It has no
 * personal data: the backend knows the user from its own sign-in.
 */
export interface PartnerSessionRequest {
  /**
   * Why the element requests a session: the user opens or resumes an application, or its session
   * expired.
   */
  reason: 'open' | 'resume' | 'expired';
  /**
   * A one-time value that the element creates, 22–64 characters of base64url. The backend adds it
   * as `state` to the query of `returnUrl`. The element ignores a return without it.
   */
  returnState: string;
  /** The application to continue, for `resume` and `expired`. */
  applicationId?: string;
  /**
   * The states that the user chose on the card, for a new application. Comes from the browser: check
   * it against the states that you offer.
   */
  states?: StateCode[];
}

/**
 * The answer of the partner's backend: a {@link Session} of the bridge, and the URLs of its status
 * and events.
 */
export interface PartnerSession {
  /** The URL of the application. A capability: never log it. */
  applicationUrl: string;
  /** The id of the application. */
  applicationId: string;
  /** The time at which `applicationUrl` expires, ISO 8601 in UTC. */
  expiresAt?: string;
  /** The estimated fees in US dollars. */
  estimatedFees?: { total: number };
  /** The states applied for. */
  states?: StateCode[];
  /** The progress of the user, when the session resumes an earlier application. */
  progress?: { step: ProgressStep; index: number; count: number };
  /** The URL that answers `GET` with a {@link PartnerApplication}. */
  statusUrl?: string;
  /**
   * The URL of server-sent events named `application`. The data of each is a
   * {@link PartnerApplication}.
   */
  eventsUrl?: string;
  /** The `returnState` of the request, if the backend added it to `returnUrl`. */
  returnState?: string;
}

/**
 * An application, as `statusUrl`, `eventsUrl` and the list of the partner's backend answer it: the
 * {@link Application} of the bridge, and what the backend knows of it besides.
 */
export interface PartnerApplication extends Pick<
  Application,
  'applicationId' | 'progress' | 'states' | 'submittedAt' | 'receiptNumber'
> {
  /** The time at which the user started it, ISO 8601 in UTC. */
  createdAt?: string;
  /** The states applied for. `states` is empty until the application is submitted. */
  requestedStates?: StateCode[];
  /** The fees in US dollars, as estimated when its newest session was created. */
  estimatedFees?: { total: number };
  /** The URL of the receipt, once there is one. A capability: never log it. */
  receiptUrl?: string;
}

/** The signed-in user of a request. `identify` resolves to it. */
export interface LicensingUser {
  /** Your own stable id for the user. */
  userId: string;
  /**
   * The user's profile. Synced before a session is created, so that users need not type it. Never
   * an SSN.
   */
  profile?: LicensingProfile | undefined;
}

/**
 * The application that a user starts. `session` resolves to it. `states` are also those that a user
 * can choose from.
 */
export interface SessionOptions extends Pick<
  CreateSessionRequest,
  'applicationType' | 'licenseType' | 'states' | 'returnUrl'
> {
  /** Default: `user_pays`. */
  paymentMethod?: PaymentMethod | undefined;
}

/** The values of `status` in the query of `returnUrl`. */
export const returnStatuses = ['submitted', 'cancelled', 'expired'] as const;

/** One of {@link returnStatuses}. */
export type ReturnStatus = (typeof returnStatuses)[number];
