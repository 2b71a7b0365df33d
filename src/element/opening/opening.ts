import type { PageMessages } from '../../channel/index.js';
import { appearanceOf } from '../container/appearance.js';
import type { Container } from '../container/container.js';
import { createFrameContainer } from '../container/frame-container.js';
import { createPopupContainer } from '../container/popup-container.js';
import type { ElementStateEvent } from '../element-state.js';
import { type ErrorCode, LicensingApplyError } from '../errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  LicensingBlockedEvent,
  LicensingModeChangeEvent,
  LicensingReadyEvent,
} from '../events.js';
import type { Language } from '../locales/language.js';
import { type ContainerMode, modesOf, type OpenMode } from '../modes.js';
import type { ApplicationStore } from '../store/application-store.js';
import { validateApplicationUrl } from '../url-policy.js';
import { connect, type Connection, type MessageRejection } from './connection.js';
import type { OpeningHost, OpenRequest } from './open-request.js';
import { saveRedirectState } from './redirect-state.js';
import { createRenewal, type Renewal } from './renewal.js';
import type { SessionKeeper } from './session-keeper.js';

/** The controller, as its opening needs it. */
export interface OpeningOwner {
  changeState(event: ElementStateEvent): void;
  announce(text: string): void;
  /** Closes, unless the page or the user prevents it. */
  close(by: CloseCause): void;
  /** Closes without asking. */
  finish(by: CloseCause, outcome?: CloseOutcome): void;
  /** Shows the error, unless the next mode takes over. Resolves with whether one does. */
  fail(problem: unknown): Promise<boolean>;
  /** Reports an error that the user sees while the application stays open. */
  report(error: LicensingApplyError): void;
  reject(rejection: MessageRejection): void;
  /** Starts to listen for the return to this site. */
  listenForReturn(): void;
  /** Records the type of a message, for diagnosis. */
  recordMessage(type: string): void;
}

/** The options of an opening. */
export interface OpeningOptions {
  host: OpeningHost;
  request: OpenRequest;
  store: ApplicationStore;
  sessions: SessionKeeper;
  owner: OpeningOwner;
  language(): Language;
}

/** One opening of the application, in the first mode that works. */
export interface Opening {
  readonly request: OpenRequest;
  readonly mode: OpenMode;
  /** Absent in redirect mode. */
  readonly container: Container | undefined;
  readonly connection: Connection | undefined;
  /** Whether the hosted page supports the messaging protocol; undefined while unknown. */
  readonly isConnected: boolean;
  /** Opens in the first mode. Resolves with whether the application is loading. */
  present(): Promise<boolean>;
  /** Opens in the next mode; returns undefined if there is none. */
  fallBack(reason: ErrorCode): Promise<boolean> | undefined;
  /** Continues with a new session after the present one ended. Resolves with whether it does. */
  replaceSession(): Promise<boolean>;
  end(): void;
}

/** The time limit for the server to report the status after a popup was closed. */
const statusTimeoutMs = 3_000;

/** Creates an opening. Nothing is shown before `present()`. */
export function createOpening({ host, request, store, sessions, owner, language }: OpeningOptions): Opening {
  const ended = new AbortController();
  const modes = modesOf(host, request.mode);
  const url = request.actionUrl === undefined ? obtainUrl() : Promise.resolve(request.actionUrl);
  // The opening may end before the URL is awaited.
  url.catch(() => undefined);
  /** Aborts when the present mode ends. */
  let shown = ended;
  let container: Container | undefined;
  let connection: Connection | undefined;
  let renewal: Renewal | undefined;
  let isConnected = false;
  let fallback: Promise<boolean> | undefined;

  const hasEnded = () => ended.signal.aborted;

  async function obtainUrl(): Promise<string> {
    const before = sessions.session;
    const session = await sessions.obtain(host, request.reason, ended.signal, request.session);
    if (before && before.applicationId !== session.applicationId) store.reset();
    const { applicationId, progress } = session;
    if (session !== before && progress)
      store.dispatch({ source: 'server', application: { applicationId, progress, states: [] } });
    return session.applicationUrl;
  }

  async function present(): Promise<boolean> {
    const [mode] = modes;
    shown = new AbortController();
    const { signal } = shown;
    if (!hasEnded()) owner.changeState({ type: 'open' });
    // A listener of that event, or of `licensing-modechange`, may have closed it.
    if (hasEnded()) return false;
    try {
      container = mode === 'redirect' ? undefined : createContainer(mode, signal);
      host.requestUpdate();
      const [text] = await Promise.all([url, container?.opened]);
      signal.throwIfAborted();
      const { url: applicationUrl, problem } = validateApplicationUrl(text, container?.isFrame ? location.origin : '');
      if (!applicationUrl) throw new LicensingApplyError('url_refused', problem);
      owner.changeState({ type: 'load' });
      signal.throwIfAborted();
      if (container) load(container, applicationUrl, signal);
      else redirect(applicationUrl, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) return owner.fail(error);
      return hasEnded() ? false : (fallback ?? false);
    }
  }

  function createContainer(mode: ContainerMode, signal: AbortSignal): Container {
    const common = {
      signal,
      language,
      onChange: () => host.requestUpdate(),
      onCloseRequest: owner.close,
      onOpenInNewWindow,
    };
    if (mode !== 'popup') {
      const takesFocus = host.matches(':focus-within');
      return createFrameContainer({ ...common, mode, takesFocus, allow: host.allow || '' });
    }
    return createPopupContainer({
      ...common,
      popup: request.popup,
      onBlocked(retry) {
        const isOurs = host.dispatchEvent(new LicensingBlockedEvent({ retry }));
        if (isOurs && !fallBack('popup_blocked')) owner.announce(language().texts.errors.popup_blocked);
        return isOurs;
      },
      onPopupClosed: () => void onPopupClosed(signal),
    });
  }

  function load(opened: Container, applicationUrl: URL, signal: AbortSignal): void {
    const appearance = () => appearanceOf(host, opened.mode);
    // Without the appearance, because a renewal compares it with the link of the backend.
    const loadedUrl = new URL(applicationUrl);
    owner.listenForReturn();
    if (opened.mode === 'popup') {
      owner.announce(language().texts.inPopup);
      addAppearance(applicationUrl);
    }
    connection = connect({
      url: applicationUrl,
      loaded: opened.load(applicationUrl),
      isFrame: opened.isFrame,
      target: opened.window,
      appearance,
      signal,
      onConnect(info) {
        owner.changeState({ type: 'show' });
        // The page connects again with each document. For the partner it became ready once.
        if (!isConnected) host.dispatchEvent(new LicensingReadyEvent(info));
        isConnected = true;
      },
      onMessage: receive,
      onRejected: owner.reject,
      onProtocolSilent() {
        owner.changeState({ type: 'show' });
        opened.reveal();
        // The page will not report, so the server must.
        store.follow();
      },
      onSlow: opened.showSlow,
      onFailed: (error) => void owner.fail(error),
    });
    renewal = createRenewal({ source: host, sessions, container: opened, connection, url: loadedUrl, signal });
  }

  /** The only way of a message from the port to the store, the container or the controller. */
  function receive<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void {
    owner.recordMessage(type);
    handlers[type](payload);
  }

  const handlers: { [Type in keyof PageMessages]: (payload: PageMessages[Type]) => void } = {
    ready(snapshot) {
      store.dispatchReport({ snapshot });
      container?.reveal();
    },
    progress: (snapshot) => store.dispatchReport({ snapshot }),
    submitted: (snapshot) => store.dispatchReport({ snapshot, submitted: true }),
    dirty: store.dispatchReport,
    requiresAction: (action) => store.dispatchReport({ action }),
    resize: ({ height }) => container?.resize(height),
    scrollTo: ({ top }) => container?.scrollTo(top),
    sessionExpiring: ({ inSeconds }) => void extendSession(inSeconds),
    closeRequest({ by }) {
      // Only a modal closes on Escape.
      if (by !== 'escape') owner.close('page');
      else if (container?.mode === 'modal') owner.close('escape');
    },
    error({ code, recoverable }) {
      if (code === 'session_expired' || code === 'session_invalid') void onSessionExpired();
      else if (code === 'already_submitted') store.follow();
      // The page itself shows what the user can correct.
      else if (!recoverable) owner.report(new LicensingApplyError('application_failed', code));
    },
  };

  async function extendSession(inSeconds: number): Promise<void> {
    if (await renewal?.extend()) return;
    if (!shown.signal.aborted) owner.announce(language().texts.expiring({ minutes: Math.ceil(inSeconds / 60) }));
  }

  async function onSessionExpired(): Promise<void> {
    if (await replaceSession()) return;
    if (!ended.signal.aborted) void owner.fail(new LicensingApplyError('session_expired'));
  }

  async function replaceSession(): Promise<boolean> {
    sessions.expire();
    return (await renewal?.replace()) ?? false;
  }

  function onOpenInNewWindow(event: Event): void {
    // A refused frame looks like one whose page does not support the protocol: the user sees which.
    if (!isConnected && fallBack('frame_blocked_by_application')) event.preventDefault();
    // Nothing connects with that window, so only the server and its return can report.
    else store.follow();
  }

  /** The server reports whether the application was submitted in the popup. */
  async function onPopupClosed(signal: AbortSignal): Promise<void> {
    const timeout = new Promise((resolve) => setTimeout(resolve, statusTimeoutMs));
    await Promise.race([store.refresh(), timeout]);
    if (signal.aborted) return;
    owner.finish('window');
    // A Cross-Origin-Opener-Policy makes an open popup look closed: it may still submit.
    store.follow();
  }

  function fallBack(reason: ErrorCode): Promise<boolean> | undefined {
    const [from, to] = modes;
    if (!to) return undefined;
    modes.shift();
    shown.abort();
    host.dispatchEvent(new LicensingModeChangeEvent({ from, to, reason }));
    fallback = present();
    return fallback;
  }

  function redirect(applicationUrl: URL, signal: AbortSignal): void {
    addAppearance(applicationUrl);
    const { applicationId = '', statusUrl = host.statusUrl, eventsUrl = host.eventsUrl } = sessions.session ?? {};
    const { returnNonce } = sessions;
    saveRedirectState({ element: host.id, returnNonce, applicationId, statusUrl, eventsUrl });
    // The Back button may show this page again from the cache, as it was while it opened.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      owner.finish('return');
      void store.refresh();
    };
    addEventListener('pageshow', onPageShow, { signal });
    location.assign(applicationUrl);
  }

  /** In the fragment, which no server receives: a page without a connection has no other source. */
  function addAppearance(applicationUrl: URL): void {
    applicationUrl.hash ||= String(new URLSearchParams({ ...appearanceOf(host, modes[0]) }));
  }

  return {
    request,
    get mode() {
      return modes[0];
    },
    get container() {
      return container;
    },
    get connection() {
      return connection;
    },
    get isConnected() {
      return isConnected;
    },
    present,
    fallBack,
    replaceSession,
    end() {
      ended.abort();
      shown.abort();
    },
  };
}
