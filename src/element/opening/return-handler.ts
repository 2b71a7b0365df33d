import { isReturn } from '../../channel/index.js';
import type { ReturnStatus } from '../../contract/index.js';
import { LicensingApplyError } from '../errors.js';
import type { CloseOutcome } from '../events.js';
import type { ApplicationStore } from '../store/application-store.js';
import type { MessageRejection } from './connection.js';
import type { Opening } from './opening.js';
import { isReturnStatus, type RedirectHost, restoreRedirectState } from './redirect-state.js';
import type { SessionKeeper } from './sessions.js';

/**
 * The events of a return, for the controller of the element.
 *
 * - `end`: the user returned, so the open application is gone.
 * - `restore`: the user returned from a redirect, for which no application is open.
 * - `fail`: the session expired and could not be renewed.
 * - `reject`: a message was rejected.
 */
export type ReturnEvent =
  | { type: 'end'; by: 'return'; outcome?: CloseOutcome | undefined }
  | { type: 'restore'; outcome: CloseOutcome }
  | { type: 'fail'; error: LicensingApplyError }
  | ({ type: 'reject' } & MessageRejection);

/** The options of a return handler. */
export interface ReturnHandlerOptions {
  host: RedirectHost;
  store: ApplicationStore;
  sessions: SessionKeeper;
  /** Returns the present opening. */
  opening(): Opening | undefined;
  /** Called for each event. */
  report(event: ReturnEvent): void;
}

/**
 * Handles the user's return to the partner's return page, for one element. The return script on
 * that page reports by postMessage from our frame, by BroadcastChannel from another window of this
 * site. After a redirect the element itself is on that page.
 */
export class ReturnHandler {
  readonly #options: ReturnHandlerOptions;
  #listening: AbortController | undefined;
  #isPopup = false;

  constructor(options: ReturnHandlerOptions) {
    this.#options = options;
  }

  /** Starts to listen for a return in a frame, a popup or another tab. */
  listen(): void {
    this.#isPopup = this.#options.opening()?.mode === 'popup';
    if (this.#listening) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener('message', (event) => this.#onMessage(event), { signal });
    const channel = new BroadcastChannel('licensing-apply');
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      // All tabs of the site receive it. Without our value it is the return of another application.
      if (!isReturnReport(data) || data.state !== this.#options.sessions.returnNonce) return;
      // The script that opened a popup may no longer close it (Cross-Origin-Opener-Policy); the
      // popup can.
      if (this.#isPopup) channel.postMessage({ ns: 'licensing-apply', t: 'close', state: data.state });
      this.#onReturn(data.status, true);
    });
    signal.addEventListener('abort', () => {
      channel.close();
    });
  }

  /** Stops listening. */
  stop(): void {
    this.#listening?.abort();
    this.#listening = undefined;
  }

  /** Restores the state that another document of this site saved before the redirect. */
  restoreRedirect(): void {
    const { host, store, sessions, report } = this.#options;
    const restored = restoreRedirectState(host);
    if (!restored) return;
    const { state, status } = restored;
    const { applicationId, statusUrl, eventsUrl, returnNonce } = state;
    sessions.keep({
      applicationUrl: '',
      applicationId,
      ...(statusUrl && { statusUrl }),
      ...(eventsUrl && { eventsUrl }),
      ...(returnNonce && { returnState: returnNonce }),
    });
    store.isCompleted = state.isCompleted === true;
    store.follow();
    if (status === 'expired') void this.#onExpired();
    else if (status) {
      if (status === 'submitted') store.dispatch({ source: 'return' });
      report({ type: 'restore', outcome: status });
    }
  }

  #onMessage({ data, origin, source, isTrusted }: MessageEvent<unknown>): void {
    const { sessions, opening, report } = this.#options;
    if (!isTrusted || !isReturnReport(data) || source !== (opening()?.container?.window() ?? null)) return;
    const { returnNonce } = sessions;
    if (origin !== location.origin) report({ type: 'reject', origin, reason: 'origin' });
    else if (returnNonce !== undefined && data.state !== returnNonce)
      report({ type: 'reject', origin, reason: 'state' });
    // Only a return of our own frame may come without the value. Then it proves nothing.
    else this.#onReturn(data.status, data.state === returnNonce);
  }

  #onReturn(status: ReturnStatus, isProven: boolean): void {
    const { store, report } = this.#options;
    if (status === 'expired') {
      void this.#onExpired();
      return;
    }
    if (isProven && status === 'submitted') store.dispatch({ source: 'return' });
    // The frame now shows this site and not the application, even if the page claims otherwise.
    report({ type: 'end', by: 'return', outcome: isProven && status === 'cancelled' ? 'cancelled' : undefined });
    void store.refresh();
  }

  async #onExpired(): Promise<void> {
    const { store, sessions, opening, report } = this.#options;
    const current = opening();
    sessions.expire();
    if (store.phase !== 'unsubmitted') report({ type: 'end', by: 'return' });
    else if (!(await current?.replaceSession()) && opening() === current)
      report({ type: 'fail', error: new LicensingApplyError('session_expired') });
  }
}

function isReturnReport(value: unknown): value is { status: ReturnStatus; state: string } {
  return isReturn(value) && typeof value.state === 'string' && isReturnStatus(value.status);
}
