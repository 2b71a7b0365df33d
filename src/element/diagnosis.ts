import type { FlowState } from './flow.js';
import { type ModeSource, modesOf, type OpenMode } from './mode.js';
import { watchPolicy } from './surface/policy-watch.js';
import { originOf } from './url-policy.js';
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
  /** When a message of each type came last from the hosted page, such as `progress`; not what it said. */
  messages: Readonly<Record<string, number>>;
  /** How many messages were refused, by reason. */
  rejected: Readonly<Record<string, number>>;
  /** What the Content-Security-Policy of this page refused, such as `frame-src https://apply.example`, and when last. */
  refused: Readonly<Record<string, number>>;
  /** What the Permissions-Policy of this page leaves to the frame that is open; absent without one and in browsers that do not tell. */
  permissions?: readonly string[];
  /** What `auto` means here: `redirect` in a browser inside of an app, `popup` in a framed page, else `modal`. */
  auto: OpenMode;
  /** Whether this page is cross-origin isolated, and shows only frames that allow it. */
  isolated: boolean;
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

/** What keeps the record of one element. */
export interface Diagnostics {
  /** Takes down a message of the hosted page. */
  hear(type: string): void;
  /** Tells what happened since this was made. */
  diagnose(): Diagnosis;
}

/** What is observed. */
export interface DiagnosisOptions {
  host: HTMLElement & ModeSource;
  state(): FlowState;
  /** The address of the session; "" while there is none. */
  address(): string;
}

// Not those that name the application or a state's request.
const events = ['statechange', 'beforeopen', 'modechange', 'blocked', 'ready', 'close', 'error'];
const longestTimeline = 200;

/** Observes an element from now on. */
export function createDiagnosis({ host, state, address }: DiagnosisOptions): Diagnostics {
  const timeline: { ms: number; event: string }[] = [];
  const messages: Record<string, number> = {};
  const rejected: Record<string, number> = {};
  const refused = watchPolicy();

  for (const name of events)
    host.addEventListener(`licensing-${name}`, (event) => {
      if (timeline.length >= longestTimeline) return;
      const said = JSON.parse(JSON.stringify(event)) as object;
      timeline.push({ ms: Math.round(event.timeStamp), event: name, ...said });
    });
  host.addEventListener('licensing-messagerejected', ({ reason }) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  });

  return {
    hear(type) {
      messages[type] = performance.now();
    },
    diagnose() {
      const { mode, fallback } = host;
      const { userAgent, onLine: online } = navigator;
      const permissions = permissionsOf(host.shadowRoot?.querySelector<HTMLIFrameElement>('iframe[src]'));
      return {
        version,
        ms: Math.round(performance.now()),
        state: state(),
        mode,
        fallback,
        origin: self.origin,
        applicationOrigin: originOf(address()),
        timeline,
        messages,
        rejected,
        refused,
        ...(permissions && { permissions }),
        auto: modesOf(host, 'auto')[0],
        isolated: crossOriginIsolated,
        userAgent,
        online,
        framed: top !== self,
        visible: !document.hidden,
        width: innerWidth,
      };
    },
  };
}

/** Only Chromium tells, and by an interface that has no type. */
function permissionsOf(frame: (HTMLIFrameElement & { featurePolicy?: FeaturePolicy }) | null | undefined) {
  const { allow = '', featurePolicy } = frame ?? {};
  return featurePolicy && allow.split('; ').filter((feature) => featurePolicy.allowsFeature(feature));
}

interface FeaturePolicy {
  allowsFeature(feature: string): boolean;
}
