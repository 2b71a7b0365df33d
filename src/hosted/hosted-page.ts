import {
  openPageEnd,
  type ChannelInit,
  type ElementMessages,
  type HostedErrorCode,
  type PageMessages,
  type Rejection,
  type Snapshot,
} from '../channel/index.js';
import { relayEscape } from './escape-key.js';
import { trackForms } from './forms.js';
import { observeHeight } from './height.js';
import { returnLostFocus } from './lost-focus.js';

/** What {@link connectHostedPage} needs. */
export interface HostedPageOptions {
  /**
   * The origins that may embed this page, such as `["https://agency.example"]`. They come from the server's session: an
   * address or a referrer is written by whoever embeds the page.
   */
  allowedOrigins: readonly string[];
  /** Where the application stands while this document is shown. */
  snapshot: Snapshot;
  /** Called on each connection and whenever the appearance changes. */
  onConfigure?(init: ChannelInit): void;
  /** Goes one step back and returns whether there was one. When absent, the page does not move. */
  navigateBack?(): boolean;
  /**
   * Called when the partner renewed the session. With an `applicationUrl`, which is of this origin, the page may go on with that
   * link in place of its own, with all that is typed on it: ask your server whether it is one of the same application, change
   * the page's forms and links, and return `true`. Otherwise the element loads the link as soon as nothing is lost by it.
   */
  onSession?(session: ElementMessages['session']): unknown;
  /** Called with what became of a `requiresAction`. */
  onActionResult?(result: ElementMessages['actionResult']): void;
  /** Called for every message that was refused. It had no effect. */
  onRejected?(rejection: Rejection): void;
  /** The part of the page that is measured and whose forms are watched. Default: the whole document. */
  root?: HTMLElement;
}

/** The hosted page as the element sees it. Every method is safe to call at any time, connected or not. */
export interface HostedPage {
  /** Whether an element is connected. */
  readonly connected: boolean;
  /** Tells that something of the snapshot changed. */
  update(change: Partial<Snapshot>): void;
  /** Tells that the application went to the states. */
  submitted(change?: Partial<Snapshot>): void;
  /** Tells that a state asks for more. */
  requiresAction(action: PageMessages['requiresAction']): void;
  /** Tells that the session ends in so many seconds, 0–86,400. */
  sessionExpiring(inSeconds: number): void;
  /** Asks to be closed: because of a button, the Escape key, or because there is nothing left to do. */
  requestClose(by: PageMessages['closeRequest']['by']): void;
  /** Tells that something failed. */
  error(error: { code: HostedErrorCode; recoverable: boolean }): void;
  /** Ends the connection and takes every listener off the page. */
  disconnect(): void;
}

/**
 * Connects this page with the `<licensing-apply>` that shows it in a frame or a popup. By itself it relays the Escape key, tells
 * its height, asks to be scrolled to its top, gives the focus back that something over the frame took, knows whether a form holds
 * unsaved input, and says so when it is asked before closing. It never reads the value of a field. Opened on its own, it does
 * nothing.
 *
 * @throws TypeError when one of `allowedOrigins` is not an exact origin, or `snapshot` is not one.
 */
export function connectHostedPage(options: HostedPageOptions): HostedPage {
  const target = window.parent === window ? (window.opener as Window | null) : window.parent;
  if (!target) return createUnconnectedPage();

  const root = options.root ?? document.documentElement;
  const listening = new AbortController();
  const { signal } = listening;
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
      actionResult: (result) => {
        options.onActionResult?.(result);
        return {};
      },
      async session(session) {
        const { applicationUrl } = session;
        // The partner's page may show us, but it does not choose where what is typed here is sent.
        const isForeign = applicationUrl !== undefined && new URL(applicationUrl).origin !== location.origin;
        const taken = !isForeign && (await options.onSession?.(session)) === true;
        return applicationUrl === undefined ? {} : { taken };
      },
    },
    onConnect: configure,
    onRejected: (rejection) => options.onRejected?.(rejection),
  });

  // A new step starts at its top. Said once a document, so that a reconnection moves nobody who is reading.
  end.send('scrollTo', { top: 0 });
  observeHeight(root, signal, (height) => {
    end.send('resize', { height });
  });
  relayEscape(root, signal, () => {
    requestClose('escape');
  });
  returnLostFocus(root, signal);
  trackForms(root, signal, (dirty) => {
    if (snapshot.dirty === dirty) return;
    snapshot = { ...snapshot, dirty };
    end.send('dirty', { dirty });
  });

  function configure(changed: ChannelInit): void {
    init = changed;
    options.onConfigure?.(changed);
  }

  function tell(type: 'progress' | 'submitted', next: Snapshot): void {
    // Throws for what cannot be told, which must not spoil all that is told later.
    end.send(type, next);
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
      tell('progress', { ...snapshot, ...change });
    },
    submitted(change) {
      tell('submitted', { ...snapshot, step: 'submitted', index: snapshot.count, dirty: false, ...change });
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

/** The page of a user who opened the link directly: there is nobody to tell anything. */
function createUnconnectedPage(): HostedPage {
  const tellNobody = () => undefined;
  return {
    connected: false,
    update: tellNobody,
    submitted: tellNobody,
    requiresAction: tellNobody,
    sessionExpiring: tellNobody,
    requestClose: tellNobody,
    error: tellNobody,
    disconnect: tellNobody,
  };
}
