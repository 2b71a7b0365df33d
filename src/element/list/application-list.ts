import type { PartnerApplication } from '../../contract/index.js';
import type { FollowStatus, followText, readApplication, StatusSource } from '../store/status-source.js';

/** The shared code of the cards, which is loaded with their controller. */
export interface StatusEngine {
  followText: typeof followText;
  readApplication: typeof readApplication;
}

/** The applications of the user, which one source reads for all cards. */
export interface ApplicationList {
  /** The applications, newest first; undefined until they are read. */
  readonly applications: readonly PartnerApplication[] | undefined;
  /** The HTTP status of the response that kept them from being read; 0 without a response. */
  readonly failedStatus: number | undefined;
  /** Follows one of the applications, for its card. Requires no connection. */
  readonly follow: FollowStatus;
  /** Reads the applications now. Resolves once they are processed, or failed. */
  refresh(): Promise<void>;
}

/** The options of a list. */
export interface ApplicationListOptions {
  /** The URL that answers `GET` with `{ applications }`. */
  url: string;
  engine: StatusEngine;
  /** Stops reading. */
  signal: AbortSignal;
  /** Called after each change. */
  onChange(): void;
}

/** Reads the applications at once, and then as long as the page is visible. */
export function createApplicationList({ url, engine, signal, onChange }: ApplicationListOptions): ApplicationList {
  let applications: readonly PartnerApplication[] | undefined;
  let failedStatus: number | undefined;
  const cards = new Set<(applications: readonly PartnerApplication[]) => void>();

  const source: StatusSource = engine.followText({
    statusUrl: url,
    eventsUrl: '',
    isSubmitted: false,
    signal,
    onText(text) {
      const read = parseList(text);
      // The known applications are better than an error.
      if (!read) {
        onError(200);
        return;
      }
      applications = read;
      failedStatus = undefined;
      for (const update of cards) update(read);
      onChange();
    },
    onError,
  });

  function onError(status: number): void {
    if (applications) return;
    failedStatus = status;
    onChange();
  }

  return {
    get applications() {
      return applications;
    },
    get failedStatus() {
      return failedStatus;
    },
    follow({ applicationId, statusUrl, signal: stopped, onApplication }) {
      let own: PartnerApplication | undefined;
      function update(all: readonly PartnerApplication[]): void {
        own = all.find((each) => each.applicationId === applicationId);
        if (own && !stopped.aborted) onApplication(own);
      }
      cards.add(update);
      stopped.addEventListener('abort', () => cards.delete(update));
      // Later: the card is still starting to follow.
      queueMicrotask(() => {
        update(applications ?? []);
      });
      return {
        onSubmitted() {
          // The page reported it. The list that reports it needs no other reading.
          if (own?.progress.step !== 'submitted') void source.refresh();
        },
        // The list is what webhooks have reported. This asks the bridge, for a user who waits for it.
        async refresh() {
          const current = statusUrl ? await engine.readApplication(statusUrl, stopped) : undefined;
          if (current && !stopped.aborted) onApplication(current);
          await source.refresh();
        },
      };
    },
    refresh: () => source.refresh(),
  };
}

/** Returns the applications, or undefined: an error page may take the place of the backend. */
function parseList(text: string): PartnerApplication[] | undefined {
  try {
    const { applications } = JSON.parse(text) as { applications?: unknown };
    return Array.isArray(applications) ? applications.filter(isApplication) : undefined;
  } catch {
    return undefined;
  }
}

function isApplication(value: Partial<PartnerApplication> | null): value is PartnerApplication {
  return !!(value?.applicationId && value.progress && Array.isArray(value.states));
}
