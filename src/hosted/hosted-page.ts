import {
  openPageEnd,
  type ChannelInit,
  type ElementMessages,
  type HostedErrorCode,
  type PageMessages,
  type Rejection,
  type Snapshot,
} from '../channel/index.js';
import { createUnloadQuestion, observeHeight, relayEscape, returnLostFocus, trackForms } from './page-observers.js';

/** The options of {@link connectHostedPage}. */
export interface HostedPageOptions {
  /**
   * The origins that may embed this page, such as `["https://agency.example"]`. Take them from your
   * server's session: the embedder controls the URL and the referrer.
   */
  allowedOrigins: readonly string[];
  /** The state of the application while this document is shown. */
  snapshot: Snapshot;
  /** Called on each connection, when the frame has loaded, and whenever the appearance changes. */
  onConfigure?(init: ChannelInit): void;
  /** Goes one step back and returns whether there was one. When absent, the page does not move. */
  navigateBack?(): boolean;
  /**
   * Called when the partner renewed the session. With an `applicationUrl`, which is of this origin,
   * the page may continue with that link and keep its input: ask your server whether the link
   * belongs to the same application, change the page's forms and links, and return `true`.
   * Otherwise the element loads the link as soon as no input is lost by it.
   */
  onSession?(session: ElementMessages['session']): unknown;
  /** Called for every message that was refused. It had no effect. */
  onRejected?(rejection: Rejection): void;
  /**
   * The part of the page that is measured and whose forms are watched. Default: the whole document.
   */
  root?: HTMLElement;
}

/**
 * The hosted page's end for the element. Every method is safe to call at any time, connected or
 * not.
 */
export interface HostedPage {
  /** Whether an element is connected. */
  readonly connected: boolean;
  /** Reports a change of the snapshot. */
  update(change: Partial<Snapshot>): void;
  /** Reports that the application was submitted to the states. */
  submitted(change?: Partial<Snapshot>): void;
  /** Reports that a state requires an action of the user. */
  requiresAction(action: PageMessages['requiresAction']): void;
  /**
   * Reports the seconds until the session ends, 0–86,400. Each call makes the element request a new
   * session from the partner's backend: call it once or twice before the end, not on a timer.
   */
  sessionExpiring(inSeconds: number): void;
  /** Asks the element to close, for a button, the Escape key, or the end of the application. */
  requestClose(by: PageMessages['closeRequest']['by']): void;
  /** Reports that something failed. */
  error(error: { code: HostedErrorCode; recoverable: boolean }): void;
  /** Ends the connection and removes every listener from the page. */
  disconnect(): void;
}

/**
 * Connects this page with the `<licensing-apply>` that shows it in a frame or a popup.
 *
 * - It relays the Escape key and reports the height of the page.
 * - It asks the element to scroll to the top of the page.
 * - It restores the focus that something over the frame took.
 * - It reports whether a form holds unsaved input. While one does, the browser asks before the page
 *   is left.
 *
 * In a page that was opened on its own, only the question of the browser remains. It never reads
 * the value of a field.
 *
 * @throws TypeError when one of `allowedOrigins` is not an exact origin, or `snapshot` is not one.
 */
export function connectHostedPage(options: HostedPageOptions): HostedPage {
  const target = window.parent === window ? (window.opener as Window | null) : window.parent;
  const root = options.root ?? document.documentElement;
  const listening = new AbortController();
  const { signal } = listening;
  const setAsking = createUnloadQuestion(root, signal);
  // The submission itself leaves the page.
  const onSend = () => {
    setAsking(false);
  };
  setAsking(options.snapshot.dirty);
  if (!target) {
    trackForms(root, signal, { onDirty: setAsking, onSend });
    return createUnconnectedPage(setAsking, listening);
  }

  let snapshot = options.snapshot;
  let init: ChannelInit | undefined;

  const end = openPageEnd({
    target,
    origins: options.allowedOrigins,
    snapshot,
    handlers: {
      configure: (appearance) => {
        if (init) configure({ ...init, ...appearance });
        return {};
      },
      confirmClose: () => ({ dirty: snapshot.dirty, savedAt: snapshot.savedAt }),
      navigateBack: () => ({ moved: options.navigateBack?.() ?? false }),
      async session(session) {
        const { applicationUrl } = session;
        // The partner's page may frame this page, but it does not choose the target of the input.
        const isForeign = applicationUrl !== undefined && new URL(applicationUrl).origin !== location.origin;
        const taken = !isForeign && (await options.onSession?.(session)) === true;
        return applicationUrl === undefined ? {} : { taken };
      },
    },
    onConnect: configure,
    onRejected: (rejection) => options.onRejected?.(rejection),
  });

  // A new step starts at its top. Sent once a document, so that a reconnection does not scroll a
  // page that is being read.
  end.send('scrollTo', { top: 0 });
  observeHeight(root, signal, (height) => {
    end.send('resize', { height });
  });
  relayEscape(root, signal, () => {
    requestClose('escape');
  });
  returnLostFocus(root, signal);
  trackForms(root, signal, {
    onDirty(dirty) {
      setAsking(dirty);
      if (snapshot.dirty === dirty) return;
      snapshot = { ...snapshot, dirty };
      end.send('dirty', { dirty });
    },
    onSend,
  });

  function configure(changed: ChannelInit): void {
    init = changed;
    options.onConfigure?.(changed);
  }

  function report(type: 'progress' | 'submitted', next: Snapshot): void {
    // Throws for what the protocol does not allow, which must not become part of later snapshots.
    end.send(type, next);
    if (next.dirty !== snapshot.dirty) setAsking(next.dirty);
    snapshot = next;
  }

  function requestClose(by: PageMessages['closeRequest']['by']): void {
    end.send('closeRequest', { by });
  }

  return {
    get connected() {
      return end.connected;
    },
    update(change) {
      report('progress', { ...snapshot, ...change });
    },
    submitted(change) {
      report('submitted', { ...snapshot, step: 'submitted', index: snapshot.count, dirty: false, ...change });
    },
    requiresAction(action) {
      end.send('requiresAction', action);
    },
    sessionExpiring(inSeconds) {
      end.send('sessionExpiring', { inSeconds });
    },
    requestClose,
    error(error) {
      end.send('error', error);
    },
    disconnect() {
      listening.abort();
      end.close();
    },
  };
}

/** The page of a user who opened the link directly: there is no element. */
function createUnconnectedPage(setAsking: (isAsking: boolean) => void, listening: AbortController): HostedPage {
  const ignore = () => undefined;
  return {
    connected: false,
    update: ({ dirty }) => {
      if (dirty !== undefined) setAsking(dirty);
    },
    submitted: () => {
      setAsking(false);
    },
    requiresAction: ignore,
    sessionExpiring: ignore,
    requestClose: ignore,
    error: ignore,
    disconnect: () => {
      listening.abort();
    },
  };
}
