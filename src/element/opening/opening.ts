import type { PageMessages } from '../../channel/index.js';
import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import { appearanceOf } from '../container/appearance.js';
import type { Container } from '../container/container.js';
import { createFrameContainer } from '../container/frame-container.js';
import { createPopupContainer } from '../container/popup-container.js';
import { openPopup } from '../container/popup-window.js';
import type { ElementStateEvent } from '../element-state.js';
import { type ErrorCode, isModeError, LicensingApplyError, toLicensingApplyError } from '../errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  LicensingBlockedEvent,
  LicensingModeChangeEvent,
  LicensingReadyEvent,
} from '../events.js';
import type { Language } from '../locales/language.js';
import { type ContainerMode, modesOf, type ModeSource, type OpenMode } from '../modes.js';
import type { ApplicationStore } from '../store/application-store.js';
import type { FollowStatus } from '../store/status-source.js';
import { validateApplicationUrl } from '../url-policy.js';
import { connect, type Connection, type MessageRejection } from './connection.js';
import { saveRedirectState } from './redirect-state.js';
import { createRenewal, type Renewal } from './renewal.js';
import type { SessionKeeper, SessionSource } from './sessions.js';

/** The options of `show()`. */
export interface OpenOptions {
  /** The mode of this opening. Default: the element's own. */
  mode?: OpenMode | 'auto' | undefined;
  /** A session that the page created for this opening. Default: one from the element's source. */
  session?: PartnerSession | Promise<PartnerSession> | undefined;
}

/** The page to open. */
export interface OpenRequest extends OpenOptions {
  reason: PartnerSessionRequest['reason'];
  /** The states that the user chose for a new application. Undefined if the present one continues. */
  states?: readonly string[] | undefined;
  /** Opens this page of a submitted application: what a state requires, or the receipt. */
  pageUrl?: string | undefined;
  /** The popup that was opened in the task of the click; `null` if it was blocked. */
  popup?: Window | null | undefined;
}

/** The element, as its opening needs it. */
export interface OpeningHost extends HTMLElement, SessionSource, ModeSource {
  statusUrl: string;
  eventsUrl: string;
  followStatus?: FollowStatus | undefined;
  locale: string;
  allow: string;
  requestUpdate(): void;
}

/**
 * The events of an opening, for the controller of the element.
 *
 * - `open`, `load`, `show`: the state of the element changes.
 * - `announce`: a text for screen readers.
 * - `closerequest`: the user or the hosted page asks to close. The page or the user may prevent it.
 * - `end`: the application was closed, without asking.
 * - `fail`: no mode is left, or no other mode would help.
 * - `error`: an error that the user sees while the application stays open.
 * - `message`: a message of the hosted page arrived.
 * - `reject`: a message was rejected.
 */
export type OpeningEvent =
  | Extract<ElementStateEvent, { type: 'open' | 'load' | 'show' }>
  | { type: 'announce'; text: string }
  | { type: 'closerequest'; by: CloseCause }
  | { type: 'end'; by: CloseCause; outcome?: CloseOutcome | undefined }
  | { type: 'fail' | 'error'; error: LicensingApplyError }
  | { type: 'message'; name: keyof PageMessages }
  | ({ type: 'reject' } & MessageRejection);

/** The options of an opening. */
export interface OpeningOptions {
  host: OpeningHost;
  request: OpenRequest;
  store: ApplicationStore;
  sessions: SessionKeeper;
  language(): Language;
  /** Called for each event. A listener of the element may end the opening meanwhile. */
  report(event: OpeningEvent): void;
}

/** The time limit for the server to report the status after a popup was closed. */
const statusTimeoutMs = 3_000;

const nextDocumentMs = 8_000;
/** The payment may lead to the pages of a bank, which know nothing of us. */
const bankMs = 300_000;

/**
 * One opening of the application, in the first mode that works. Requests its session at once, and
 * shows nothing before `present()`.
 */
export class Opening {
  readonly request: OpenRequest;
  /** Absent in redirect mode. */
  container: Container | undefined;
  /** The connection to the hosted page, once it loads. */
  connection: Connection | undefined;
  /** Whether the hosted page has connected, in any mode. */
  isConnected = false;

  readonly #host: OpeningHost;
  readonly #store: ApplicationStore;
  readonly #sessions: SessionKeeper;
  readonly #language: () => Language;
  readonly #report: (event: OpeningEvent) => void;
  /** The present mode, then the modes to fall back to. */
  readonly #modes: [OpenMode, ...OpenMode[]];
  readonly #url: Promise<string>;
  readonly #ended = new AbortController();
  /** Aborts when the present mode ends. */
  #shown = this.#ended;
  #renewal: Renewal | undefined;
  #fallback: Promise<boolean> | undefined;

  constructor({ host, request, store, sessions, language, report }: OpeningOptions) {
    this.#host = host;
    this.#store = store;
    this.#sessions = sessions;
    this.#language = language;
    this.#report = report;
    this.request = request;
    this.#modes = modesOf(host, request.mode);
    this.#url = request.pageUrl === undefined ? this.#obtainUrl() : Promise.resolve(request.pageUrl);
    // The opening may end before the URL is awaited.
    this.#url.catch(() => undefined);
  }

  /** The present mode. */
  get mode(): OpenMode {
    return this.#modes[0];
  }

  /** Opens in the first mode that works. Resolves with whether the application is loading. */
  async present(): Promise<boolean> {
    const { mode } = this;
    const { signal } = (this.#shown = new AbortController());
    if (!this.#hasEnded()) this.#report({ type: 'open' });
    // A listener of that event, or of `licensing-modechange`, may have closed it.
    if (this.#hasEnded()) return false;
    try {
      const container = mode === 'redirect' ? undefined : this.#createContainer(mode, signal);
      const show = () => {
        if (signal.aborted) return;
        this.container = container;
        this.#host.requestUpdate();
      };
      // A frame is shown in the next task, so that a known URL loads before the dialog opens. Opening it
      // takes a phone a tenth of a second.
      if (container?.isFrame) setTimeout(show);
      else show();
      const [text] = await Promise.all([this.#url, container?.opened]);
      signal.throwIfAborted();
      const { url, problem } = validateApplicationUrl(text, container?.isFrame ? location.origin : '');
      if (!url) throw new LicensingApplyError('url_refused', problem);
      show();
      this.#report({ type: 'load' });
      signal.throwIfAborted();
      if (container) this.#load(container, url, signal);
      else this.#redirect(url, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) return this.#fail(error);
      return this.#hasEnded() ? false : (this.#fallback ?? false);
    }
  }

  /** Continues with a new session after the present one ended. Resolves with whether it does. */
  async replaceSession(): Promise<boolean> {
    this.#sessions.expire();
    return (await this.#renewal?.replace()) ?? false;
  }

  end(): void {
    this.#ended.abort();
    this.#shown.abort();
  }

  #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  async #obtainUrl(): Promise<string> {
    const before = this.#sessions.session;
    const session = await this.#sessions.obtain(this.#host, this.request.reason, this.#ended.signal, this.request);
    const { applicationId, progress } = session;
    const isNew = this.request.states !== undefined;
    if (isNew || (before && before.applicationId !== applicationId)) this.#store.reset();
    // The element shows the new application from now on, also when it reads statuses again.
    if (isNew && this.#host.applicationId) this.#host.applicationId = applicationId;
    if (session !== before && progress)
      this.#store.dispatch({ source: 'server', application: { applicationId, progress, states: [] } });
    return session.applicationUrl;
  }

  /** Opens in the next mode, if that may work. Resolves with whether the application is loading. */
  async #fail(cause: unknown): Promise<boolean> {
    const error = toLicensingApplyError(cause);
    const fallback = isModeError(error.code) && this.#fallBack(error.code);
    if (fallback) return fallback;
    this.#report({ type: 'fail', error });
    return false;
  }

  /** Opens in the next mode; returns undefined if there is none. */
  #fallBack(reason: ErrorCode): Promise<boolean> | undefined {
    const [from, to] = this.#modes;
    if (!to) return undefined;
    this.#modes.shift();
    this.#shown.abort();
    this.#host.dispatchEvent(new LicensingModeChangeEvent({ from, to, reason }));
    return (this.#fallback = this.present());
  }

  #createContainer(mode: ContainerMode, signal: AbortSignal): Container {
    const common = {
      signal,
      language: this.#language,
      onChange: () => this.#host.requestUpdate(),
      onCloseRequest: (by: CloseCause) => this.#report({ type: 'closerequest', by }),
      onOpenInNewWindow: () => this.#onOpenInNewWindow(),
    };
    if (mode !== 'popup') {
      const takesFocus = this.#host.matches(':focus-within');
      return createFrameContainer({ ...common, mode, takesFocus, allow: this.#host.allow || '' });
    }
    return createPopupContainer({
      ...common,
      popup: this.request.popup,
      openPopup: () => openPopup(this.#host, this.#language()),
      onBlocked: (retry) => {
        const isOurs = this.#host.dispatchEvent(new LicensingBlockedEvent({ retry }));
        if (isOurs && !this.#fallBack('popup_blocked'))
          this.#report({ type: 'announce', text: this.#language().texts.errors.popup_blocked });
        return isOurs;
      },
      onPopupClosed: () => void this.#onPopupClosed(signal),
    });
  }

  #load(container: Container, url: URL, signal: AbortSignal): void {
    // Without the appearance, because a renewal compares it with the link of the backend.
    const loadedUrl = new URL(url);
    if (container.mode === 'popup') {
      this.#report({ type: 'announce', text: this.#language().texts.inPopup });
      this.#addAppearance(url);
    }
    const connection = connect({
      url,
      load: (onLoad) => {
        container.load(url, onLoad);
      },
      isFrame: container.isFrame,
      target: container.window,
      appearance: () => appearanceOf(this.#host, container.mode),
      signal,
      onConnect: (info) => {
        this.#report({ type: 'show' });
        container.showNotice(undefined);
        // The page connects again with each document. For the partner it became ready once.
        if (!this.isConnected) this.#host.dispatchEvent(new LicensingReadyEvent(info));
        this.isConnected = true;
      },
      // The only way of a message from the port to the store, the container or the controller.
      onMessage: (type, payload) => {
        this.#report({ type: 'message', name: type });
        this.#handlers[type](payload);
      },
      onRejected: (rejection) => this.#report({ type: 'reject', ...rejection }),
      onProtocolSilent: () => {
        this.#report({ type: 'show' });
        container.reveal();
        // The page will not report, so the server must.
        this.#store.follow();
      },
      onSlow: () => {
        container.showNotice('slow');
      },
      patienceMs: () => (this.#store.snapshot.step === 'payment' ? bankMs : nextDocumentMs),
      onLost: (error) => {
        // After the submission nothing is lost with the page.
        if (this.#store.snapshot.submitted) return;
        container.showNotice('lost');
        this.#report({ type: 'error', error });
      },
      onFailed: (error) => void this.#fail(error),
    });
    this.connection = connection;
    this.#renewal = createRenewal({
      source: this.#host,
      sessions: this.#sessions,
      container,
      connection,
      url: loadedUrl,
      signal,
    });
  }

  readonly #handlers: { [Type in keyof PageMessages]: (payload: PageMessages[Type]) => void } = {
    ready: (snapshot) => {
      this.#store.dispatchReport({ snapshot });
      this.container?.reveal();
    },
    progress: (snapshot) => this.#store.dispatchReport({ snapshot }),
    submitted: (snapshot) => this.#store.dispatchReport({ snapshot, submitted: true }),
    dirty: (change) => this.#store.dispatchReport(change),
    requiresAction: (action) => this.#store.dispatchReport({ action }),
    resize: ({ height }) => this.container?.resize(height),
    scrollTo: ({ top }) => this.container?.scrollTo(top),
    sessionExpiring: ({ inSeconds }) => void this.#extendSession(inSeconds),
    closeRequest: ({ by }) => {
      // Only a modal closes on Escape.
      if (by !== 'escape') this.#report({ type: 'closerequest', by: 'page' });
      else if (this.container?.mode === 'modal') this.#report({ type: 'closerequest', by: 'escape' });
    },
    error: ({ code, recoverable }) => {
      if (code === 'session_expired' || code === 'session_invalid') void this.#onSessionExpired();
      else if (code === 'already_submitted') this.#store.follow();
      // The page itself shows what the user can correct.
      else if (!recoverable)
        this.#report({ type: 'error', error: new LicensingApplyError('application_failed', code) });
    },
  };

  async #extendSession(inSeconds: number): Promise<void> {
    if ((await this.#renewal?.extend()) || this.#shown.signal.aborted) return;
    this.#report({ type: 'announce', text: this.#language().texts.expiring({ minutes: Math.ceil(inSeconds / 60) }) });
  }

  async #onSessionExpired(): Promise<void> {
    if ((await this.replaceSession()) || this.#hasEnded()) return;
    void this.#fail(new LicensingApplyError('session_expired'));
  }

  #onOpenInNewWindow(): boolean {
    // A refused frame looks like one whose page does not support the protocol: the user sees which.
    if (!this.isConnected && this.#fallBack('frame_blocked_by_application')) return false;
    // Nothing connects with that window, so only the server and its return can report.
    this.#store.follow();
    return true;
  }

  /** The server reports whether the application was submitted in the popup. */
  async #onPopupClosed(signal: AbortSignal): Promise<void> {
    const timeout = new Promise((resolve) => setTimeout(resolve, statusTimeoutMs));
    await Promise.race([this.#store.refresh(), timeout]);
    if (signal.aborted) return;
    this.#report({ type: 'end', by: 'window' });
    // A Cross-Origin-Opener-Policy makes an open popup look closed: it may still submit.
    this.#store.follow();
  }

  #redirect(url: URL, signal: AbortSignal): void {
    this.#addAppearance(url);
    const {
      applicationId = '',
      statusUrl = this.#host.statusUrl,
      eventsUrl = this.#host.eventsUrl,
    } = this.#sessions.session ?? {};
    const { returnNonce } = this.#sessions;
    saveRedirectState({ element: this.#host.id, returnNonce, applicationId, statusUrl, eventsUrl });
    // The Back button may show this page again from the cache, as it was while it opened.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      this.#report({ type: 'end', by: 'return' });
      void this.#store.refresh();
    };
    addEventListener('pageshow', onPageShow, { signal });
    location.assign(url);
  }

  /** In the fragment, which no server receives: a page without a connection has no other source. */
  #addAppearance(url: URL): void {
    url.hash ||= String(new URLSearchParams({ ...appearanceOf(this.#host, this.mode) }));
  }
}
