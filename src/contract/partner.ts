import type { ProgressStep } from './application.js';
import type { LicensingProfile } from './profile.js';
import type { CreateSessionRequest, PaymentMethod } from './session.js';
import type { StateCode } from './states.js';

/**
 * Body that the element posts to `session-url`, the partner's own backend. Nothing personal is in it: who the user is, the
 * backend knows itself.
 */
export interface PartnerSessionRequest {
  /** Why a session is wanted: a first opening, a return to one begun, or one that ran out. */
  reason: 'open' | 'resume' | 'expired';
  /**
   * A one-time value of the element's making, 22–64 characters of base64url. The backend adds it as `state` to the query of
   * `returnUrl`; a return without it completes nothing.
   */
  returnState: string;
  /** The application to go on with, for `resume` and `expired`. */
  applicationId?: string;
}

/** What the partner's backend answers: a {@link Session} of the bridge plus where its news can be had. */
export interface PartnerSession {
  /** Where the user applies. A capability: never log it. */
  applicationUrl: string;
  /** The id of the application. */
  applicationId: string;
  /** When `applicationUrl` stops working, ISO 8601 in UTC. */
  expiresAt?: string;
  /** US dollars. */
  estimatedFees?: { total: number };
  /** The states applied for. */
  states?: StateCode[];
  /** The progress of the user, when the session resumes an earlier application. */
  progress?: { step: ProgressStep; index: number; count: number };
  /** Answers `GET` with an {@link Application}. */
  statusUrl?: string;
  /** Server-sent events named `application`, each with a whole {@link Application} as data. */
  eventsUrl?: string;
  /** The value that will come back as `state`; the backend repeats `returnState` when it did add it to `returnUrl`. */
  returnState?: string;
}

/** The user of a request, as the partner's own sign-in knows them: what `identify` resolves with. */
export interface LicensingUser {
  /** Your own stable id for the user. */
  userId: string;
  /** What you know of the user; synced before a session is created, so that it need not be typed again. Never an SSN. */
  profile?: LicensingProfile | undefined;
}

/** What is applied for: what `session` resolves with. */
export interface SessionOptions extends Pick<
  CreateSessionRequest,
  'applicationType' | 'licenseType' | 'states' | 'returnUrl'
> {
  /** Default: `user_pays`. */
  paymentMethod?: PaymentMethod | undefined;
}

/** What is added to the query of `returnUrl` as `status`. */
export const returnStatuses = ['submitted', 'cancelled', 'expired'] as const;

/** One of {@link returnStatuses}. */
export type ReturnStatus = (typeof returnStatuses)[number];
