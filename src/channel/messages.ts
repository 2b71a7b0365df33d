/** Where an application stands: before the link was opened, at a step, or done. */
export type ProgressStep =
  'not_started' | 'profile' | 'identity' | 'background' | 'disclosures' | 'payment' | 'review' | 'submitted';

/** What a state department said last. `approved` and `denied` are final. */
export type ApplicationStatus = 'pending_review' | 'approved' | 'denied' | 'requires_action';

/** Everything that the hosted page tells about an application. Always the whole of it, never a difference. */
export interface Snapshot {
  /** The step whose page is shown, which may be an earlier one than the server has open. */
  step: ProgressStep;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. At most 20. */
  index: number;
  /** How many steps this application has, 1–20. */
  count: number;
  /** Whether the page holds input that is not saved yet. */
  dirty: boolean;
  /** When the last step was saved, ISO 8601 in UTC; absent until then. */
  savedAt?: string | undefined;
  /** The status of each state, at most 56; empty until submitted. */
  states: { state: string; status: ApplicationStatus }[];
}

/** How the element shows the page, told with the welcome and again by `configure` when it changes. */
export interface Appearance {
  /** How the page is shown. Inline pages grow with their content, the others scroll. */
  mode: 'modal' | 'inline' | 'popup' | 'redirect';
  /** Language tag of the partner's page. Only language, script and region travel (`es-419`); the element's end drops the rest. */
  locale: string;
  /** The colours to use; `auto` follows the system. */
  theme: 'auto' | 'light' | 'dark';
}

/** What the page learns from the welcome. */
export interface ChannelInit extends Appearance {
  /** A random UUID for this opening. Every message on the port carries it. */
  channel: string;
}

/**
 * Why the hosted page cannot go on.
 *
 * - `session_expired`: the link is too old; a new session goes on where this one stopped.
 * - `session_invalid`: there is no such link.
 * - `already_submitted`: there is nothing left to fill in.
 * - `payment_declined`: the card was refused; the user can try another.
 * - `payment_unavailable`: nothing can be paid at the moment.
 * - `save_failed`: what was typed is not stored yet.
 * - `unavailable`: the application cannot be reached at the moment.
 */
export type HostedErrorCode =
  | 'session_expired'
  | 'session_invalid'
  | 'already_submitted'
  | 'payment_declined'
  | 'payment_unavailable'
  | 'save_failed'
  | 'unavailable';

/** The messages of the hosted page to the element, by type. Nothing is answered; the order is kept. */
export interface PageMessages {
  /** The first message of every connection. */
  ready: Snapshot;
  /** The step, its saved state or a status changed. */
  progress: Snapshot;
  /** The application went to the states. A hint for the screen: the server says whether it is true. */
  submitted: Snapshot;
  /** The height of the content in CSS pixels, a whole number up to 50,000. */
  resize: { height: number };
  /** Asks to bring this point of the page into view, CSS pixels from its top, up to 50,000. */
  scrollTo: { top: number };
  /** Whether closing now would lose input. */
  dirty: { dirty: boolean };
  /** A state asks for more. `actionUrl` is the page's own origin, `/a/` and 43 characters of base64url. A capability: never log it. */
  requiresAction: { state: string; actionUrl: string };
  /** The session ends soon, in 0–86,400 seconds. */
  sessionExpiring: { inSeconds: number };
  /** The user wants to leave: by the Escape key, by a button, or because there is nothing left to do. */
  closeRequest: { by: 'escape' | 'button' | 'done' };
  /** Something failed. */
  error: { code: HostedErrorCode; recoverable: boolean };
}

/** The messages of the element to the hosted page, by type. Each is answered with {@link ElementAnswers}. */
export interface ElementMessages {
  /** The appearance changed. */
  configure: Appearance;
  /** Asks what closing now would lose. */
  confirmClose: object;
  /** Asks the page to go one step back. */
  navigateBack: object;
  /** What became of a `requiresAction`. */
  actionResult: { state: string; outcome: 'opened' | 'rejected' };
  /**
   * The session was renewed: when it ends, ISO 8601 in UTC, and its link where that is another one. `applicationUrl` is the page's
   * own origin, `/s/` and 43 characters of base64url. A capability: never log it.
   */
  session: { expiresAt: string; applicationUrl?: string | undefined };
}

/** The answers of the hosted page to {@link ElementMessages}. */
export interface ElementAnswers {
  configure: object;
  /** Whether input would be lost, and when the last step was saved. */
  confirmClose: { dirty: boolean; savedAt?: string | undefined };
  /** Whether the page moved. */
  navigateBack: { moved: boolean };
  actionResult: object;
  /** Whether the page goes on with another link; absent when it was not given one. */
  session: { taken?: boolean | undefined };
}

/**
 * Why a message was refused.
 *
 * - `source`: from another window than the one we talk to.
 * - `origin`: from the right window while it shows another origin.
 * - `schema`: not the shape of any message.
 * - `channel`: of another protocol or another opening.
 * - `version`: the ends have no protocol version in common.
 * - `replay`: seen before, or older than what was seen.
 * - `unknown_type`: well formed, but no message of this protocol.
 */
export type RejectionReason = 'source' | 'origin' | 'schema' | 'channel' | 'version' | 'replay' | 'unknown_type';

/** A refused message. It had no effect; what it contained is not told. */
export interface Rejection {
  /** The origin that the browser vouches for. */
  origin: string;
  /** Why it was refused. */
  reason: RejectionReason;
  /** Which versions each end speaks, for people; with the reason `version`. */
  versions?: string;
}
