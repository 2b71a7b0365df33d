import type { Appearance, ElementAnswers, ElementEnd, PageMessages, Rejection } from '../channel/index.js';
import { LicensingApplyError } from './errors.js';
import { loadChannel } from './load-channel.js';

/** What a frame is connected with. */
export interface ConnectionOptions {
  frame: HTMLIFrameElement;
  url: URL;
  appearance: Appearance;
  signal: AbortSignal;
  report: ConnectionReport;
}

/** What becomes of it. */
export interface ConnectionReport {
  /** A document of the hosted page answered: the first one, and each that follows it. */
  onConnect(info: { protocolVersion: number; durationMs: number }): void;
  onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  onRejected(rejection: Rejection): void;
  /** The frame loaded something that does not speak the channel. */
  onPlain(): void;
  /** It takes long: a way around the frame should be offered. */
  onSlow(): void;
  /** What is no `LicensingApplyError` is code that could not be loaded. */
  onFailed(problem: unknown): void;
}

/** The connection to the hosted page of one frame, over all its documents. */
export interface Connection {
  /** What closing now would lose; undefined when the page does not say. */
  confirmClose(): Promise<ElementAnswers['confirmClose'] | undefined>;
  /** Tells the page how it is shown now. */
  configure(appearance: Appearance): void;
}

/** A page that speaks the channel says hello while it loads; one that is silent this long after `load` does not. */
const plainAfterMs = 2_000;
const slowAfterMs = 8_000;
const failedAfterMs = 20_000;
const answerWithinMs = 1_500;

/**
 * Connects a frame, and tells apart what may be wrong with it. `load` fires for refused frames as well, so it proves nothing by
 * itself: 1. a hello of the page is the only success; 2. a violation of this page's own policy is a certain failure; 3. `load`
 * without hello is a page that does not speak the channel, or a refusal that no script can see; 4. neither is a failure in the end.
 *
 * The code of the channel comes while the frame loads. Nothing is lost meanwhile: the page repeats its hello until it is answered.
 */
export function connectFrame({ frame, url, appearance, signal, report }: ConnectionOptions): Connection {
  const startedAt = performance.now();
  const channel = crypto.randomUUID();
  let shown = appearance;
  let end: ElementEnd | undefined;
  let connected = false;
  let audible = false;

  function after(delayMs: number, act: () => void): void {
    setTimeout(() => {
      if (!connected && !signal.aborted) act();
    }, delayMs);
  }

  function fail(problem: unknown): void {
    if (!connected && !signal.aborted) report.onFailed(problem);
  }

  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { signal });
  });
  const listening = loadChannel().then((openElementEnd) => {
    if (signal.aborted) return;
    end = openElementEnd({
      target: () => frame.contentWindow,
      origin: url.origin,
      get init() {
        return { channel, ...shown };
      },
      onConnect({ protocolVersion }) {
        connected = true;
        report.onConnect({ protocolVersion, durationMs: Math.round(performance.now() - startedAt) });
      },
      onMessage: report.onMessage,
      onRejected: report.onRejected,
    });
    signal.addEventListener('abort', end.close);
  });
  Promise.all([loaded, listening]).then(() => {
    audible = true;
    after(plainAfterMs, report.onPlain);
  }, fail);
  document.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI, effectiveDirective, disposition }) => {
      if (effectiveDirective !== 'frame-src' || disposition !== 'enforce' || !blockedURI.startsWith(url.origin)) return;
      fail(new LicensingApplyError('frame_blocked_by_page'));
    },
    { signal },
  );
  after(slowAfterMs, report.onSlow);
  after(failedAfterMs, () => {
    if (!audible) fail(new LicensingApplyError(navigator.onLine ? 'timeout' : 'offline'));
  });

  return {
    async confirmClose() {
      if (!end?.connected) return undefined;
      return end.call('confirmClose', {}, { timeoutMs: answerWithinMs }).catch(() => undefined);
    },
    configure(changed) {
      shown = changed;
      if (end?.connected) void end.call('configure', changed, { timeoutMs: answerWithinMs }).catch(ignore);
    },
  };
}

/** A page that does not take its new colours is no worse than before. */
function ignore(): void {}
