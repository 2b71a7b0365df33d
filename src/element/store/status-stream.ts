/*
 * One stream of server-sent events for all tabs of a site. Over HTTP/1.1 a browser has six
 * connections to a site, and a stream in each of seven tabs would keep every other request waiting.
 *
 * 1. Each element that wants events requests the same Web Lock. The one that has it opens the
 *    stream; the others wait for the lock, which the browser passes on when a tab closes or crashes.
 * 2. The holder shares each event with the other tabs, with the URL of its stream. A tab that
 *    follows another application has no events then, and polls.
 * 3. A new tab asks for the last event, because the server sends one only at a change.
 */

/** The options of {@link openStatusStream}. */
export interface StatusStreamOptions {
  /** The absolute URL of the events. */
  url: string;
  /** Ends the stream. Another tab takes it over. */
  signal: AbortSignal;
  /** Called with the data of each event. */
  onText(text: string): void;
  /** Called when no events arrive any more, until the next one. */
  onLost(): void;
  /** Called when the server refuses the stream, which ends it. */
  onRefused(): void;
}

const name = 'licensing-apply';

/**
 * A message to the other tabs. `text` is the data of the last event, "" when no events arrive. A
 * message without a URL asks for it.
 */
interface StreamMessage {
  ns: typeof name;
  t: 'stream';
  url?: string;
  text?: string;
}

/** Whether a stream leaves connections for the page's own requests. */
export function allowsStream(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Unknown for a page of a service worker, which has one stream at most as well.
  return hasLocks() && !page?.nextHopProtocol.startsWith('http/1');
}

/** Opens the stream of this site, or receives its events from the tab that has it. */
export function openStatusStream({ url, signal, onText, onLost, onRefused }: StatusStreamOptions): void {
  const channel = new BroadcastChannel(name);
  let lastText: string | undefined;

  function share(message: Pick<StreamMessage, 'url' | 'text'>): void {
    channel.postMessage({ ns: name, t: 'stream', ...message } satisfies StreamMessage);
  }

  function listen(): Promise<void> {
    return new Promise((resolve) => {
      const events = new EventSource(url);
      function publish(text: string): void {
        lastText = text;
        share({ url, text });
      }
      function end(): void {
        events.close();
        lastText = undefined;
        resolve();
      }
      const onApplication = ({ data }: MessageEvent<string>) => {
        publish(data);
        onText(data);
      };
      const onError = () => {
        publish('');
        // CONNECTING: the browser tries again. CLOSED: the server refused, and the browser gives up.
        if (events.readyState !== EventSource.CLOSED) onLost();
        else {
          end();
          onRefused();
        }
      };
      events.addEventListener('application', onApplication, { signal });
      events.addEventListener('error', onError, { signal });
      signal.addEventListener('abort', end);
    });
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Partial<StreamMessage> | null>) => {
    if (data?.t !== 'stream') return;
    if (data.url === undefined) {
      if (lastText !== undefined) share({ url, text: lastText });
    } else if (data.url === url && data.text) onText(data.text);
    else onLost();
  });
  signal.addEventListener('abort', () => {
    channel.close();
  });
  share({});
  // Without locks only an application without a status URL has a stream: it cannot be polled.
  if (!hasLocks()) void listen();
  // A frame without storage has no locks either. Then the status is polled.
  else navigator.locks.request(name, { signal }, listen).catch(onLost);
}

function hasLocks(): boolean {
  return 'locks' in navigator;
}
