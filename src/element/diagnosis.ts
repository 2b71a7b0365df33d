import type { ElementState } from './element-state.js';
import type { ErrorCode } from './errors.js';
import { originOf } from './url-policy.js';
import { version } from './version.js';

/**
 * The data for a support ticket. Contains no personal data, no ids, and only the origins of URLs.
 */
export interface Diagnosis {
  /** The version of this package. */
  version: string;
  /** The state of the element. */
  state: ElementState;
  /** The attribute `mode`. */
  mode: string;
  /** The origin of the page; `null` in a sandbox. */
  origin: string;
  /** The origin of the application; "" without a session. */
  applicationOrigin: string;
  /** The states and errors so far, at most 200, with milliseconds since the page was opened. */
  timeline: readonly { readonly ms: number; readonly event: ElementState | ErrorCode }[];
  /** The time of the last message of each type, in milliseconds since the page was opened. */
  messages: Readonly<Record<string, number>>;
  /** The number of rejected messages, by reason. */
  rejected: Readonly<Record<string, number>>;
  /** Whether this page is itself in a frame. */
  isFramed: boolean;
  /** Whether this page is cross-origin isolated, which only some frames allow. */
  isIsolated: boolean;
  /** Whether the browser has a network connection. */
  isOnline: boolean;
  /** The browser. */
  userAgent: string;
}

/** Records the events of one element. */
export interface Diagnostics {
  /** Records a message of the hosted page. */
  recordMessage(type: string): void;
  /** Returns the recorded data. */
  diagnose(state: ElementState, applicationUrl: string): Diagnosis;
}

const longestTimeline = 200;

/** Creates the record of one element, which is in this state already. */
export function createDiagnostics(host: HTMLElement & { mode: string }, state: ElementState): Diagnostics {
  const timeline: { ms: number; event: ElementState | ErrorCode }[] = [];
  const messages: Record<string, number> = {};
  const rejected: Record<string, number> = {};

  function record(event: ElementState | ErrorCode): void {
    if (timeline.length < longestTimeline) timeline.push({ ms: Math.round(performance.now()), event });
  }

  if (state !== 'idle') record(state);
  host.addEventListener('licensing-statechange', ({ to }) => {
    record(to);
  });
  host.addEventListener('licensing-error', ({ code }) => {
    record(code);
  });
  host.addEventListener('licensing-messagerejected', ({ reason }) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  });

  return {
    recordMessage(type) {
      messages[type] = Math.round(performance.now());
    },
    diagnose(state, applicationUrl) {
      return {
        version,
        state,
        mode: host.mode,
        origin: self.origin,
        applicationOrigin: originOf(applicationUrl),
        timeline: [...timeline],
        messages: { ...messages },
        rejected: { ...rejected },
        isFramed: top !== self,
        isIsolated: crossOriginIsolated,
        isOnline: navigator.onLine,
        userAgent: navigator.userAgent,
      };
    },
  };
}
