import type { Container } from '../container/container.js';
import type { Connection } from './connection.js';
import type { SessionKeeper, SessionSource } from './sessions.js';

/** The options of a renewal. */
export interface RenewalOptions {
  source: SessionSource;
  sessions: SessionKeeper;
  container: Container;
  connection: Connection;
  /** The URL that was loaded first. */
  url: URL;
  signal: AbortSignal;
}

/** Renews the session of one opening while the user works in it. */
export interface Renewal {
  /** Before the session ends. Resolves with whether the page has a session that lasts longer. */
  extend(): Promise<boolean>;
  /** After the session ended. Resolves with whether the page continues with a new one. */
  replace(): Promise<boolean>;
}

const firstPauseMs = 5_000;
const longestPauseMs = 300_000;

/** Creates the renewal of one opening. */
export function createRenewal(options: RenewalOptions): Renewal {
  const { source, sessions, container, connection, signal } = options;
  let currentUrl = options.url;
  let running: Promise<boolean> | undefined;
  let lastResult = false;
  const extending = createPause();
  const replacing = createPause();

  /**
   * The page continues with the new session and keeps its input. If it cannot, and its session has
   * ended, the new link is loaded in its place.
   */
  async function renew(hasEnded: boolean): Promise<boolean> {
    const before = sessions.session?.expiresAt;
    const session = await sessions.renew(source, signal);
    if (!session) return false;
    const url = new URL(session.applicationUrl);
    const isSameUrl = url.href === currentUrl.href;
    // The connection is to one origin.
    if (url.origin !== currentUrl.origin) return false;
    if (session.expiresAt) {
      // A short session is renewed often. Half of its length ends the pauses, which no page can
      // change; without a later end they continue.
      const halfMs = (Date.parse(session.expiresAt) - Date.now()) / 2;
      if (session.expiresAt !== before) for (const pause of [extending, replacing]) pause.endWithin(halfMs);
      const expiresAt = new Date(session.expiresAt).toISOString();
      const isTaken = await connection.sendSession({ expiresAt, ...(!isSameUrl && { applicationUrl: url.href }) });
      if (signal.aborted) return false;
      if (isTaken) {
        currentUrl = url;
        container.setUrl(url);
        return true;
      }
    }
    if (!hasEnded) return isSameUrl && session.expiresAt !== before;
    // The page has just reported that this link has ended.
    if (isSameUrl || signal.aborted) return false;
    currentUrl = url;
    container.replace(url);
    return true;
  }

  function start(hasEnded: boolean, mayRun: () => boolean): Promise<boolean> {
    if (running) return running;
    // A page can report it 500 times a second, but the partner's backend must not get 500 requests.
    if (!mayRun()) return Promise.resolve(!hasEnded && lastResult);
    running = renew(hasEnded)
      // The request failed, or the backend answered with an invalid URL or date.
      .catch(() => false)
      .then((result) => {
        running = undefined;
        return (lastResult = result);
      });
    return running;
  }

  return {
    extend: () => start(false, extending.mayRun),
    replace: () => start(true, replacing.mayRun),
  };
}

/** The pauses between the runs of an action. */
interface Pause {
  /** Whether the action may run now. Then the next pause begins, twice as long as the last one. */
  mayRun(): boolean;
  /** Ends the pause after this time at the latest, but not before the first pause would end. */
  endWithin(ms: number): void;
}

function createPause(): Pause {
  let pauseMs = firstPauseMs;
  let [earliest, nextAt] = [0, 0];
  return {
    mayRun() {
      const now = performance.now();
      if (now < nextAt) return false;
      [earliest, nextAt] = [now + firstPauseMs, now + pauseMs];
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      return true;
    },
    endWithin(ms) {
      if (ms >= 0) nextAt = Math.min(nextAt, Math.max(earliest, performance.now() + ms));
    },
  };
}
