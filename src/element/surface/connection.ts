import {
  type Appearance,
  type ElementAnswers,
  type ElementMessages,
  openElementEnd,
  type PageMessages,
  type Rejection,
} from '../../channel/index.js';
import { type ErrorCode, LicensingApplyError } from '../events/errors.js';
import type { Frame } from './frame.js';
import { watchPolicy } from './policy-watch.js';

/** What is connected with. */
export interface ConnectionOptions {
  /** The frame; absent for a window of its own, which shows by itself what is wrong with it. */
  frame: Frame | undefined;
  /** The window of the hosted page. Asked for every message. */
  target(): Window | null;
  url: URL;
  /** How the page is shown. Asked for now, and for every welcome. */
  appearance(): Appearance;
  signal: AbortSignal;
  report: ConnectionReport;
}

/** What becomes of it. */
export interface ConnectionReport {
  /** A document of the hosted page answered: the first one, and each that follows it. */
  onConnect(info: { protocolVersion: number; durationMs: number }): void;
  onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  onRejected(rejection: Rejection): void;
  /** Something loaded that does not speak the channel, or not a version of it that we do. */
  onPlain(): void;
  /** It takes long: a way around the frame should be offered. */
  onSlow(): void;
  onFailed(error: LicensingApplyError): void;
}

/** The connection to the hosted page of one frame or window, over all its documents. */
export interface Connection {
  /** What closing now would lose; undefined when the page does not say. */
  confirmClose(): Promise<ElementAnswers['confirmClose'] | undefined>;
  /** Tells the page how it is shown now. */
  configure(): void;
  /** Hands the page its new session. Resolves with whether it goes on with it; undefined when the page does not say. */
  renew(session: ElementMessages['session']): Promise<boolean | undefined>;
  /** Resolves with whether the page went one step back. */
  navigateBack(): Promise<boolean>;
}

/** A page that speaks the channel says hello while it loads; one that is silent this long after `load` does not. */
const plainAfterMs = 2_000;
const slowAfterMs = 8_000;
const failedAfterMs = 20_000;
const answerWithinMs = 1_500;
/** The page asks its server first. */
const renewedWithinMs = 10_000;

/**
 * Connects a frame or a window, and tells apart what may be wrong with it. `load` fires for refused frames as well, so it proves nothing by
 * itself: 1. a hello of the page is the only success; 2. a violation of this page's own policy is a certain failure; 3. `load`
 * without hello is a page that does not speak the channel, or a refusal that no script can see; 4. neither is a failure in the end.
 */
export function connect({ frame, target, url, appearance, signal, report }: ConnectionOptions): Connection {
  const { startedAt = performance.now(), loaded = Promise.resolve() } = frame ?? {};
  const channel = crypto.randomUUID();
  let isSilent = true;
  let hasLoaded = false;

  function after(delayMs: number, act: () => void): void {
    if (signal.aborted) return;
    const timer = setTimeout(() => {
      if (isSilent) act();
    }, delayMs);
    // Until it rings, it would hold the frame of an opening that is over.
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  function fail(code: ErrorCode): void {
    if (isSilent && !signal.aborted) report.onFailed(new LicensingApplyError(code));
  }

  function onLoad(): void {
    hasLoaded = true;
    after(plainAfterMs, report.onPlain);
  }

  // For nothing but its time: the first one takes longest, and while the page loads nobody waits for it.
  appearance();
  const end = openElementEnd({
    target,
    origin: url.origin,
    get init() {
      return { channel, ...appearance() };
    },
    onConnect({ protocolVersion }) {
      isSilent = false;
      report.onConnect({ protocolVersion, durationMs: Math.round(performance.now() - startedAt) });
    },
    onMessage: report.onMessage,
    onRejected: report.onRejected,
  });
  signal.addEventListener('abort', end.close);
  if (frame) after(slowAfterMs, report.onSlow);
  // Nobody tells when a window of another site has loaded.
  void loaded.then(onLoad);
  const refused = watchPolicy();
  const checkPolicy = () => {
    if ((refused[`frame-src ${url.origin}`] ?? 0) > startedAt) fail('frame_blocked_by_page');
  };
  addEventListener('securitypolicyviolation', checkPolicy, { signal });
  // It may be refused by now. Not at once: nobody has hold of this connection yet.
  queueMicrotask(checkPolicy);
  after(failedAfterMs, () => {
    if (!hasLoaded) fail(navigator.onLine ? 'timeout' : 'offline');
  });

  /** A page that does not answer is no worse than one that does not speak the channel. */
  async function ask<Type extends keyof ElementMessages>(
    type: Type,
    payload: ElementMessages[Type],
    timeoutMs = answerWithinMs,
  ): Promise<ElementAnswers[Type] | undefined> {
    return end.call(type, payload, timeoutMs).catch(() => undefined);
  }

  return {
    confirmClose: () => ask('confirmClose', {}),
    configure: () => void ask('configure', appearance()),
    renew: async (session) => (await ask('session', session, renewedWithinMs))?.taken,
    navigateBack: async () => (await ask('navigateBack', {}))?.moved ?? false,
  };
}
