import { createFocusKeeper } from './card/focus.js';
import { createDiagnostics } from './diagnosis.js';
import { type ElementState, type ElementStateEvent, nextState } from './element-state.js';
import { isLicensingApplyError, isModeError, LicensingApplyError } from './errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  type CloseResult,
  LicensingActionEvent,
  LicensingBeforeCloseEvent,
  LicensingCloseEvent,
  LicensingErrorEvent,
  LicensingMessageRejectedEvent,
  LicensingStateChangeEvent,
} from './events.js';
import { errorText } from './locales/phrases.js';
import type { Language } from './locales/language.js';
import type { OpeningHost, OpenRequest } from './opening/open-request.js';
import type { MessageRejection } from './opening/connection.js';
import { createOpening, type Opening, type OpeningOwner } from './opening/opening.js';
import { completeRedirectState } from './opening/redirect-state.js';
import { createReturnHandler } from './opening/return-handler.js';
import { createSessionKeeper, type SessionKeeper } from './opening/session-keeper.js';
import { hasSource } from './opening/session-source.js';
import { createApplicationStore } from './store/application-store.js';
import type { ApplicationSnapshot, StateSnapshot } from './store/snapshot.js';
import { createView, type View } from './view.js';

/** The element, as its controller needs it. */
export interface ControllerHost extends OpeningHost {
  open: boolean;
  readonly updateComplete: Promise<unknown>;
}

/** The options of a controller. */
export interface ControllerOptions {
  host: ControllerHost;
  language(): Language;
  /** Opens again: after an error, or for a required action. */
  show(request: OpenRequest): Promise<boolean>;
}

/** The controller of one element. */
export type Controller = ReturnType<typeof createController>;

/**
 * Creates the controller of one element: everything that its first card does not need. Opening,
 * closing, errors and statuses. Loaded on intent, on opening, and to show statuses.
 */
export function createController({ host, language, show }: ControllerOptions) {
  let state: ElementState = 'idle';
  let opening: Opening | undefined;
  let failedRequest: OpenRequest | undefined;
  let failure: LicensingApplyError | undefined;
  let closing: Promise<boolean> | undefined;
  let followedId = host.applicationId || '';
  const closeWaiters: ((result: CloseResult) => void)[] = [];
  const focus = createFocusKeeper(host);
  const diagnostics = createDiagnostics(host);
  const sessions = createSessionKeeper();
  const store = createApplicationStore({
    host,
    sessions,
    onChange: onStoreChange,
    onComplete: () => completeRedirectState(host, store.snapshot.applicationId),
  });
  const view = createView({
    store,
    language,
    container: () => opening?.container,
    failure: () => (state === 'error' ? failure : undefined),
    requestUpdate: () => host.requestUpdate(),
    onRetry: retry,
    onAnswer: answer,
  });
  const owner: OpeningOwner = {
    changeState,
    announce: view.announce,
    close: (by) => void close(by, false),
    finish,
    fail,
    report,
    reject,
    listenForReturn: () => returns.listen(),
    recordMessage: diagnostics.recordMessage,
  };
  const returns = createReturnHandler({
    host,
    store,
    sessions,
    opening: () => opening,
    finish,
    onClosed,
    fail,
    reject,
  });

  function reject({ origin, reason, versions }: MessageRejection): void {
    host.dispatchEvent(new LicensingMessageRejectedEvent({ origin, reason }));
    if (versions) report(new LicensingApplyError('protocol_mismatch', versions));
  }

  function changeState(event: ElementStateEvent): void {
    const from = state;
    state = nextState(from, event);
    host.requestUpdate();
    if (from !== state) host.dispatchEvent(new LicensingStateChangeEvent({ from, to: state }));
  }

  function onStoreChange(
    before: ApplicationSnapshot,
    after: ApplicationSnapshot,
    changed: readonly StateSnapshot[],
  ): void {
    view.announceChange(before, after, changed);
    changeState({ type: 'update', phase: store.phase, purpose: opening?.request.actionUrl ? 'action' : 'application' });
    // A closed popup reports nothing more. After the events of the outcome.
    if (opening?.container?.window()?.closed && after.submitted) queueMicrotask(() => finish('window'));
  }

  /**
   * Returns the result of `show()` when there is nothing to open: `true` if the application is
   * open, `false` if it was submitted. Undefined if it can be opened.
   */
  function resultWithoutOpening({ actionUrl }: OpenRequest): boolean | undefined {
    if (actionUrl !== undefined) return undefined;
    // A hosted page with unsaved work may have kept the user here. Then another click opens again.
    const isLeaving = opening?.mode === 'redirect' && state === 'connecting';
    if (opening && !isLeaving) return true;
    return store.phase === 'unsubmitted' ? undefined : false;
  }

  /** Opens the application. Resolves with whether it is loading. */
  async function open(request: OpenRequest): Promise<boolean> {
    finish('call');
    failure = failedRequest = undefined;
    view.announce('');
    focus.save();
    host.open = true;
    // The server may have refused the status before the user signed in again.
    if (store.isFollowing) void store.refresh();
    opening = createOpening({ host, request, store, sessions, owner, language });
    return opening.present();
  }

  /** Resolves with whether the application is closed. `force` asks neither page nor user. */
  function close(by: CloseCause, force: boolean): Promise<boolean> {
    if (force) finish(by);
    if (!opening) return Promise.resolve(true);
    closing ??= closeUnlessPrevented(opening, by).finally(() => {
      closing = undefined;
    });
    return closing;
  }

  async function closeUnlessPrevented(current: Opening, by: CloseCause): Promise<boolean> {
    const isOver = () => opening !== current;
    // A page that is too busy to answer has reported before whether it has unsaved input.
    const { dirty, savedAt } = (await current.connection?.confirmClose()) ?? store.snapshot;
    if (isOver()) return true;
    if (!host.dispatchEvent(new LicensingBeforeCloseEvent({ dirty, by }))) return false;
    const mustAsk = dirty && current.container && !isOver();
    if (mustAsk && !(await current.container.askToLeave(savedAt)) && !isOver()) return false;
    if (!isOver()) finish(by);
    return true;
  }

  /** Every end of an opening except an error. */
  function finish(by: CloseCause, outcome?: CloseOutcome): void {
    if (!opening) return;
    const { isConnected, container } = opening;
    // Before it has loaded, nothing was submitted. A popup can continue without a connection to us.
    const isNotLoaded = state === 'preparing' || (state === 'connecting' && container?.isFrame);
    endOpening(opening);
    onClosed(by, outcome ?? (isConnected || isNotLoaded ? 'unsubmitted' : 'unknown'));
  }

  function onClosed(by: CloseCause, outcome: CloseOutcome): void {
    const { phase } = store;
    changeState({ type: 'close', phase });
    const result: CloseResult = { outcome: phase === 'unsubmitted' ? outcome : 'submitted', by };
    host.dispatchEvent(new LicensingCloseEvent(result));
    resolveClosed(result);
    // An element that left the document must not start to follow again.
    if (phase !== 'unsubmitted' && host.isConnected) void store.refresh();
    if (state === 'closed') view.announce('');
    onEnded();
  }

  /** Falls back to the next mode, or shows the error. Resolves with whether it fell back. */
  async function fail(cause: unknown): Promise<boolean> {
    const error = isLicensingApplyError(cause) ? cause : new LicensingApplyError('load_failed', '', { cause });
    const fallback = isModeError(error.code) && opening?.fallBack(error.code);
    if (fallback) return fallback;
    failedRequest = opening?.request;
    failure = error;
    if (opening) endOpening(opening);
    changeState({ type: 'fail' });
    report(error);
    resolveClosed({ outcome: 'failed', by: 'page' });
    onEnded();
    return false;
  }

  function report(error: LicensingApplyError): void {
    const displayMessage = errorText(language().texts, error);
    view.announce(displayMessage);
    host.dispatchEvent(new LicensingErrorEvent(error, displayMessage));
  }

  function endOpening(ended: Opening): void {
    opening = undefined;
    host.open = false;
    ended.end();
    // Unsaved input went with the page.
    if (store.snapshot.dirty) store.dispatchReport({ dirty: false });
  }

  function resolveClosed(result: CloseResult): void {
    for (const resolve of closeWaiters.splice(0)) resolve(result);
  }

  function onEnded(): void {
    followAttributes();
    void host.updateComplete.then(focus.restore);
  }

  function retry(): void {
    const { mode, actionUrl } = failedRequest ?? {};
    if (actionUrl !== undefined || sessions.usable() || hasSource(host)) {
      void show({ reason: 'open', mode, actionUrl });
      return;
    }
    // Only the page can create another session, on a click of its trigger.
    focus.save();
    view.announce('');
    changeState({ type: 'reset' });
    onEnded();
  }

  function answer(stateCode: string): void {
    const url = store.actionUrl(stateCode);
    if (url === undefined) return;
    const { reason = '' } = store.snapshot.states.find((fact) => fact.state === stateCode) ?? {};
    const event = new LicensingActionEvent({ url, state: stateCode, reason });
    const openHere = () => void show({ reason: 'open', actionUrl: url });
    if (host.dispatchEvent(event)) openHere();
    else event.handled?.then(store.refresh, openHere);
  }

  /** Follows the application that the attributes name, once no application is open. */
  function followAttributes(): void {
    if (opening || !host.isConnected) return;
    const applicationId = host.applicationId || '';
    if (applicationId !== followedId) {
      followedId = applicationId;
      // The page may set the id of the application that was created here, which changes nothing.
      if (sessions.session?.applicationId !== applicationId) {
        sessions.clear();
        store.reset();
        changeState({ type: 'reset' });
      }
    }
    if (applicationId || store.snapshot.submitted) store.follow();
  }

  // Later: a listener of `licensing-complete` must find the element with this controller.
  queueMicrotask(returns.restoreRedirect);
  return {
    get state(): ElementState {
      return state;
    },
    get snapshot(): ApplicationSnapshot {
      return store.snapshot;
    },
    sessions: sessions as Pick<SessionKeeper, 'session' | 'usable'>,
    isOpen: () => opening !== undefined,
    view: view as Omit<View, 'announce' | 'announceChange'>,
    resultWithoutOpening,
    open,
    close,
    /** Resolves to the result of the current opening, or of the next one if there is none. */
    whenClosed: () => new Promise<CloseResult>((resolve) => closeWaiters.push(resolve)),
    navigateBack: async () => (await opening?.connection?.navigateBack()) ?? false,
    diagnose: () => diagnostics.diagnose(state, sessions.session?.applicationUrl ?? ''),
    /** Sends the appearance to the hosted page again. */
    configure: () => opening?.connection?.configure(),
    followAttributes,
    /** Clears the error about a missing configuration, after attributes changed. */
    clearConfigurationError() {
      if (state === 'error' && failure?.code === 'not_configured') changeState({ type: 'reset' });
    },
    /** Ends everything without asking: the element left the document. */
    disconnect() {
      returns.stop();
      store.stop();
      finish('call');
    },
  };
}
