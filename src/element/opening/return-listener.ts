import { isReturn } from '../../channel/index.js';
import type { ReturnStatus } from '../../contract/index.js';

/** What the return page said. */
interface ReturnMessage {
  status: ReturnStatus;
  state: string;
}

/** What to wait for and whom to tell. */
export interface ReturnListenerOptions {
  /** The one-time value that the return must carry; undefined when nobody knows it, so that a return proves nothing. */
  state(): string | undefined;
  /** The window of our frame, while there is one. */
  frame(): Window | null;
  signal: AbortSignal;
  /** `proven` is whether it carried the one-time value. Only a return of our own frame is told without it. */
  onReturn(status: ReturnStatus, proven: boolean): void;
  onRejected(rejection: { origin: string; reason: 'source' | 'origin' | 'state' }): void;
}

/** Hears the return script of the partner's return page, in our frame or in another window of this site. */
export function listenForReturn({ state, frame, signal, onReturn, onRejected }: ReturnListenerOptions): void {
  addEventListener(
    'message',
    ({ data, origin, source }: MessageEvent<unknown>) => {
      if (!isOurs(data)) return;
      if (origin !== location.origin) onRejected({ origin, reason: 'origin' });
      else if (source !== frame()) {
        // Another element's frame returns to this page as well; only one that knows our secret is worth a report.
        if (data.state === state()) onRejected({ origin, reason: 'source' });
      } else if (state() !== undefined && data.state !== state()) onRejected({ origin, reason: 'state' });
      else onReturn(data.status, data.state === state());
    },
    { signal },
  );
  const channel = new BroadcastChannel('licensing-apply');
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    // Every tab of the site hears every return: one without our value is another application's.
    if (isOurs(data) && data.state === state()) onReturn(data.status, true);
  });
  signal.addEventListener('abort', () => {
    channel.close();
  });
}

const statuses: readonly unknown[] = ['submitted', 'cancelled', 'expired'] satisfies ReturnStatus[];

/** Whether a value says how the user came back. */
export function isReturnStatus(value: unknown): value is ReturnStatus {
  return statuses.includes(value);
}

function isOurs(value: unknown): value is ReturnMessage {
  return isReturn(value) && typeof value.state === 'string' && isReturnStatus(value.status);
}
