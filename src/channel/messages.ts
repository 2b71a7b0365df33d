/*
 * The messages as types. `schemas.ts` has their checks.
 *
 * No message has a field in which a social security number or an answer could travel: words come
 * from fixed lists, numbers are bounded, ids are random letters. The exception is `actionUrl` and
 * `applicationUrl`. They are links of the host itself, which chooses their paths; the schema only
 * bounds their length and refuses what looks like a social security number.
 */

/** The progress of an application: before the link was opened, at a step, or done. */
export type ProgressStep =
  'not_started' | 'profile' | 'identity' | 'background' | 'disclosures' | 'payment' | 'review' | 'submitted';

/** The last status that a state department reported. `approved` and `denied` are final. */
export type ApplicationStatus = 'pending_review' | 'approved' | 'denied' | 'requires_action';

/**
 * The state of an application as the hosted page reports it. Always complete, never a difference.
 */
export interface Snapshot {
  /** The step whose page is shown, which may be an earlier one than the server has open. */
  step: ProgressStep;
  /** Counts from 1; 0 before the link was opened; `count` once submitted. At most 20. */
  index: number;
  /** The number of steps, 1–20. */
  count: number;
  /** Whether the page holds input that is not saved yet. */
  dirty: boolean;
  /** The time of the last save, ISO 8601 in UTC; absent before. */
  savedAt?: string | undefined;
  /** The status of each state, at most 56; empty until submitted. */
  states: { state: string; status: ApplicationStatus }[];
}

/**
 * The appearance of the page in the element, sent with the welcome and again by `configure` when it
 * changes.
 */
export interface Appearance {
  /** The mode. Inline pages grow with their content, the others scroll. */
  mode: 'modal' | 'inline' | 'popup' | 'redirect';
  /**
   * The language tag of the partner's page: language, script and region only (`es-419`). The
   * element's end drops the rest.
   */
  locale: string;
  /** The theme; `auto` follows the system. */
  theme: 'auto' | 'light' | 'dark';
}

/** The data of the welcome for the page. */
export interface ChannelInit extends Appearance {
  /** A random UUID for this opening. Every message on the port carries it. */
  channel: string;
}

/**
 * The reasons of a hosted page that cannot continue.
 *
 * - `session_expired`: the link is too old; a new session continues where this one stopped.
 * - `session_invalid`: there is no such link.
 * - `already_submitted`: the application was submitted.
 * - `payment_declined`: the card was refused; the user can try another.
 * - `payment_unavailable`: payments are not possible at the moment.
 * - `save_failed`: the input is not stored yet.
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

/**
 * The messages of the hosted page to the element, by type. None has an answer; their order is kept.
 */
export interface PageMessages {
  /**
   * The page can be shown. Sent on every connection, after the messages from before the connection.
   */
  ready: Snapshot;
  /** The step, its saved state or a status changed. */
  progress: Snapshot;
  /**
   * The application was submitted to the states. A hint for the screen: only the server can confirm
   * it.
   */
  submitted: Snapshot;
  /** The height of the content in CSS pixels, a whole number up to 50,000. */
  resize: { height: number };
  /** Asks to bring this point of the page into view, CSS pixels from its top, up to 50,000. */
  scrollTo: { top: number };
  /** Whether closing now would lose input. */
  dirty: { dirty: boolean };
  /**
   * A state requires an action of the user. `actionUrl` is any link of the page's own origin:
   * https, or http on localhost, spelled as `URL.href` spells it, without user information, at most
   * 2,048 characters. It may be a capability: never log it.
   */
  requiresAction: { state: string; actionUrl: string };
  /** The session ends soon, in 0–86,400 seconds. */
  sessionExpiring: { inSeconds: number };
  /**
   * The user wants to leave, by the Escape key, by a button, or after the end of the application.
   */
  closeRequest: { by: 'escape' | 'button' | 'done' };
  /** Something failed. */
  error: { code: HostedErrorCode; recoverable: boolean };
}

/**
 * The messages of the element to the hosted page, by type. Each is answered with {@link
 * ElementAnswers}.
 */
export interface ElementMessages {
  /** The appearance changed. */
  configure: Appearance;
  /** Requests whether closing now would lose input. */
  confirmClose: object;
  /** Asks the page to go one step back. */
  navigateBack: object;
  /**
   * The session was renewed. Contains its expiry, ISO 8601 in UTC, and its link if that has
   * changed. `applicationUrl` has the same form as `actionUrl` of
   * {@link PageMessages.requiresAction}. A capability: never log it.
   */
  session: { expiresAt: string; applicationUrl?: string | undefined };
}

/** The answers of the hosted page to {@link ElementMessages}. */
export interface ElementAnswers {
  configure: object;
  /** Whether input would be lost, and the time of the last save. */
  confirmClose: { dirty: boolean; savedAt?: string | undefined };
  /** Whether the page moved. */
  navigateBack: { moved: boolean };
  /** Whether the page continues with another link; absent when it was not given one. */
  session: { taken?: boolean | undefined };
}

/**
 * The reason of a refused message. Messages of other windows are ignored and not reported.
 *
 * - `origin`: from the right window while it shows another origin.
 * - `schema`: does not match the schema of any message.
 * - `channel`: of another protocol or another opening.
 * - `version`: the ends have no protocol version in common.
 * - `replay`: received before, or older than the last one received.
 * - `unknown_type`: well formed, but no message of this protocol.
 * - `limit`: larger than any message may be, or the 20th refused message of one document. The
 *   element then closes the connection; the page can open another one with a new document id.
 */
export type RejectionReason = 'origin' | 'schema' | 'channel' | 'version' | 'replay' | 'unknown_type' | 'limit';

/** A refused message. It had no effect; its content is not reported. */
export interface Rejection {
  /** The origin of the sender, as the browser reports it. */
  origin: string;
  /** The reason. */
  reason: RejectionReason;
  /** The supported versions of both ends as text, for the reason `version`. */
  versions?: string;
}
