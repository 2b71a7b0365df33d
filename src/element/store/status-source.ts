import type { PartnerApplication } from '../../contract/index.js';
import { allowsStream, openStatusStream } from './status-stream.js';

/** The options of {@link followText}. */
export interface TextSourceOptions {
  /** The URL that answers `GET` with the application; "" if there is none. */
  statusUrl: string;
  /** The URL that sends the application as server-sent events; "" if there is none. */
  eventsUrl: string;
  /** Whether the application was submitted, so that its states change without the page. */
  isSubmitted: boolean;
  /** Stops following. */
  signal: AbortSignal;
  /** Called with each text that arrives and differs from the last one. */
  onText(text: string): void;
  /** Called when a read fails, with the HTTP status; 0 without a response. */
  onError?(status: number): void;
}

/** The options of a status source. */
export interface StatusSourceOptions extends Omit<TextSourceOptions, 'onText' | 'onError'> {
  /** The id of the application; "" while it is unknown. */
  applicationId: string;
  /** Called with each application that arrives and differs from the last one. */
  onApplication(application: PartnerApplication): void;
}

/** Follows an application: {@link followStatus}, or a list that follows all of its applications. */
export type FollowStatus = (options: StatusSourceOptions) => StatusSource;

/** A followed application. */
export interface StatusSource {
  /** Must be called when the application was submitted. */
  onSubmitted(): void;
  /** Reads the status now. Resolves once the answer was processed, or failed. */
  refresh(): Promise<void>;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** After 401, 403, 404 or 410: the user may sign in again without leaving the page. */
const refusedPauseMs = 300_000;
const hiddenStreamMs = 5_000;

/** Follows an application, as {@link followText} does. */
export function followStatus({ onApplication, ...options }: StatusSourceOptions): StatusSource {
  return followText({
    ...options,
    onText(text) {
      const application = parseApplication(text);
      if (application) onApplication(application);
    },
  });
}

/** Reads an application once. Resolves with undefined if it cannot be read. */
export async function readApplication(statusUrl: string, signal: AbortSignal): Promise<PartnerApplication | undefined> {
  try {
    const response = await readStatus(statusUrl, signal);
    return response.ok ? parseApplication(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` sends the user's cookies to this site only, which is wanted: a status is private. */
function readStatus(statusUrl: string, signal: AbortSignal): Promise<Response> {
  return fetch(statusUrl, { cache: 'no-store', signal });
}

/**
 * Follows a resource of the partner's backend. Before the application was submitted the status is
 * polled, with pauses from 2 to 30 seconds; afterwards the site's stream of events is used, where it
 * leaves connections for the page. Polls as long as no events arrive: the server refuses them, a
 * proxy holds them back, or the connection is lost. While the page is hidden it does neither; when
 * the user comes back, it reads at once, also after a refusal.
 */
export function followText(options: TextSourceOptions): StatusSource {
  const { statusUrl, eventsUrl, signal, onText, onError } = options;
  // An attribute can hold anything, and `new EventSource` throws for an invalid URL.
  const url = eventsUrl && URL.canParse(eventsUrl, document.baseURI) ? new URL(eventsUrl, document.baseURI).href : '';
  let { isSubmitted } = options;
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isPolling = false;
  let wasRefused = false;
  let wasHidden = false;
  let lastText = '';

  async function read(): Promise<void> {
    clearTimeout(timer);
    if (!statusUrl || signal.aborted) return;
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    try {
      const response = await readStatus(statusUrl, signal);
      wasRefused = [401, 403, 404, 410].includes(response.status);
      if (response.ok) accept(await response.text());
      else fail(response.status);
    } catch {
      // The next poll tries again.
      fail(0);
    }
    schedule();
  }

  function fail(status: number): void {
    if (!signal.aborted) onError?.(status);
  }

  function accept(text: string): void {
    if (text === lastText || signal.aborted) return;
    lastText = text;
    pauseMs = firstPauseMs;
    onText(text);
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

  /** Listens to the stream, where it may. Returns whether it does. */
  function listen(): boolean {
    // Without a status URL there is no other source.
    const isWanted = !statusUrl || (isSubmitted && allowsStream());
    if (stream || !url || !isWanted || document.hidden || signal.aborted) return stream !== undefined;
    stream = new AbortController();
    openStatusStream({
      url,
      signal: stream.signal,
      onText(text) {
        isPolling = false;
        clearTimeout(timer);
        accept(text);
      },
      onLost: poll,
      onRefused() {
        closeStream();
        isPolling = true;
        void read();
      },
    });
    return true;
  }

  function closeStream(): void {
    stream?.abort();
    stream = undefined;
  }

  function onVisibilityChange(): void {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      wasHidden = true;
      // Not at once: a user who looks something up in another tab comes back soon.
      hiddenTimer = setTimeout(closeStream, hiddenStreamMs);
    } else onReturnToPage();
  }

  function onReturnToPage(): void {
    if (document.hidden) return;
    if (isPolling || wasHidden) void read();
    wasHidden = false;
    if (!stream && listen()) poll();
  }

  document.addEventListener('visibilitychange', onVisibilityChange, { signal });
  for (const type of ['focus', 'online']) window.addEventListener(type, onReturnToPage, { signal });
  // A lock and a stream keep a page out of the back/forward cache.
  window.addEventListener('pagehide', closeStream, { signal });
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    wasHidden ||= persisted;
    if (persisted) onReturnToPage();
  };
  window.addEventListener('pageshow', onPageShow, { signal });
  signal.addEventListener('abort', () => {
    closeStream();
    clearTimeout(timer);
    clearTimeout(hiddenTimer);
  });
  if (listen()) poll();
  else {
    isPolling = true;
    void read();
  }
  return {
    onSubmitted() {
      if (isSubmitted) return;
      isSubmitted = true;
      pauseMs = firstPauseMs;
      listen();
      schedule();
    },
    refresh() {
      listen();
      return read();
    },
  };
}

/**
 * Returns the application, or undefined: an error page may take the place of the partner's backend.
 */
function parseApplication(text: string): PartnerApplication | undefined {
  try {
    const value = JSON.parse(text) as Partial<PartnerApplication> | null;
    const isComplete =
      value?.progress &&
      value.states?.every((fact?: { state?: unknown; status?: unknown }) => fact?.state && fact.status);
    return isComplete ? (value as PartnerApplication) : undefined;
  } catch {
    return undefined;
  }
}
