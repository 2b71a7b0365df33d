import type { ReturnStatus } from '../../contract/index.js';
import { LicensingApplyError } from '../errors.js';
import type { CloseCause, CloseOutcome } from '../events.js';
import type { ApplicationStore } from '../store/application-store.js';
import type { MessageRejection } from './connection.js';
import type { Opening } from './opening.js';
import { type RedirectHost, restoreRedirectState } from './redirect-state.js';
import { listenForReturn } from './return-listener.js';
import type { SessionKeeper } from './session-keeper.js';

/** The options of a return handler. */
export interface ReturnHandlerOptions {
  host: RedirectHost;
  store: ApplicationStore;
  sessions: SessionKeeper;
  /** Returns the present opening. */
  opening(): Opening | undefined;
  /** Closes the present opening without asking. */
  finish(by: CloseCause, outcome?: CloseOutcome): void;
  /** Called for a return after which there is no opening to close. */
  onClosed(by: CloseCause, outcome: CloseOutcome): void;
  fail(error: LicensingApplyError): Promise<boolean>;
  reject(rejection: MessageRejection): void;
}

/** Handles the user's return to the partner's return page. */
export interface ReturnHandler {
  /** Starts to listen for a return in a frame, a popup or another tab. */
  listen(): void;
  /** Stops listening. */
  stop(): void;
  /** Restores the state that another document of this site saved before the redirect. */
  restoreRedirect(): void;
}

/** Creates the return handler of one element. */
export function createReturnHandler(options: ReturnHandlerOptions): ReturnHandler {
  const { host, store, sessions, finish } = options;
  let listening: AbortController | undefined;
  let isPopup = false;

  async function onReturn(status: ReturnStatus, isProven: boolean): Promise<void> {
    if (status === 'expired') {
      await onExpired();
      return;
    }
    if (isProven && status === 'submitted') store.dispatch({ source: 'return' });
    // The frame now shows this site and not the application, even if the page claims otherwise.
    finish('return', isProven && status === 'cancelled' ? 'cancelled' : undefined);
    void store.refresh();
  }

  async function onExpired(): Promise<void> {
    const current = options.opening();
    sessions.expire();
    if (store.phase !== 'unsubmitted') finish('return');
    else if (!(await current?.replaceSession()) && options.opening() === current)
      void options.fail(new LicensingApplyError('session_expired'));
  }

  return {
    listen() {
      isPopup = options.opening()?.mode === 'popup';
      if (listening) return;
      listening = new AbortController();
      listenForReturn({
        returnNonce: () => sessions.returnNonce,
        frame: () => options.opening()?.container?.window() ?? null,
        isPopup: () => isPopup,
        signal: listening.signal,
        onReturn: (status, isProven) => void onReturn(status, isProven),
        onRejected: options.reject,
      });
    },
    stop() {
      listening?.abort();
      listening = undefined;
    },
    restoreRedirect() {
      const restored = restoreRedirectState(host);
      if (!restored) return;
      const { state, status } = restored;
      const { applicationId, statusUrl, eventsUrl, returnNonce } = state;
      sessions.restore({
        applicationUrl: '',
        applicationId,
        ...(statusUrl && { statusUrl }),
        ...(eventsUrl && { eventsUrl }),
        ...(returnNonce && { returnState: returnNonce }),
      });
      store.isCompleted = state.isCompleted === true;
      store.follow();
      if (status === 'expired') void onExpired();
      else if (status) {
        if (status === 'submitted') store.dispatch({ source: 'return' });
        options.onClosed('return', status);
      }
    },
  };
}
