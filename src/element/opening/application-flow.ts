import type { ReturnStatus } from '../../contract/index.js';
import type { ApplicationNews } from '../status/application-news.js';
import { LicensingBeforeOpenEvent } from '../events/before-open-event.js';
import { LicensingErrorEvent } from '../events/error-event.js';
import { type ErrorCode, isLicensingApplyError, LicensingApplyError } from '../events/errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  LicensingBeforeCloseEvent,
  LicensingCloseEvent,
  LicensingMessageRejectedEvent,
} from '../events/events.js';
import { type FlowEvent, type FlowState, nextState } from '../flow.js';
import type { Language } from '../locales/language.js';
import { modesOf } from '../mode.js';
import { createOpening, type Opening, type OpeningHost, type OpeningRequest } from './opening.js';
import { createPageMessageHandler } from './page-messages.js';
import { listenForReturn } from './return-listener.js';
import type { SessionKeeper } from './session-keeper.js';
import { hasSource } from './session-source.js';
import type { Surface } from '../surface/surface.js';
import { failureText } from '../locales/texts.js';

/** What the flow needs of the element that it runs in. */
export interface FlowHost extends OpeningHost {
  open: boolean;
}

/** What a flow is made of. */
export interface ApplicationFlowOptions {
  host: FlowHost;
  news: ApplicationNews;
  sessions: SessionKeeper;
  language(): Language;
  announce(text: string): void;
  onState(from: FlowState, to: FlowState): void;
  /** Called for each message of the hosted page. */
  onHear(type: string): void;
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
  /** Resolves with whether the application is loading. A window of its own is opened before this returns. */
  open(asked: OpeningRequest): Promise<boolean>;
  /** Opens again what failed. */
  retry(): Promise<boolean>;
  /** Resolves with whether it is closed. `force` asks neither the page nor the user. */
  close(by: CloseCause, force: boolean): Promise<boolean>;
  /** The user came back in redirect mode with the value that only this site and the application know. */
  comeBack(status: ReturnStatus): void;
  /** Moves on with what the news say. */
  settle(): void;
  /** Forgets that nothing was configured: by now something may be. */
  reconsider(): void;
  /** Begins anew: another application is shown. */
  reset(): void;
  /** Ends without asking: the element left the document. */
  abandon(): void;
}

/** What another mode may not fail at. */
const ofMode: readonly ErrorCode[] = [
  'frame_blocked_by_page',
  'frame_blocked_by_application',
  'popup_blocked',
  'timeout',
];

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
    onHear: options.onHear,
    async onExpiring(inSeconds) {
      if (await opening?.renew(false)) return;
      options.announce(options.language().texts.expiring(Math.ceil(inSeconds / 60)));
    },
    onCloseRequest(by) {
      // Only a modal is something to escape from.
      if (by === 'page' || opening?.mode === 'modal') void close(by, false);
    },
    onExpired: () => void expire(),
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

  async function open(asked: OpeningRequest): Promise<boolean> {
    const [mode] = modesOf(host, asked.mode);
    // A page that had the user stay, as those with unsaved work do, is left when they ask again.
    const isHere = opening?.mode === 'redirect' && state === 'connecting';
    const isOpen = !asked.actionUrl && opening !== undefined && !isHere;
    const isDone = !asked.actionUrl && news.phase() !== 'unsubmitted';
    if (isOpen || isDone || !(asked.frame?.url ?? host.dispatchEvent(new LicensingBeforeOpenEvent({ mode })))) {
      asked.popup?.close();
      return isOpen;
    }
    shut('call');
    failure = failed = undefined;
    options.onOpen();
    host.open = true;
    opening = createOpening({
      ...options,
      asked,
      move,
      listen,
      close: (by) => void close(by, false),
      shut,
      fail,
      onMessage,
      onRejected,
    });
    return opening.present();
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

  function onRejected({
    origin,
    reason,
    versions,
  }: Pick<LicensingMessageRejectedEvent, 'origin' | 'reason'> & { versions?: string }): void {
    host.dispatchEvent(new LicensingMessageRejectedEvent({ origin, reason }));
    if (versions) tell(new LicensingApplyError('protocol_mismatch', versions));
  }

  function onReturn(status: ReturnStatus, isProven: boolean): void {
    if (status === 'expired') {
      void expire();
      return;
    }
    if (isProven && status === 'submitted') news.learn({ source: 'return' });
    // Whatever the page claims, our frame now shows this site and not the application.
    shut('return', isProven && status === 'cancelled' ? 'cancelled' : 'unknown');
    void news.refresh();
  }

  async function expire(): Promise<void> {
    const current = opening;
    sessions.expire();
    if (news.phase() !== 'unsubmitted') shut('return');
    else if (!current || (!(await current.renew(true)) && opening === current))
      void fail(new LicensingApplyError('session_expired'));
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
    closed(by, outcome);
  }

  function closed(by: CloseCause, outcome: CloseOutcome): void {
    const phase = news.phase();
    move({ type: 'close', phase });
    host.dispatchEvent(new LicensingCloseEvent({ outcome: phase === 'unsubmitted' ? outcome : 'submitted', by }));
    if (phase !== 'unsubmitted') void news.refresh();
    options.onShut();
  }

  /** Shows the failure, unless another mode takes over; resolves with whether one does. */
  async function fail(cause: unknown): Promise<boolean> {
    const error = isLicensingApplyError(cause) ? cause : new LicensingApplyError('load_failed', '', { cause });
    const next = ofMode.includes(error.code) && opening?.fallBack(error.code);
    if (next) return next;
    failed = opening;
    failure = error;
    if (opening) end(opening);
    move({ type: 'fail' });
    tell(error);
    options.onShut();
    return false;
  }

  function retry(): Promise<boolean> {
    const { mode, actionUrl } = failed?.asked ?? {};
    if (actionUrl || sessions.usable() || hasSource(host)) return open({ reason: 'open', mode, actionUrl });
    // Only the page can make another session, and it does on a click of its own trigger.
    options.onOpen();
    reset();
    options.onShut();
    return Promise.resolve(false);
  }

  function end(ended: Opening): void {
    opening = undefined;
    host.open = false;
    ended.end();
    // Whatever was unsaved went with the page.
    if (news.snapshot().dirty) news.hear({ dirty: false });
  }

  function reset(): void {
    move({ type: 'reset' });
  }

  function tell(error: LicensingApplyError): void {
    const displayMessage = failureText(options.language().texts, error);
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
    retry,
    close,
    comeBack(status) {
      if (status === 'expired') void expire();
      else {
        if (status === 'submitted') news.learn({ source: 'return' });
        closed('return', status);
      }
    },
    settle() {
      move({ type: 'learn', phase: news.phase(), purpose: opening?.asked.actionUrl ? 'action' : 'application' });
      // Cut off from its window, this page has nobody else to hear from that it is over. After the events of the outcome.
      if (opening?.surface?.window()?.closed && news.phase() !== 'unsubmitted') queueMicrotask(() => shut('window'));
    },
    reconsider() {
      if (state === 'error' && failure?.code === 'not_configured') reset();
    },
    reset,
    abandon() {
      listening?.abort();
      listening = undefined;
      news.stop();
      shut('call');
    },
  };
}
