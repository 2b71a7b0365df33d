import type { ApplicationPhase } from '../element-state.js';
import { LicensingCompleteEvent, LicensingProgressEvent, LicensingStatusEvent } from '../events.js';
import type { SessionKeeper } from '../opening/sessions.js';
import { type Fact, noFacts, type PageReport, reduce } from './reducer.js';
import { actionUrlOf, isDecided, phaseOf, snapshotOf } from './selectors.js';
import type { ApplicationSnapshot, CompletionSource, StateSnapshot } from './snapshot.js';
import { type FollowStatus, followStatus, type StatusSource } from './status-source.js';

/** The options of a store. */
export interface ApplicationStoreOptions {
  /** The element, on which the events are dispatched. */
  host: EventTarget & {
    applicationId: string;
    sessionUrl: string;
    statusUrl: string;
    eventsUrl: string;
    /** Follows the application instead of a source that the store creates. */
    followStatus?: FollowStatus | undefined;
  };
  sessions: Pick<SessionKeeper, 'session'>;
  /**
   * Called after each change, before the events of the outcome. `changed` are the states whose
   * status changed.
   */
  onChange(before: ApplicationSnapshot, after: ApplicationSnapshot, changed: readonly StateSnapshot[]): void;
  /** Called when the application was submitted, once a session. */
  onComplete(): void;
}

/** The data about the application of one element, from the page, its return and the server. */
export interface ApplicationStore {
  readonly snapshot: ApplicationSnapshot;
  readonly phase: ApplicationPhase;
  /** Whether `licensing-complete` was dispatched for the present session. */
  isCompleted: boolean;
  /** Returns the link on which the user answers `state`; undefined if none was reported. */
  actionUrl(state: string): string | undefined;
  /** The link of the receipt; undefined if none was reported. */
  readonly receiptUrl: string | undefined;
  /** Adds a fact and dispatches the events that follow from it. */
  dispatch(fact: Exclude<Fact, { source: 'message' }>): void;
  /** Adds a report of the hosted page. Reports of the same frame (16 ms) are published together. */
  dispatchReport(report: PageReport): void;
  /** Whether the application is followed on the server. */
  readonly isFollowing: boolean;
  /** Follows the application on the server, if a URL for it is known. */
  follow(): void;
  /** Reads the status now. Resolves once the answer was processed; at once without a URL. */
  refresh(): Promise<void>;
  /** Stops following. */
  stop(): void;
  /** Clears everything, for another application. */
  reset(): void;
}

/** One frame at 60 Hz. Not `requestAnimationFrame`, which a hidden page never runs. */
const frameMs = 16;

/** Creates an empty store. */
export function createApplicationStore(options: ApplicationStoreOptions): ApplicationStore {
  const { host, sessions } = options;
  let facts = noFacts;
  let publishedFacts = facts;
  let published = snapshot();
  let isCompleted = false;
  let reportCount = 0;
  let frame: ReturnType<typeof setTimeout> | undefined;
  let following: AbortController | undefined;
  let followedUrls = '';
  let source: StatusSource | undefined;

  function snapshot(): ApplicationSnapshot {
    return snapshotOf(facts, sessions.session?.applicationId || host.applicationId || '');
  }

  function dispatch(fact: Fact): void {
    if (fact.source === 'server') {
      const { applicationId } = snapshot();
      // A late answer about the previous application.
      if (applicationId && fact.application.applicationId !== applicationId) return;
    }
    facts = reduce(facts, fact);
    publish(fact.source);
  }

  /**
   * The first report of a frame is published at once, later ones together at its end: a page that
   * sends thousands of messages a second must not keep this one from rendering.
   */
  function dispatchReport(report: PageReport): void {
    const { submitted } = facts;
    reportCount += 1;
    facts = reduce(facts, { source: 'message', order: reportCount, ...report });
    if (frame !== undefined) {
      // The page may close at once: `licensing-complete` comes before `licensing-close`.
      if (facts.submitted !== submitted) publish('message');
      return;
    }
    frame = setTimeout(() => {
      frame = undefined;
      publish('message');
    }, frameMs);
    publish('message');
  }

  function publish(origin: CompletionSource): void {
    if (publishedFacts === facts) return;
    const before = published;
    const after = snapshot();
    publishedFacts = facts;
    published = after;
    if (progressOf(before) !== progressOf(after)) host.dispatchEvent(new LicensingProgressEvent({ snapshot: after }));
    const changed = after.states.filter(({ state, status }) => statusOf(before, state) !== status);
    options.onChange(before, after, changed);
    complete(after, origin);
    if (changed.length > 0) host.dispatchEvent(new LicensingStatusEvent({ states: after.states }));
    if (isDecided(after)) {
      stop();
      document.addEventListener('visibilitychange', onReturnToPage);
    } else if (after.submitted) follow();
  }

  /** An operator of the bridge can correct a decision, so it is read again. */
  function onReturnToPage(): void {
    if (!document.hidden) follow();
  }

  function complete({ submitted, applicationId, verified }: ApplicationSnapshot, origin: CompletionSource): void {
    // Only for a session of this element: showing the statuses of an earlier application completes
    // nothing.
    if (!submitted || isCompleted || !sessions.session) return;
    isCompleted = true;
    options.onComplete();
    host.dispatchEvent(new LicensingCompleteEvent({ applicationId, source: origin, verified }));
  }

  function follow(): void {
    const { statusUrl, eventsUrl } = statusUrlsOf(host, sessions.session);
    const urls = `${statusUrl} ${eventsUrl}`;
    if (following && urls === followedUrls) {
      if (facts.submitted) source?.onSubmitted();
      return;
    }
    stop();
    if (!statusUrl && !eventsUrl && !host.followStatus) return;
    followedUrls = urls;
    following = new AbortController();
    source = (host.followStatus ?? followStatus)({
      applicationId: snapshot().applicationId,
      statusUrl,
      eventsUrl,
      isSubmitted: facts.submitted,
      signal: following.signal,
      onApplication(application) {
        dispatch({ source: 'server', application });
      },
    });
  }

  function stop(): void {
    document.removeEventListener('visibilitychange', onReturnToPage);
    following?.abort();
    following = source = undefined;
  }

  return {
    get snapshot() {
      return snapshot();
    },
    get phase() {
      return phaseOf(facts);
    },
    get isCompleted() {
      return isCompleted;
    },
    set isCompleted(value) {
      isCompleted = value;
    },
    actionUrl: (state) => actionUrlOf(facts, state),
    get receiptUrl() {
      return facts.details?.receiptUrl;
    },
    dispatch,
    dispatchReport,
    get isFollowing() {
      return following !== undefined;
    },
    follow,
    async refresh() {
      if (!source) follow();
      await source?.refresh();
    },
    stop,
    reset() {
      stop();
      clearTimeout(frame);
      frame = undefined;
      facts = publishedFacts = noFacts;
      published = snapshot();
      isCompleted = false;
    },
  };
}

/**
 * Returns the status URLs: those of the session, else those of the element. With
 * `session-url=".../sessions"` and an `application-id`, the routes of `createLicensingHandler`
 * beside it: `.../applications/{id}` and `.../applications/{id}/events`. A query is left out, as in
 * the URLs of a session of that handler.
 */
export function statusUrlsOf(
  host: Omit<ApplicationStoreOptions['host'], keyof EventTarget>,
  session?: SessionKeeper['session'],
): { statusUrl: string; eventsUrl: string } {
  const statusUrl = (session?.statusUrl ?? host.statusUrl) || '';
  const eventsUrl = (session?.eventsUrl ?? host.eventsUrl) || '';
  const [, base] = /^([^?#]*)\/sessions\/?(?:$|[?#])/.exec(host.sessionUrl || '') ?? [];
  if (statusUrl || eventsUrl || base === undefined || !host.applicationId) return { statusUrl, eventsUrl };
  const application = `${base}/applications/${encodeURIComponent(host.applicationId)}`;
  return { statusUrl: application, eventsUrl: `${application}/events` };
}

function statusOf({ states }: ApplicationSnapshot, code: string): string | undefined {
  return states.find(({ state }) => state === code)?.status;
}

function progressOf({ step, index, count, savedAt }: ApplicationSnapshot): string {
  return JSON.stringify([step, index, count, savedAt]);
}
