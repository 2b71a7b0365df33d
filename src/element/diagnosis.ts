import type { FlowState } from './flow.js';
import { version } from './version.js';

/** What a support ticket needs: nothing personal, no address but origins, no id, nothing that opens an application. */
export interface Diagnosis {
  /** The version of this package. */
  version: string;
  /** When this was asked, in milliseconds since the page was there. */
  ms: number;
  /** Where the element stands. */
  state: FlowState;
  /** As the page set it. */
  mode: string;
  /** As the page set it. */
  fallback: string;
  /** Where the page is from; `null` in a sandbox. */
  origin: string;
  /** Where the application is from; "" while there is no session. */
  applicationOrigin: string;
  /** The events of the element in their order, at most 200: when, in milliseconds since the page was there, and what they said. */
  timeline: readonly Readonly<{ ms: number; event: string; [field: string]: unknown }>[];
  /** How many messages were refused, by reason. */
  rejected: Readonly<Record<string, number>>;
  /** The browser, as it calls itself. */
  userAgent: string;
  /** Whether the browser believes to have a network. */
  online: boolean;
  /** Whether this page is itself in a frame. */
  framed: boolean;
  /** Whether this page is in the foreground. */
  visible: boolean;
  /** The width of this page in CSS pixels. */
  width: number;
}

/** What is observed. */
export interface DiagnosisOptions {
  host: HTMLElement & { mode: string; fallback: string };
  state(): FlowState;
  /** The address of the session; "" while there is none. */
  address(): string;
}

// Not those that name the application or a state's request.
const events = ['statechange', 'beforeopen', 'modechange', 'blocked', 'ready', 'close', 'error'];
const longestTimeline = 200;

/** Observes an element from now on; returns what tells of it. */
export function createDiagnosis({ host, state, address }: DiagnosisOptions): () => Diagnosis {
  const timeline: { ms: number; event: string }[] = [];
  const rejected: Record<string, number> = {};

  for (const name of events)
    host.addEventListener(`licensing-${name}`, (event) => {
      if (timeline.length >= longestTimeline) return;
      const said = JSON.parse(JSON.stringify(event)) as object;
      timeline.push({ ms: Math.round(event.timeStamp), event: name, ...said });
    });
  host.addEventListener('licensing-messagerejected', ({ reason }) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  });

  return function diagnose() {
    const { mode, fallback } = host;
    const { userAgent, onLine: online } = navigator;
    return {
      version,
      ms: Math.round(performance.now()),
      state: state(),
      mode,
      fallback,
      origin: self.origin,
      applicationOrigin: /^https?:..[^/]+/.exec(address())?.[0] ?? '',
      timeline,
      rejected,
      userAgent,
      online,
      framed: window.top !== window,
      visible: !document.hidden,
      width: innerWidth,
    };
  };
}
