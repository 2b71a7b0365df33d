import { isReturn } from '../../channel/index.js';
import type { ReturnStatus } from '../../contract/index.js';
import { isReturnStatus } from './redirect-state.js';

/** The options of a return listener. */
export interface ReturnListenerOptions {
  /** Returns the one-time value that the return must carry; undefined if there is none. */
  returnNonce(): string | undefined;
  /** Returns the window of the open frame. */
  frame(): Window | null;
  /** Whether the application is open in a popup, which the return page then closes. */
  isPopup(): boolean;
  signal: AbortSignal;
  /**
   * `isProven` is whether it carried the one-time value. Only a return of our own frame comes
   * without.
   */
  onReturn(status: ReturnStatus, isProven: boolean): void;
  onRejected(rejection: { origin: string; reason: 'origin' | 'state' }): void;
}

/**
 * Receives the reports of the return script on the partner's return page: by postMessage from our
 * frame, by BroadcastChannel from another window of this site.
 */
export function listenForReturn(options: ReturnListenerOptions): void {
  const { returnNonce, frame, signal, onReturn, onRejected } = options;

  function onMessage({ data, origin, source, isTrusted }: MessageEvent<unknown>): void {
    if (!isTrusted || !isReturnReport(data) || source !== frame()) return;
    if (origin !== location.origin) onRejected({ origin, reason: 'origin' });
    else if (returnNonce() !== undefined && data.state !== returnNonce()) onRejected({ origin, reason: 'state' });
    else onReturn(data.status, data.state === returnNonce());
  }

  addEventListener('message', onMessage, { signal });
  const channel = new BroadcastChannel('licensing-apply');
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    // All tabs of the site receive it. Without our value it is the return of another application.
    if (!isReturnReport(data) || data.state !== returnNonce()) return;
    // The script that opened a popup may no longer close it (Cross-Origin-Opener-Policy); the popup
    // can.
    if (options.isPopup()) channel.postMessage({ ns: 'licensing-apply', t: 'close', state: data.state });
    onReturn(data.status, true);
  });
  signal.addEventListener('abort', () => {
    channel.close();
  });
}

function isReturnReport(value: unknown): value is { status: ReturnStatus; state: string } {
  return isReturn(value) && typeof value.state === 'string' && isReturnStatus(value.status);
}
