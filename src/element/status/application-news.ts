import { type Fact, learn, noFacts, type PageNews, type ServerReport } from './application-facts.js';
import { LicensingCompleteEvent, LicensingProgressEvent, LicensingStatusEvent } from '../events/events.js';
import type { Phase } from '../flow.js';
import type { SessionKeeper } from '../opening/session-keeper.js';
import {
  actionUrlOf,
  type ApplicationSnapshot,
  isDecided,
  phaseOf,
  snapshotOf,
  type StateSnapshot,
} from './snapshot.js';
import { followStatus, type StatusSource } from './status-source.js';

/** Whose news these are, and who wants to know. */
export interface ApplicationNewsOptions {
  host: EventTarget & { applicationId: string; statusUrl: string; eventsUrl: string };
  sessions: SessionKeeper;
  /** Called after each fact, between the events of progress and those of the outcome. `changed` are the states of another status. */
  onLearn(before: ApplicationSnapshot, after: ApplicationSnapshot, changed: readonly StateSnapshot[]): void;
}

/** What is known of the application, and the asking for more. */
export interface ApplicationNews {
  snapshot(): ApplicationSnapshot;
  phase(): Phase;
  /** Where the user answers a state; undefined while nobody said. */
  actionUrl(state: string): string | undefined;
  /** Takes a fact in and fires the events that follow from it. */
  learn(fact: Fact): void;
  /** Takes in what the page said, and numbers it: its later words replace the earlier ones. */
  hear(said: PageNews): void;
  /** Follows the application on the server, if there is an address for it. To be called again when the address changed. */
  follow(): void;
  /** Asks the server now, if it can be asked; resolves when its answer was taken in. */
  refresh(): Promise<void>;
  /** Stops asking. */
  stop(): void;
  /** Forgets everything: another application begins. */
  reset(): void;
}

/** Creates the news of one element. */
export function createApplicationNews({ host, sessions, onLearn }: ApplicationNewsOptions): ApplicationNews {
  let facts = noFacts;
  let completed = false;
  let messages = 0;
  let following: AbortController | undefined;
  let followed = '';
  let source: StatusSource | undefined;

  function snapshot(): ApplicationSnapshot {
    return snapshotOf(facts, sessions.session?.applicationId || host.applicationId || '');
  }

  function learnFact(fact: Fact): void {
    const before = snapshot();
    if (fact.source === 'server' && isOther(fact.application, before.applicationId)) return;
    facts = learn(facts, fact);
    const after = snapshot();
    if (progressOf(before) !== progressOf(after)) host.dispatchEvent(new LicensingProgressEvent({ snapshot: after }));
    const changed = after.states.filter(({ state, status }) => statusOf(before, state) !== status);
    onLearn(before, after, changed);
    // Once a session, and only for one that was made here: a page that shows an old application completes nothing.
    if (after.submitted && !completed && sessions.session) {
      completed = true;
      host.dispatchEvent(
        new LicensingCompleteEvent({
          applicationId: after.applicationId,
          source: fact.source,
          verified: after.verified,
        }),
      );
    }
    if (changed.length > 0) host.dispatchEvent(new LicensingStatusEvent({ states: after.states }));
    if (isDecided(after)) stop();
    else if (after.submitted) follow();
  }

  function follow(): void {
    const statusUrl = sessions.session?.statusUrl ?? host.statusUrl;
    const eventsUrl = sessions.session?.eventsUrl ?? host.eventsUrl;
    const addresses = [statusUrl, eventsUrl].join(' ');
    if (following && addresses === followed) return;
    stop();
    if (!statusUrl && !eventsUrl) return;
    followed = addresses;
    following = new AbortController();
    source = followStatus({
      statusUrl,
      eventsUrl,
      signal: following.signal,
      onApplication(application) {
        learnFact({ source: 'server', application });
      },
    });
  }

  function stop(): void {
    following?.abort();
    following = source = undefined;
  }

  return {
    snapshot,
    phase: () => phaseOf(facts),
    actionUrl: (state) => actionUrlOf(facts, state),
    learn: learnFact,
    hear(said) {
      learnFact({ source: 'message', order: ++messages, ...said });
    },
    follow,
    async refresh() {
      if (!source) follow();
      await source?.refresh();
    },
    stop,
    reset() {
      stop();
      facts = noFacts;
      completed = false;
    },
  };
}

/** A backend's news of an application that is no longer the one shown, on its way while another was begun. */
function isOther({ applicationId }: ServerReport, shownId: string): boolean {
  return shownId !== '' && applicationId !== shownId;
}

function statusOf({ states }: ApplicationSnapshot, code: string): string | undefined {
  return states.find(({ state }) => state === code)?.status;
}

function progressOf({ step, index, count, savedAt }: ApplicationSnapshot): string {
  return JSON.stringify([step, index, count, savedAt]);
}
