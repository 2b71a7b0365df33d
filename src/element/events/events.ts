import type { CompletionSource } from '../status/application-facts.js';
import type { LicensingBeforeOpenEvent } from './before-open-event.js';
import type { LicensingErrorEvent } from './error-event.js';
import type { ErrorCode } from './errors.js';
import type { FlowState } from '../flow.js';
import { LicensingEvent } from './licensing-event.js';
import type { OpenMode } from '../mode.js';
import type { ApplicationSnapshot, StateSnapshot } from '../status/snapshot.js';

/** Who closes: the user with the button, with Escape or by the window itself, the hosted page, its return to this site, or a call of `close()`. */
export type CloseCause = 'button' | 'escape' | 'page' | 'return' | 'window' | 'call';

/** How an opening ended. `unknown`: closed before it was submitted; the user can go on later. */
export type CloseOutcome = 'submitted' | 'cancelled' | 'unknown';

/** `licensing-statechange`: the element went from one state to another. */
export class LicensingStateChangeEvent extends LicensingEvent {
  /** The state before. */
  declare readonly from: FlowState;
  /** The state now. */
  declare readonly to: FlowState;
  constructor(said: Pick<LicensingStateChangeEvent, 'from' | 'to'>) {
    super('licensing-statechange', said);
  }
}

/** `licensing-modechange`: the mode did not work, and the next of `fallback` is tried. */
export class LicensingModeChangeEvent extends LicensingEvent {
  /** The mode that did not work. */
  declare readonly from: OpenMode;
  /** The mode that is tried now. */
  declare readonly to: OpenMode;
  /** What went wrong. */
  declare readonly reason: ErrorCode;
  constructor(said: Pick<LicensingModeChangeEvent, 'from' | 'to' | 'reason'>) {
    super('licensing-modechange', said);
  }
}

/**
 * `licensing-blocked`: the browser blocks the window of its own. Cancelable: prevent it to offer {@link LicensingBlockedEvent.retry}
 * yourself; otherwise the next of `fallback` is tried, or the element offers it.
 */
export class LicensingBlockedEvent extends LicensingEvent {
  /** Opens the window. To be called by a click: without one, browsers block it again. */
  declare readonly retry: () => void;
  constructor(said: Pick<LicensingBlockedEvent, 'retry'>) {
    super('licensing-blocked', said, true);
  }
}

/** `licensing-ready`: the hosted application answered over the channel. A host that does not speak it never fires this. */
export class LicensingReadyEvent extends LicensingEvent {
  /** The version of the channel that both speak. */
  declare readonly protocolVersion: number;
  /** From the start of loading to the answer. */
  declare readonly durationMs: number;
  constructor(said: Pick<LicensingReadyEvent, 'protocolVersion' | 'durationMs'>) {
    super('licensing-ready', said);
  }
}

/** `licensing-progress`: the user came to another step, or the hosted application saved. */
export class LicensingProgressEvent extends LicensingEvent {
  /** All that is known now. */
  declare readonly snapshot: ApplicationSnapshot;
  constructor(said: Pick<LicensingProgressEvent, 'snapshot'>) {
    super('licensing-progress', said);
  }
}

/**
 * `licensing-action`: the user wants to answer what a state asks for. Cancelable: prevent it, or call
 * {@link LicensingActionEvent.respondWith}, to open the link yourself; otherwise the flow opens again at it.
 */
export class LicensingActionEvent extends LicensingEvent {
  /** Where the user answers. It has no query; it is a capability all the same: do not log it. */
  declare readonly url: string;
  /** The code of the state that asks. */
  declare readonly state: string;
  /** Why, in the department's words; "" when it gave none. */
  declare readonly reason: string;
  /** @internal What the page promised. */
  declare handled: Promise<unknown> | undefined;
  constructor(said: Pick<LicensingActionEvent, 'url' | 'state' | 'reason'>) {
    super('licensing-action', said, true);
  }

  /**
   * Takes the link over, as `FetchEvent.respondWith` takes a request. Once `handled` resolves, the statuses are asked for anew; if it
   * rejects, the flow opens at the link as if nobody had taken it.
   */
  respondWith(handled: Promise<unknown>): void {
    this.preventDefault();
    this.handled = handled;
  }
}

/** `licensing-status`: a state's status changed. */
export class LicensingStatusEvent extends LicensingEvent {
  /** Every state with its status, not only the changed ones. */
  declare readonly states: readonly StateSnapshot[];
  constructor(said: Pick<LicensingStatusEvent, 'states'>) {
    super('licensing-status', said);
  }
}

/** `licensing-complete`: the application went to the states. Exactly once a session, whoever reports it first. */
export class LicensingCompleteEvent extends LicensingEvent {
  /** The id of the application. */
  declare readonly applicationId: string;
  /** The only status that completes. */
  declare readonly status: 'submitted';
  /** Who reported it: the hosted page, its return to this site, or the server. */
  declare readonly source: CompletionSource;
  /** Whether the server said so. Treat it as a hint otherwise: a page can be made to lie. */
  declare readonly verified: boolean;
  constructor(said: Pick<LicensingCompleteEvent, 'applicationId' | 'source' | 'verified'>) {
    super('licensing-complete', { ...said, status: 'submitted' });
  }
}

/** `licensing-beforeclose`: the application is about to close. Cancelable: it then stays open. */
export class LicensingBeforeCloseEvent extends LicensingEvent {
  /** Whether the open page has input that is not saved; the user is asked next if so. */
  declare readonly dirty: boolean;
  /** Who closes it. */
  declare readonly by: CloseCause;
  constructor(said: Pick<LicensingBeforeCloseEvent, 'dirty' | 'by'>) {
    super('licensing-beforeclose', said, true);
  }
}

/** `licensing-close`: the application was closed. */
export class LicensingCloseEvent extends LicensingEvent {
  /** How it ended. */
  declare readonly outcome: CloseOutcome;
  /** Who closed it. */
  declare readonly by: CloseCause;
  constructor(said: Pick<LicensingCloseEvent, 'outcome' | 'by'>) {
    super('licensing-close', said);
  }
}

/** `licensing-messagerejected`: a message that claimed to be ours was refused. It had no effect. */
export class LicensingMessageRejectedEvent extends LicensingEvent {
  /** The origin it came from; "" when it came over the port. */
  declare readonly origin: string;
  /** Why: `source`, `origin`, `schema`, `version`, `state` and others. */
  declare readonly reason: string;
  constructor(said: Pick<LicensingMessageRejectedEvent, 'origin' | 'reason'>) {
    super('licensing-messagerejected', said);
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

/** `addEventListener` of the element. */
export interface AddLicensingListener {
  <Name extends keyof LicensingApplyEventMap>(
    type: Name,
    listener: (event: LicensingApplyEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** `removeEventListener` of the element. */
export interface RemoveLicensingListener {
  <Name extends keyof LicensingApplyEventMap>(
    type: Name,
    listener: (event: LicensingApplyEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  // Because the events bubble, a listener on any ancestor is typed as well.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface HTMLElementEventMap extends LicensingApplyEventMap {}
}
