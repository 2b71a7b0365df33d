import type { Application } from '../../contract/index.js';

/** What to follow and whom to tell. */
export interface StatusSourceOptions {
  /** Answers `GET` with the application. */
  statusUrl: string;
  /** Sends the application as server-sent events. */
  eventsUrl: string;
  /** Ends the following. */
  signal: AbortSignal;
  /** Called with every application that arrives. */
  onApplication(application: Application): void;
}

/** A running follow-up. */
export interface StatusSource {
  /** Asks now, whatever the schedule says; resolves when the answer was told. */
  refresh(): Promise<void>;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/**
 * Follows an application: by server-sent events where there are some, which the browser reconnects by itself; by asking, with
 * pauses that grow from 2 to 30 seconds, where there are none or they end for good. Nothing is asked while the page is hidden.
 */
export function followStatus({ statusUrl, eventsUrl, signal, onApplication }: StatusSourceOptions): StatusSource {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let polling = false;
  let lastText = '';

  async function ask(): Promise<void> {
    clearTimeout(timer);
    if (!statusUrl || signal.aborted) return;
    // Whatever comes of it: a server in trouble is asked less and less often, too.
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    try {
      // With the user's sign-in on the page's own site and on no other, as is fetch's default: a status is theirs alone.
      const response = await fetch(statusUrl, { cache: 'no-store', signal });
      if (response.ok) take(await response.text());
      // Signed out, not theirs, or gone: asking again cannot help, and a new session starts a new follow-up.
      else if ([401, 403, 404, 410].includes(response.status)) polling = false;
    } catch {
      // An outage ends by itself; the next round tries again.
    }
    schedule();
  }

  function take(text: string): void {
    const changed = text !== lastText;
    lastText = text;
    if (!changed || signal.aborted) return;
    pauseMs = firstPauseMs;
    const application = parseApplication(text);
    if (application) onApplication(application);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!polling || signal.aborted || document.hidden) return;
    timer = setTimeout(() => void ask(), pauseMs * (0.9 + Math.random() * 0.2));
  }

  function poll(): void {
    polling = true;
    void ask();
  }

  function listen(): void {
    const events = new EventSource(eventsUrl);
    events.addEventListener('application', ({ data }: MessageEvent<string>) => {
      take(data);
    });
    events.addEventListener('error', () => {
      // CONNECTING means that the browser tries again; CLOSED, that the server refused and it never will.
      if (events.readyState === EventSource.CLOSED) poll();
    });
    signal.addEventListener('abort', () => {
      events.close();
    });
  }

  document.addEventListener(
    'visibilitychange',
    () => {
      if (polling && !document.hidden) void ask();
    },
    { signal },
  );
  // The attribute of a page may hold anything, and what is no address would throw here.
  if (eventsUrl && URL.canParse(eventsUrl, document.baseURI)) listen();
  else poll();
  return { refresh: ask };
}

/** An application, or undefined where the text is none: the backend is the partner's own and may be taken over by an error page. */
function parseApplication(text: string): Application | undefined {
  try {
    const value = JSON.parse(text) as Partial<Application> | null;
    const isWhole =
      value?.progress &&
      value.states?.every((fact?: { state?: unknown; status?: unknown }) => fact?.state && fact.status);
    return isWhole ? (value as Application) : undefined;
  } catch {
    return undefined;
  }
}
