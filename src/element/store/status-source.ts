import type { Application } from '../../contract/index.js';

/** The options of a status source. */
export interface StatusSourceOptions {
  /** The URL that answers `GET` with the application; "" if there is none. */
  statusUrl: string;
  /** The URL that sends the application as server-sent events; "" if there is none. */
  eventsUrl: string;
  /** Stops following. */
  signal: AbortSignal;
  /** Called with each application that arrives and differs from the last one. */
  onApplication(application: Application): void;
}

/** A followed application. */
export interface StatusSource {
  /** Reads the status now. Resolves once the answer was processed, or failed. */
  refresh(): Promise<void>;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** After 401, 403, 404 or 410: the user may sign in again without leaving the page. */
const refusedPauseMs = 300_000;

/**
 * Follows an application by server-sent events, which the browser reconnects by itself. Polls with
 * pauses from 2 to 30 seconds as long as no events arrive: the server refuses them, a proxy holds
 * them back, or the connection is lost. While the page
 * is hidden it does not poll; when the user comes back, it reads at once, also after a refusal.
 */
export function followStatus({ statusUrl, eventsUrl, signal, onApplication }: StatusSourceOptions): StatusSource {
  // An attribute can hold anything, and `new EventSource` throws for an invalid URL.
  const hasEvents = eventsUrl !== '' && URL.canParse(eventsUrl, document.baseURI);
  let events: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isPolling = false;
  let wasRefused = false;
  let lastText = '';

  async function read(): Promise<void> {
    clearTimeout(timer);
    if (!statusUrl || signal.aborted) return;
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    try {
      // `fetch` sends the user's cookies to this site only, which is wanted: a status is private.
      const response = await fetch(statusUrl, { cache: 'no-store', signal });
      wasRefused = [401, 403, 404, 410].includes(response.status);
      if (response.ok) accept(await response.text());
    } catch {
      // The next poll tries again.
    }
    schedule();
  }

  function accept(text: string): void {
    if (text === lastText || signal.aborted) return;
    lastText = text;
    pauseMs = firstPauseMs;
    const application = parseApplication(text);
    if (application) onApplication(application);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!isPolling || signal.aborted || document.hidden) return;
    timer = setTimeout(() => void read(), (wasRefused ? refusedPauseMs : pauseMs) * (0.9 + Math.random() * 0.2));
  }

  /**
   * Starts to poll, unless it is polling: a browser that reconnects often must not delay the next
   * poll.
   */
  function poll(): void {
    if (isPolling) return;
    isPolling = true;
    schedule();
  }

  function listen(): void {
    events = new EventSource(eventsUrl);
    events.addEventListener('application', ({ data }: MessageEvent<string>) => {
      isPolling = false;
      clearTimeout(timer);
      accept(data);
    });
    events.addEventListener('error', () => {
      // CLOSED: the server refused, and the browser gives up. CONNECTING: the browser tries again.
      if (events?.readyState === EventSource.CLOSED) {
        isPolling = true;
        void read();
      } else poll();
    });
  }

  function onReturnToPage(): void {
    if (document.hidden) return;
    if (events?.readyState === EventSource.CLOSED) listen();
    if (isPolling) void read();
  }

  document.addEventListener('visibilitychange', onReturnToPage, { signal });
  window.addEventListener('focus', onReturnToPage, { signal });
  signal.addEventListener('abort', () => {
    events?.close();
    clearTimeout(timer);
  });
  if (hasEvents) {
    listen();
    poll();
  } else {
    isPolling = true;
    void read();
  }
  return {
    refresh() {
      if (events?.readyState === EventSource.CLOSED) listen();
      return read();
    },
  };
}

/**
 * Returns the application, or undefined: an error page may take the place of the partner's backend.
 */
function parseApplication(text: string): Application | undefined {
  try {
    const value = JSON.parse(text) as Partial<Application> | null;
    const isComplete =
      value?.progress &&
      value.states?.every((fact?: { state?: unknown; status?: unknown }) => fact?.state && fact.status);
    return isComplete ? (value as Application) : undefined;
  } catch {
    return undefined;
  }
}
