import type { PartnerSessionRequest, ReturnStatus } from '../contract/index.js';
import { appearanceOf, modeOf } from './appearance.js';
import type { ApplicationNews } from './application-news.js';
import { isLicensingApplyError, LicensingApplyError } from './errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  LicensingBeforeCloseEvent,
  LicensingBeforeOpenEvent,
  LicensingCloseEvent,
  LicensingErrorEvent,
  LicensingMessageRejectedEvent,
  LicensingReadyEvent,
} from './events.js';
import { type FlowEvent, type FlowState, nextState } from './flow.js';
import { createPageMessageHandler } from './page-messages.js';
import { listenForReturn } from './return-listener.js';
import type { SessionKeeper } from './session-keeper.js';
import type { SessionSource } from './session-source.js';
import { createSurface, type Surface, type SurfaceOptions } from './surface.js';
import type { Texts } from './texts.js';
import { judgeFrameUrl } from './url-policy.js';

/** What the flow needs of the element that it runs in. */
export interface FlowHost extends HTMLElement, SessionSource {
  mode: 'modal' | 'inline';
  locale: string;
  open: boolean;
  requestUpdate(): void;
}

/** What a flow is made of. */
export interface ApplicationFlowOptions {
  host: FlowHost;
  news: ApplicationNews;
  sessions: SessionKeeper;
  texts(): Texts;
  announce(text: string): void;
  onState(from: FlowState, to: FlowState): void;
  /** Called before anything of an opening is on the screen. */
  onOpen(): void;
  /** Called when nothing is on the screen any more. */
  onShut(): void;
}

/** Opening, closing and failing: all that changes the element's state. */
export interface ApplicationFlow {
  readonly state: FlowState;
  readonly surface: Surface | undefined;
  readonly isOpen: boolean;
  readonly failure: LicensingApplyError | undefined;
  /** Resolves with whether the application is loading. `actionUrl` opens that page instead. */
  open(reason: PartnerSessionRequest['reason'], actionUrl?: string): Promise<boolean>;
  /** Opens again what failed. */
  retry(): Promise<boolean>;
  /** Resolves with whether it is closed. `force` asks neither the page nor the user. */
  close(by: CloseCause, force: boolean): Promise<boolean>;
  /** Moves on with what the news say. */
  settle(): void;
  /** Begins anew: another application is shown. */
  reset(): void;
  /** Ends without asking: the element left the document. */
  abandon(): void;
}

/** One opening: what is on the screen, and what ends it. */
interface Opening {
  readonly ending: AbortController;
  readonly actionUrl: string | undefined;
  surface: Surface | undefined;
  isReady: boolean;
}

/** Creates the flow of one element. */
export function createApplicationFlow(options: ApplicationFlowOptions): ApplicationFlow {
  const { host, news, sessions } = options;
  let state: FlowState = 'idle';
  let opening: Opening | undefined;
  let failed: Opening | undefined;
  let failure: LicensingApplyError | undefined;
  let closing: Promise<boolean> | undefined;
  let listening: AbortController | undefined;

  const onMessage = createPageMessageHandler({
    news,
    onExpiring(inSeconds) {
      options.announce(options.texts().expiring(Math.ceil(inSeconds / 60)));
    },
    onCloseRequest(by) {
      // Inline there is nothing to escape from.
      if (by === 'page' || opening?.surface?.mode === 'modal') void close(by, false);
    },
    onExpired: expire,
    onFailed(code) {
      tell(new LicensingApplyError('application_failed', code));
    },
  });

  function move(event: FlowEvent): void {
    const from = state;
    state = nextState(from, event);
    host.requestUpdate();
    if (from !== state) options.onState(from, state);
  }

  async function open(reason: PartnerSessionRequest['reason'], actionUrl?: string): Promise<boolean> {
    if (!actionUrl && opening) return true;
    if (!actionUrl && news.phase() !== 'unsubmitted') return false;
    if (!host.dispatchEvent(new LicensingBeforeOpenEvent({ mode: modeOf(host) }))) return false;
    shut('call');
    const current: Opening = { ending: new AbortController(), actionUrl, surface: undefined, isReady: false };
    const { signal } = current.ending;
    opening = current;
    failure = failed = undefined;
    options.onOpen();
    host.open = true;
    move({ type: 'open' });
    try {
      current.surface = createSurface({
        mode: modeOf(host),
        title: options.texts().title,
        takesFocus: host.matches(':focus-within'),
        signal,
        report: reportOf(current),
      });
      host.requestUpdate();
      const address = actionUrl ?? (await applicationUrl(reason, signal));
      const { url, refusal } = judgeFrameUrl(address, location.origin);
      signal.throwIfAborted();
      if (!url) throw new LicensingApplyError('url_refused', refusal);
      listen();
      move({ type: 'load' });
      current.surface.load(url, appearanceOf(host));
      return true;
    } catch (error) {
      if (!signal.aborted) fail(error);
      return false;
    }
  }

  async function applicationUrl(reason: PartnerSessionRequest['reason'], signal: AbortSignal): Promise<string> {
    const before = sessions.session;
    const session = await sessions.obtain(host, reason, signal);
    if (before && before.applicationId !== session.applicationId) news.reset();
    const { applicationId, progress } = session;
    if (session !== before && progress)
      news.learn({ source: 'server', application: { applicationId, progress, states: [] } });
    return session.applicationUrl;
  }

  function reportOf(current: Opening): SurfaceOptions['report'] {
    return {
      onChange() {
        host.requestUpdate();
      },
      onCloseRequest(by) {
        void close(by, false);
      },
      onConnect(info) {
        move({ type: 'show' });
        // The page connects anew with every document; for the partner it became ready once.
        if (!current.isReady) host.dispatchEvent(new LicensingReadyEvent(info));
        current.isReady = true;
      },
      onPlain() {
        move({ type: 'show' });
        // Nobody will tell us how far the user is, so the server has to.
        news.follow();
      },
      onFailed: fail,
      onRejected,
      onMessage,
    };
  }

  function listen(): void {
    if (listening) return;
    listening = new AbortController();
    listenForReturn({
      state: () => sessions.returnState,
      frame: () => opening?.surface?.window() ?? null,
      signal: listening.signal,
      onRejected,
      onReturn,
    });
  }

  function onRejected({ origin, reason }: Pick<LicensingMessageRejectedEvent, 'origin' | 'reason'>): void {
    host.dispatchEvent(new LicensingMessageRejectedEvent({ origin, reason }));
  }

  function onReturn(status: ReturnStatus, isProven: boolean): void {
    if (status === 'expired') {
      expire();
      return;
    }
    if (isProven && status === 'submitted') news.learn({ source: 'return' });
    // Whatever the page claims, our frame now shows this site and not the application.
    shut('return', isProven && status === 'cancelled' ? 'cancelled' : 'unknown');
    news.refresh();
  }

  function expire(): void {
    sessions.expire();
    if (news.phase() === 'unsubmitted') fail(new LicensingApplyError('session_expired'));
    else shut('return');
  }

  function close(by: CloseCause, force: boolean): Promise<boolean> {
    if (force) shut(by);
    if (!opening) return Promise.resolve(true);
    closing ??= closeUnlessKept(opening, by).finally(() => {
      closing = undefined;
    });
    return closing;
  }

  async function closeUnlessKept(current: Opening, by: CloseCause): Promise<boolean> {
    const { surface } = current;
    const isOver = () => opening !== current;
    // A page that is too busy to answer has told us before whether it holds unsaved work.
    const { dirty, savedAt } = (await surface?.connection?.confirmClose()) ?? news.snapshot();
    if (isOver()) return true;
    if (!host.dispatchEvent(new LicensingBeforeCloseEvent({ dirty, by }))) return false;
    if (dirty && surface && !(await surface.askToLeave(savedAt)) && !isOver()) return false;
    if (!isOver()) shut(by);
    return true;
  }

  function shut(by: CloseCause, outcome: CloseOutcome = 'unknown'): void {
    if (!opening) return;
    end(opening);
    const phase = news.phase();
    move({ type: 'close', phase });
    host.dispatchEvent(new LicensingCloseEvent({ outcome: phase === 'unsubmitted' ? outcome : 'submitted', by }));
    if (phase !== 'unsubmitted') news.refresh();
    options.onShut();
  }

  function fail(cause: unknown): void {
    const error = isLicensingApplyError(cause) ? cause : new LicensingApplyError('load_failed', '', { cause });
    failed = opening;
    failure = error;
    if (opening) end(opening);
    move({ type: 'fail' });
    tell(error);
    options.onShut();
  }

  function end({ ending }: Opening): void {
    opening = undefined;
    host.open = false;
    ending.abort();
    // Whatever was unsaved went with the page.
    if (news.snapshot().dirty) news.hear({ dirty: false });
  }

  function tell(error: LicensingApplyError): void {
    const displayMessage = options.texts().errors[error.code];
    options.announce(displayMessage);
    host.dispatchEvent(new LicensingErrorEvent(error, displayMessage));
  }

  return {
    get state() {
      return state;
    },
    get surface() {
      return opening?.surface;
    },
    get isOpen() {
      return opening !== undefined;
    },
    get failure() {
      return state === 'error' ? failure : undefined;
    },
    open,
    retry: () => open('open', failed?.actionUrl),
    close,
    settle() {
      move({ type: 'learn', phase: news.phase(), purpose: opening?.actionUrl ? 'action' : 'application' });
    },
    reset() {
      move({ type: 'reset' });
    },
    abandon() {
      listening?.abort();
      listening = undefined;
      news.stop();
      shut('call');
    },
  };
}
