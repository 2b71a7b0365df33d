import {
  type Appearance,
  type ChannelError,
  type ChannelErrorCode,
  type ElementAnswers,
  type ElementMessages,
  openElementEnd,
  type PageMessages,
  type Rejection,
} from '../../channel/index.js';
import { type ErrorCode, LicensingApplyError } from '../errors.js';
import type { LicensingMessageRejectedEvent } from '../events.js';
import { originOf } from '../url-policy.js';
import { createUuid } from './uuid.js';

/**
 * A rejected message of the channel or the return page. `versions` says that no common protocol
 * version exists.
 */
export type MessageRejection = Pick<LicensingMessageRejectedEvent, 'origin' | 'reason'> & { versions?: string };

/** The options of a connection. */
export interface ConnectionOptions {
  /** The URL that was loaded. Messages are exchanged with its origin only. */
  url: URL;
  /** Loads the URL. Calls `onLoad` when a page has loaded, which may be the browser's error page. */
  load(onLoad: () => void): void;
  /** Whether the page is in a frame, which can be refused. A popup shows its errors itself. */
  isFrame: boolean;
  /** Returns the window of the hosted page. */
  target(): Window | null;
  /** Returns the appearance of the page. Called for each document of the page. */
  appearance(): Appearance;
  signal: AbortSignal;
  /** Called for each document of the hosted page that connects. */
  onConnect(info: { protocolVersion: number; durationMs: number }): void;
  /** Called for each message of the hosted page. */
  onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  onRejected(rejection: Rejection): void;
  /** Called when a page has loaded and does not support the messaging protocol. */
  onProtocolSilent(): void;
  /** Called when loading takes long. */
  onSlow(): void;
  /** Returns the time in which the next document must connect, in milliseconds. */
  patienceMs(): number;
  /** Called when a document that was connected was left, and the next one does not connect. */
  onLost(error: LicensingApplyError): void;
  onFailed(error: LicensingApplyError): void;
}

/** The connection to the hosted page of one container, over all documents of that page. */
export interface Connection {
  /**
   * Requests whether closing would lose input. Resolves with undefined if the page does not answer.
   */
  confirmClose(): Promise<ElementAnswers['confirmClose'] | undefined>;
  /** Sends the appearance again, after it changed. */
  configure(): void;
  /** Sends a renewed session. Resolves with whether the page continues with it. */
  sendSession(session: ElementMessages['session']): Promise<boolean>;
  /** Asks the page to go one step back. Resolves with whether it did. */
  navigateBack(): Promise<boolean>;
}

/** A page that supports the protocol says hello while it loads. */
const silentAfterLoadMs = 2_000;
const slowAfterMs = 8_000;
const failedAfterMs = 20_000;
/** The part of a report that says what a Cross-Origin-Embedder-Policy refused. */
interface CoepReport {
  blockedURL: string;
  disposition: string;
}

const answerTimeoutMs = 1_500;
/** The page asks its own server before it answers. */
const sessionTimeoutMs = 10_000;
/** The failures of a call to a document that may not be there. */
const unanswered: ReadonlySet<ChannelErrorCode> = new Set(['not_connected', 'disconnected', 'timeout']);

/**
 * Connects with the hosted page and finds the reason of a failure. `load` events prove nothing,
 * because browsers send them for refused frames as well:
 *
 * 1. A hello of the page is the only success.
 * 2. A violation of this page's Content-Security-Policy is a certain failure.
 * 3. A load without a hello is a page that does not support the protocol, or a refusal that no
 *    script can see. The user can open a new window.
 * 4. Neither within 20 seconds is a failure.
 * 5. After a document was left, the next one must say hello as well: a lost network or a failing
 *    proxy leaves an error page. The document says that it leaves, but WebKit may lose that. So each
 *    document that loads while the page is connected must answer a call as well.
 */
export function connect(options: ConnectionOptions): Connection {
  const { url, signal } = options;
  const startedAt = performance.now();
  const channel = createUuid();
  let isConnected = false;
  let hasLoaded = false;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;

  // First, so that nothing delays the request.
  options.load(onLoad);

  const end = openElementEnd({
    target: options.target,
    origin: url.origin,
    get init() {
      return { channel, ...options.appearance() };
    },
    onConnect({ protocolVersion }) {
      isConnected = true;
      stopWaiting();
      options.onConnect({ protocolVersion, durationMs: Math.round(performance.now() - startedAt) });
    },
    onDisconnect: awaitNextHello,
    onMessage: options.onMessage,
    onRejected: options.onRejected,
  });
  signal.addEventListener('abort', () => {
    clearTimeout(lostTimer);
    end.close();
  });

  function unlessConnectedAfter(delayMs: number, act: () => void): void {
    if (signal.aborted) return;
    const timer = setTimeout(() => {
      if (!isConnected) act();
    }, delayMs);
    // A pending timer would keep the frame of a closed opening in memory.
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
    });
  }

  function onLoad(): void {
    if (isConnected) void findWhetherLost();
    else if (!hasLoaded) unlessConnectedAfter(silentAfterLoadMs, options.onProtocolSilent);
    hasLoaded = true;
  }

  async function findWhetherLost(): Promise<void> {
    awaitNextHello();
    try {
      await end.call('configure', options.appearance(), options.patienceMs());
    } catch (error) {
      // A page that refuses the call, or fails, is there.
      if (unanswered.has((error as ChannelError).code)) return;
    }
    stopWaiting();
  }

  function awaitNextHello(): void {
    if (!options.isFrame || signal.aborted) return;
    lostTimer ??= setTimeout(() => {
      options.onLost(new LicensingApplyError('connection_lost', url.origin));
    }, options.patienceMs());
  }

  function stopWaiting(): void {
    clearTimeout(lostTimer);
    lostTimer = undefined;
  }

  function fail(code: ErrorCode): void {
    options.onFailed(new LicensingApplyError(code, url.origin));
  }

  function onViolation({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent): void {
    const isFrameBlocked = effectiveDirective === 'frame-src' && originOf(blockedURI) === url.origin;
    if (isFrameBlocked && disposition === 'enforce' && !isConnected) fail('frame_blocked_by_page');
  }

  /** Chromium reports the frame that a Cross-Origin-Embedder-Policy of this page refuses. */
  function observeEmbedderPolicy(): void {
    const observer = new ReportingObserver(
      (reports) => {
        for (const { body } of reports as { body: { toJSON(): CoepReport } }[]) {
          // The body has its fields as JSON only.
          const { blockedURL, disposition } = body.toJSON();
          const isFrameBlocked = disposition === 'enforce' && originOf(blockedURL) === url.origin;
          if (isFrameBlocked && !signal.aborted) fail('frame_blocked_by_isolation');
        }
      },
      { types: ['coep'] },
    );
    observer.observe();
    signal.addEventListener('abort', () => {
      observer.disconnect();
    });
  }

  if (options.isFrame) {
    addEventListener('securitypolicyviolation', onViolation, { signal });
    if ('ReportingObserver' in window) observeEmbedderPolicy();
    unlessConnectedAfter(slowAfterMs, options.onSlow);
  }
  unlessConnectedAfter(failedAfterMs, () => {
    if (!hasLoaded) fail(navigator.onLine ? 'timeout' : 'offline');
  });

  /** A page that does not answer is treated like one that does not support the protocol. */
  async function call<Type extends keyof ElementMessages>(
    type: Type,
    payload: ElementMessages[Type],
    timeoutMs = answerTimeoutMs,
  ): Promise<ElementAnswers[Type] | undefined> {
    return end.call(type, payload, timeoutMs).catch(() => undefined);
  }

  return {
    confirmClose: () => call('confirmClose', {}),
    configure: () => void call('configure', options.appearance()),
    sendSession: async (session) => (await call('session', session, sessionTimeoutMs))?.taken === true,
    navigateBack: async () => (await call('navigateBack', {}))?.moved ?? false,
  };
}
