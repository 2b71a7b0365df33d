import type { ElementState } from './element-state.js';
import type { ErrorCategory, ErrorCode, LicensingApplyError } from './errors.js';
import type { OpenMode } from './modes.js';
import type { ApplicationSnapshot, CompletionSource, StateSnapshot } from './store/snapshot.js';

/**
 * The cause of a close.
 *
 * - `button`: the close button.
 * - `escape`: the Escape key.
 * - `window`: the user closed the popup.
 * - `page`: the hosted page.
 * - `return`: the return of the hosted page to this site.
 * - `call`: a call of `close()`.
 */
export type CloseCause = 'button' | 'escape' | 'window' | 'page' | 'return' | 'call';

/**
 * The outcome of an opening.
 *
 * - `submitted`: the application was submitted.
 * - `cancelled`: the hosted application returned with `status=cancelled`.
 * - `unsubmitted`: closed before it was submitted. The user can continue it.
 * - `unknown`: the page does not support the messaging protocol; only the server knows.
 * - `failed`: an error ended it; `licensing-error` says which one.
 */
export type CloseOutcome = 'submitted' | 'cancelled' | 'unsubmitted' | 'unknown' | 'failed';

/** The end of an opening, as `whenClosed()` resolves with it. */
export interface CloseResult {
  /** The outcome. */
  outcome: CloseOutcome;
  /** The cause of the close. */
  by: CloseCause;
}

/** The base of all events of the element: they bubble, also out of shadow trees. */
abstract class LicensingEvent extends Event {
  /** @param fields The properties that the class declares. */
  constructor(type: string, fields: object, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    Object.assign(this, fields);
  }
}

/** `licensing-statechange`: the element changed from one state to another. */
export class LicensingStateChangeEvent extends LicensingEvent {
  /** The state before. */
  declare readonly from: ElementState;
  /** The state now. */
  declare readonly to: ElementState;

  constructor(fields: Pick<LicensingStateChangeEvent, 'from' | 'to'>) {
    super('licensing-statechange', fields);
  }
}

/**
 * `licensing-beforeopen`: the application is about to open. Dispatched within `show()`, before a
 * popup opens or a session is requested. Cancelable.
 */
export class LicensingBeforeOpenEvent extends LicensingEvent {
  /** The mode that is tried first. */
  declare readonly mode: OpenMode;

  constructor(fields: Pick<LicensingBeforeOpenEvent, 'mode'>) {
    super('licensing-beforeopen', fields, true);
  }
}

/** `licensing-modechange`: a mode failed and the next one of `fallback` is tried. */
export class LicensingModeChangeEvent extends LicensingEvent {
  /** The mode that failed. */
  declare readonly from: OpenMode;
  /** The mode that is tried now. */
  declare readonly to: OpenMode;
  /** The error of the failed mode. */
  declare readonly reason: ErrorCode;

  constructor(fields: Pick<LicensingModeChangeEvent, 'from' | 'to' | 'reason'>) {
    super('licensing-modechange', fields);
  }
}

/**
 * `licensing-blocked`: the browser blocked the popup. Cancelable: prevent it to offer `retry()`
 * yourself. Otherwise the next mode of `fallback` is tried, or the element offers a button.
 */
export class LicensingBlockedEvent extends LicensingEvent {
  /** Opens the popup. Call it in the task of a click, or the browser blocks it again. */
  declare readonly retry: () => void;

  constructor(fields: Pick<LicensingBlockedEvent, 'retry'>) {
    super('licensing-blocked', fields, true);
  }
}

/**
 * `licensing-ready`: the hosted application connected. Never dispatched for a host that does not
 * support the messaging protocol.
 */
export class LicensingReadyEvent extends LicensingEvent {
  /** The protocol version that both ends support. */
  declare readonly protocolVersion: number;
  /** The time from the start of loading to the connection, in milliseconds. */
  declare readonly durationMs: number;

  constructor(fields: Pick<LicensingReadyEvent, 'protocolVersion' | 'durationMs'>) {
    super('licensing-ready', fields);
  }
}

/** `licensing-progress`: the user reached another step, or the hosted application saved. */
export class LicensingProgressEvent extends LicensingEvent {
  /** The current data about the application. */
  declare readonly snapshot: ApplicationSnapshot;

  constructor(fields: Pick<LicensingProgressEvent, 'snapshot'>) {
    super('licensing-progress', fields);
  }
}

/**
 * `licensing-action`: the user wants to answer a state's request. Cancelable: prevent it, or call
 * `respondWith()`, to open the link yourself. Otherwise the application opens at the link.
 */
export class LicensingActionEvent extends LicensingEvent {
  /** The link on which the user answers. It is a capability: do not log it. */
  declare readonly url: string;
  /** The code of the state, such as `TX`. */
  declare readonly state: string;
  /** The reason in the words of the state; "" if it gave none. */
  declare readonly reason: string;
  /** @internal The promise that was given to `respondWith()`. */
  handled: Promise<unknown> | undefined;

  constructor(fields: Pick<LicensingActionEvent, 'url' | 'state' | 'reason'>) {
    super('licensing-action', fields, true);
  }

  /**
   * Handles the link as `FetchEvent.respondWith` handles a request. Once `handled` resolves, the
   * element reads the statuses again; if it rejects, the application opens at the link.
   */
  respondWith(handled: Promise<unknown>): void {
    this.preventDefault();
    this.handled = handled;
  }
}

/** `licensing-status`: the status of a state changed. */
export class LicensingStatusEvent extends LicensingEvent {
  /** All states with their status, not only the changed ones. */
  declare readonly states: readonly StateSnapshot[];

  constructor(fields: Pick<LicensingStatusEvent, 'states'>) {
    super('licensing-status', fields);
  }
}

/** `licensing-complete`: the application was submitted. Dispatched exactly once a session. */
export class LicensingCompleteEvent extends LicensingEvent {
  /** The id of the application. */
  declare readonly applicationId: string;
  /** Always `submitted`. */
  readonly status = 'submitted';
  /** The source that reported it first: the hosted page, its return to this site, or the server. */
  declare readonly source: CompletionSource;
  /** Whether the server confirmed it. Otherwise it is a hint: a page can report anything. */
  declare readonly verified: boolean;

  constructor(fields: Pick<LicensingCompleteEvent, 'applicationId' | 'source' | 'verified'>) {
    super('licensing-complete', fields);
  }
}

/** `licensing-beforeclose`: the application is about to close. Cancelable: it stays open. */
export class LicensingBeforeCloseEvent extends LicensingEvent {
  /** Whether the hosted page has unsaved input. If so, the user is asked next. */
  declare readonly dirty: boolean;
  /** The cause of the close. */
  declare readonly by: CloseCause;

  constructor(fields: Pick<LicensingBeforeCloseEvent, 'dirty' | 'by'>) {
    super('licensing-beforeclose', fields, true);
  }
}

/** `licensing-close`: the application was closed. */
export class LicensingCloseEvent extends LicensingEvent {
  /** The outcome. */
  declare readonly outcome: CloseOutcome;
  /** The cause of the close. */
  declare readonly by: CloseCause;

  constructor(fields: CloseResult) {
    super('licensing-close', fields);
  }
}

/** `licensing-error`: something failed. The element shows it to the user by itself. */
export class LicensingErrorEvent extends LicensingEvent {
  /** The error code. */
  declare readonly code: ErrorCode;
  /** The party that can resolve it. */
  declare readonly category: ErrorCategory;
  /** Whether trying again can help. */
  declare readonly recoverable: boolean;
  /** The problem and how to solve it, for developers, in English. */
  declare readonly message: string;
  /** The text for the user, in the user's language. */
  declare readonly displayMessage: string;
  /** The exception of the browser or of your code behind it, if any. Its text may contain URLs. */
  declare readonly cause: unknown;

  constructor(error: LicensingApplyError, displayMessage: string) {
    const { code, category, recoverable, message, cause } = error;
    super('licensing-error', { code, category, recoverable, message, displayMessage, cause });
  }
}

/** `licensing-messagerejected`: a message was rejected and had no effect. */
export class LicensingMessageRejectedEvent extends LicensingEvent {
  /** The origin of the sender. */
  declare readonly origin: string;
  /** The reason: `source`, `origin`, `schema`, `version`, `state` and others. */
  declare readonly reason: string;

  constructor(fields: Pick<LicensingMessageRejectedEvent, 'origin' | 'reason'>) {
    super('licensing-messagerejected', fields);
  }
}

/** The events of `<licensing-apply>` by name. */
export interface LicensingApplyEventMap {
  'licensing-statechange': LicensingStateChangeEvent;
  'licensing-beforeopen': LicensingBeforeOpenEvent;
  'licensing-modechange': LicensingModeChangeEvent;
  'licensing-blocked': LicensingBlockedEvent;
  'licensing-ready': LicensingReadyEvent;
  'licensing-progress': LicensingProgressEvent;
  'licensing-action': LicensingActionEvent;
  'licensing-status': LicensingStatusEvent;
  'licensing-complete': LicensingCompleteEvent;
  'licensing-beforeclose': LicensingBeforeCloseEvent;
  'licensing-close': LicensingCloseEvent;
  'licensing-error': LicensingErrorEvent;
  'licensing-messagerejected': LicensingMessageRejectedEvent;
}

/** The typed `addEventListener` of the element. */
export interface AddLicensingListener {
  <Name extends keyof LicensingApplyEventMap>(
    type: Name,
    listener: (event: LicensingApplyEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** The typed `removeEventListener` of the element. */
export interface RemoveLicensingListener {
  <Name extends keyof LicensingApplyEventMap>(
    type: Name,
    listener: (event: LicensingApplyEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  // The events bubble, so a listener on any ancestor is typed as well.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface HTMLElementEventMap extends LicensingApplyEventMap {}
}
