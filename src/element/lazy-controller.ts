import { openPopup } from './container/popup-window.js';
import type { Controller, ControllerHost } from './controller.js';
import type { ElementState } from './element-state.js';
import { LicensingApplyError, toLicensingApplyError } from './errors.js';
import {
  LicensingBeforeOpenEvent,
  LicensingCloseEvent,
  LicensingErrorEvent,
  LicensingStateChangeEvent,
} from './events.js';
import { errorText } from './locales/phrases.js';
import type { Language } from './locales/language.js';
import { modesOf } from './modes.js';
import type { OpenRequest } from './opening/opening.js';
import { mayHaveRedirectState } from './opening/redirect-hint.js';
import { validateApplicationUrl } from './url-policy.js';

/** The options of a lazy controller. */
export interface LazyControllerOptions {
  host: ControllerHost;
  language(): Language;
}

/**
 * Loads the controller when it is first needed, and runs the steps that must happen in the task of
 * the click: `licensing-beforeopen`, then the popup.
 */
export interface LazyController {
  /** The controller, once it is loaded. */
  readonly controller: Controller | undefined;
  /** The state of the element. */
  readonly state: ElementState;
  /** Whether `show()` is running. */
  readonly isOpening: boolean;
  /** The text for the user when the controller could not be loaded. */
  readonly failure: string | undefined;
  /** Resolves with the controller. Rejects when it cannot be loaded; the next call tries again. */
  load(): Promise<Controller>;
  /** Loads the controller and connects to the host of the application, if its URL is known. */
  preload(): void;
  /** Opens the application. Resolves with whether it is loading. */
  show(request: OpenRequest): Promise<boolean>;
  /**
   * Opens after a click of the user. Continues an earlier application: a new one would lose the
   * saved answers.
   */
  showByUser(): void;
  /** Opens or closes according to `open` of the element, unless `open` only reflects a change. */
  followOpen(): Promise<void>;
  /**
   * Follows the application that the attributes name, or that a redirect left, and loads the choice
   * of states. Resolves once it is loaded, or failed.
   */
  followAttributes(): Promise<void>;
  /** Closes the application, also one that is about to open. Resolves with whether it is closed. */
  close(force: boolean): Promise<boolean>;
  /** Ends everything without asking: the element left the document. */
  disconnect(): void;
}

/** One call of `show()`. */
interface Attempt {
  isCancelled: boolean;
  result?: Promise<boolean>;
}

/** Creates the lazy controller of one element. */
export function createLazyController({ host, language }: LazyControllerOptions): LazyController {
  let controller: Controller | undefined;
  let loading: Promise<Controller> | undefined;
  let attempt: Attempt | undefined;
  let failure: string | undefined;
  /** The state until the controller is loaded, which continues from it. */
  let firstState: ElementState = 'idle';

  function load(): Promise<Controller> {
    // One import at a time: WebKit fails the second one while the module loads,
    // https://bugs.webkit.org/show_bug.cgi?id=242740.
    loading ??= import('./controller.js')
      // Not together with the next step: WebKit resolves the second import of a file that failed.
      .then(({ Controller }) => Controller)
      .catch((cause: unknown) => {
        throw new LicensingApplyError(navigator.onLine ? 'load_failed' : 'offline', '', { cause });
      })
      .then((Controller) => (controller ??= new Controller({ host, language, show, state: firstState })))
      .finally(() => {
        loading = undefined;
      });
    return loading;
  }

  function show(request: OpenRequest): Promise<boolean> {
    if (!host.isConnected) return Promise.resolve(false);
    if (attempt) return attempt.result ?? Promise.resolve(false);
    const known = controller?.resultWithoutOpening(request);
    if (known !== undefined) return Promise.resolve(known);
    // It may reject before the controller handles it.
    Promise.resolve(request.session).catch(() => undefined);
    const [mode] = modesOf(host, request.mode);
    const current: Attempt = { isCancelled: false };
    attempt = current;
    const isAllowed = host.dispatchEvent(new LicensingBeforeOpenEvent({ mode }));
    if (!isAllowed || current.isCancelled) {
      attempt = undefined;
      return Promise.resolve(false);
    }
    // Before anything is awaited: a popup that opens in a later task is blocked.
    const popup = mode === 'popup' ? openPopup(host, language()) : undefined;
    failure = undefined;
    current.result = open(current, { ...request, popup }).finally(() => {
      if (attempt === current) attempt = undefined;
      host.requestUpdate();
    });
    // On a slow network the controller takes seconds. Later, or a listener that closes finds nothing.
    if (!controller) changeState('preparing');
    host.requestUpdate();
    return current.result;
  }

  async function open(current: Attempt, request: OpenRequest): Promise<boolean> {
    try {
      const loaded = controller ?? (await load());
      // Whether the user must choose states first is known once it is loaded.
      const isReady = !current.isCancelled && loaded.resultWithoutOpening(request) === undefined;
      if (isReady) return await loaded.open(request);
    } catch (cause) {
      if (!current.isCancelled) reportFailure(toLicensingApplyError(cause));
    }
    request.popup?.close();
    return false;
  }

  function reportFailure(error: LicensingApplyError): void {
    failure = errorText(language().texts, error);
    changeState('error');
    host.dispatchEvent(new LicensingErrorEvent(error, failure));
  }

  function state(): ElementState {
    return controller?.state ?? firstState;
  }

  function changeState(to: ElementState): void {
    const from = state();
    if (controller) controller.state = to;
    else firstState = to;
    if (from !== to) host.dispatchEvent(new LicensingStateChangeEvent({ from, to }));
  }

  function isOpen(): boolean {
    return attempt !== undefined || controller?.isOpen === true;
  }

  async function close(force: boolean): Promise<boolean> {
    cancel();
    return (await controller?.close('call', force)) ?? true;
  }

  function cancel(): void {
    if (!attempt) return;
    attempt.isCancelled = true;
    // The next `show()` opens again. A listener of `licensing-beforeopen` that calls it must not.
    if (!attempt.result) return;
    attempt = undefined;
    if (state() !== 'preparing' || controller?.isOpen) return;
    changeState('closed');
    host.dispatchEvent(new LicensingCloseEvent({ outcome: 'unsubmitted', by: 'call' }));
    host.requestUpdate();
  }

  return {
    get controller() {
      return controller;
    },
    get state() {
      return state();
    },
    get isOpening() {
      return attempt !== undefined;
    },
    get failure() {
      return failure;
    },
    load,
    preload() {
      load().catch(() => undefined);
      preconnect(controller?.sessions.usable()?.applicationUrl ?? host.applicationUrl);
    },
    show,
    showByUser() {
      const isEarlier = host.applicationId && !controller?.sessions.session;
      void show({ reason: isEarlier ? 'resume' : 'open' });
    },
    async followOpen() {
      if (host.open === isOpen()) return;
      await (host.open ? show({ reason: 'open' }) : close(false));
      // Not the result: in the meantime the page may have opened or closed it again.
      host.open = isOpen();
    },
    async followAttributes() {
      const hasSource = host.followStatus ?? (host.statusUrl || host.eventsUrl || host.sessionUrl);
      const isNeeded = host.chooseStates || (host.applicationId && hasSource) || mayHaveRedirectState(host);
      if (!controller && !isNeeded) return;
      // If the code cannot be loaded, the card is still there, and opening reports the error.
      (await load().catch(() => undefined))?.followAttributes();
    },
    close,
    disconnect() {
      cancel();
      controller?.disconnect();
    },
  };
}

/**
 * A plain hint of the platform. Chromium does not use the connection for a frame of another site,
 * which is kept apart from this page (network partitioning); others may.
 */
function preconnect(applicationUrl: string): void {
  const { url } = validateApplicationUrl(applicationUrl, location.origin);
  if (!url || document.head.querySelector(`link[rel=preconnect][href="${CSS.escape(url.origin)}"]`)) return;
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = url.origin;
  document.head.append(link);
}
