import type { CompletionSource } from './application-facts.js';
import type { ErrorCategory, ErrorCode, LicensingApplyError } from './errors.js';
import type { FlowState } from './flow.js';
import type { ApplicationSnapshot, StateSnapshot } from './snapshot.js';

/** Who closes: the user with the button or Escape, the hosted page, its return to this site, or a call of `close()`. */
export type CloseCause = 'button' | 'escape' | 'page' | 'return' | 'call';

/** How an opening ended. `unknown`: closed before it was submitted; the user can go on later. */
export type CloseOutcome = 'submitted' | 'cancelled' | 'unknown';

const plain: EventInit = { bubbles: true, composed: true };
const cancelable: EventInit = { ...plain, cancelable: true };

/** `licensing-statechange`: the element went from one state to another. */
export class LicensingStateChangeEvent extends Event {
  /** The state before. */
  readonly from: FlowState;
  /** The state now. */
  readonly to: FlowState;
  constructor(from: FlowState, to: FlowState) {
    super('licensing-statechange', plain);
    this.from = from;
    this.to = to;
  }
}

/** `licensing-beforeopen`: the application is about to open. Cancelable: prevent it to ask the user something first. */
export class LicensingBeforeOpenEvent extends Event {
  /** How it will open. */
  readonly mode: 'modal' | 'inline';
  constructor(mode: 'modal' | 'inline') {
    super('licensing-beforeopen', cancelable);
    this.mode = mode;
  }
}

/** `licensing-ready`: the hosted application answered over the channel. A host that does not speak it never fires this. */
export class LicensingReadyEvent extends Event {
  /** The version of the channel that both speak. */
  readonly protocolVersion: number;
  /** From the start of loading to the answer. */
  readonly durationMs: number;
  constructor(protocolVersion: number, durationMs: number) {
    super('licensing-ready', plain);
    this.protocolVersion = protocolVersion;
    this.durationMs = durationMs;
  }
}

/** `licensing-progress`: the user came to another step, or the hosted application saved. */
export class LicensingProgressEvent extends Event {
  /** All that is known now. */
  readonly snapshot: ApplicationSnapshot;
  constructor(snapshot: ApplicationSnapshot) {
    super('licensing-progress', plain);
    this.snapshot = snapshot;
  }
}

/**
 * `licensing-action`: the user wants to answer what a state asks for. Cancelable: prevent it, or call
 * {@link LicensingActionEvent.respondWith}, to open the link yourself; otherwise the flow opens again at it.
 */
export class LicensingActionEvent extends Event {
  /** Where the user answers. It has no query; it is a capability all the same: do not log it. */
  readonly url: string;
  /** The code of the state that asks. */
  readonly state: string;
  /** Why, in the department's words; "" when it gave none. */
  readonly reason: string;
  /** @internal What the page promised. */
  handled: Promise<unknown> | undefined;
  constructor(url: string, state: string, reason: string) {
    super('licensing-action', cancelable);
    this.url = url;
    this.state = state;
    this.reason = reason;
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
export class LicensingStatusEvent extends Event {
  /** Every state with its status, not only the changed ones. */
  readonly states: readonly StateSnapshot[];
  constructor(states: readonly StateSnapshot[]) {
    super('licensing-status', plain);
    this.states = states;
  }
}

/** `licensing-complete`: the application went to the states. Exactly once a session, whoever reports it first. */
export class LicensingCompleteEvent extends Event {
  /** The id of the application. */
  readonly applicationId: string;
  readonly status = 'submitted';
  /** Who reported it: the hosted page, its return to this site, or the server. */
  readonly source: CompletionSource;
  /** Whether the server said so. Treat it as a hint otherwise: a page can be made to lie. */
  readonly verified: boolean;
  constructor(applicationId: string, source: CompletionSource, verified: boolean) {
    super('licensing-complete', plain);
    this.applicationId = applicationId;
    this.source = source;
    this.verified = verified;
  }
}

/** `licensing-beforeclose`: the application is about to close. Cancelable: it then stays open. */
export class LicensingBeforeCloseEvent extends Event {
  /** Whether the open page has input that is not saved; the user is asked next if so. */
  readonly dirty: boolean;
  /** Who closes it. */
  readonly by: CloseCause;
  constructor(dirty: boolean, by: CloseCause) {
    super('licensing-beforeclose', cancelable);
    this.dirty = dirty;
    this.by = by;
  }
}

/** `licensing-close`: the application was closed. */
export class LicensingCloseEvent extends Event {
  /** How it ended. */
  readonly outcome: CloseOutcome;
  /** Who closed it. */
  readonly by: CloseCause;
  constructor(outcome: CloseOutcome, by: CloseCause) {
    super('licensing-close', plain);
    this.outcome = outcome;
    this.by = by;
  }
}

/** `licensing-error`: something failed. The element shows it to the user by itself. */
export class LicensingErrorEvent extends Event {
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Who can do something about it. */
  readonly category: ErrorCategory;
  /** Whether trying again can help. */
  readonly recoverable: boolean;
  /** What to do about it, for the developer. */
  readonly message: string;
  /** What the user reads. */
  readonly displayMessage: string;
  /** The section of the documents on this code. */
  readonly docsUrl: string;
  constructor(error: LicensingApplyError, displayMessage: string) {
    super('licensing-error', plain);
    this.code = error.code;
    this.category = error.category;
    this.recoverable = error.recoverable;
    this.message = error.message;
    this.displayMessage = displayMessage;
    this.docsUrl = error.docsUrl;
  }
}

/** `licensing-messagerejected`: a message that claimed to be ours was refused. It had no effect. */
export class LicensingMessageRejectedEvent extends Event {
  /** The origin it came from; "" when it came over the port. */
  readonly origin: string;
  /** Why: `source`, `origin`, `schema`, `version`, `state` and others. */
  readonly reason: string;
  constructor(origin: string, reason: string) {
    super('licensing-messagerejected', plain);
    this.origin = origin;
    this.reason = reason;
  }
}

/** The events of `<licensing-apply>` by name. */
export interface LicensingApplyEventMap {
  'licensing-statechange': LicensingStateChangeEvent;
  'licensing-beforeopen': LicensingBeforeOpenEvent;
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

declare global {
  // Because the events bubble, a listener on any ancestor is typed as well.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface HTMLElementEventMap extends LicensingApplyEventMap {}
}
