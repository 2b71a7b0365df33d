import { isFrom, protocolVersions, readMessage } from './handshake.js';
import { openLink, type Link } from './link.js';
import type {
  ChannelInit,
  ElementAnswers,
  ElementMessages,
  PageMessages,
  Rejection,
  RejectionReason,
  Snapshot,
} from './messages.js';
import { check, type Schema } from './schema.js';
import {
  answerSchemas,
  elementSchemas,
  isForeignAction,
  namespace,
  pageSchemas,
  rejectSchema,
  type Hello,
  type PageMessage,
  welcomeSchema,
} from './schemas.js';

const helloDelayMs = 300;
const slowestHelloDelayMs = 10_000;
const lastHello = 170;

/** The page's handlers of the element's messages. The return value of a handler is the answer. */
export type ElementHandlers = {
  [Type in keyof ElementMessages]: (
    payload: ElementMessages[Type],
  ) => ElementAnswers[Type] | Promise<ElementAnswers[Type]>;
};

/** The options of {@link openPageEnd}. */
export interface PageEndOptions {
  /** The window of the element: `parent` in a frame, `opener` in a popup. */
  target: Window;
  /**
   * The origins that may embed the page, from the server's session. Never from the URL or the
   * referrer. Exact, no wildcard.
   */
  origins: readonly string[];
  /** The progress of the application: the content of `ready` until another snapshot is sent. */
  snapshot: Snapshot;
  /** Handles the messages of the element. */
  handlers: ElementHandlers;
  /** Called on each connection. */
  onConnect(init: ChannelInit): void;
  /** Called when the element closes the link. */
  onDisconnect?(): void;
  /** Called for every message that was refused. It had no effect. */
  onRejected?(rejection: Rejection): void;
  /** The window that listens. Default: the global one. */
  window?: Window;
}

/** The hosted page's end of the channel. */
export interface PageEnd {
  /** Whether the element is connected. */
  readonly connected: boolean;
  /**
   * Sends a message. Before the connection, the last one of each type is kept and sent on
   * connection.
   *
   * @throws TypeError when the payload has a value without a field in the protocol: it never leaves
   *   the page.
   */
  send<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  /** Stops the hellos, stops listening and ends the link. */
  close(): void;
}

/**
 * Opens the page's end: it sends hello to each allowed origin until one answers, and starts again
 * when the element closes the link or the page is restored from the back/forward cache. The
 * handshake is described in `handshake.ts`.
 *
 * @throws TypeError when one of `origins` is not an exact origin, or `snapshot` has a value without
 *   a field in the protocol.
 */
export function openPageEnd(options: PageEndOptions): PageEnd {
  const { target, origins } = options;
  origins.forEach(assertOrigin);
  const view = options.window ?? window;
  const waiting = new Map<keyof PageMessages, PageMessages[keyof PageMessages]>();
  let lastSnapshot = checkPayload('ready', options.snapshot);
  let seq = 0;
  let doc = '';
  let timer: number | undefined;
  let link: Link | undefined;

  view.addEventListener('message', onWindowMessage);
  view.addEventListener('pagehide', onPageHide);
  view.addEventListener('pageshow', onPageShow);
  start();

  function start(delayMs = 0): void {
    stopHello();
    link = undefined;
    doc = createDocumentId();
    if (delayMs > 0) timer = view.setTimeout(sendHello, delayMs, 0);
    else sendHello(0);
  }

  function sendHello(attempt: number): void {
    const hello: Hello = { ns: namespace, t: 'hello', v: [...protocolVersions], doc };
    // The browser delivers it only to a window that shows that origin, so a hostile embedder
    // receives nothing.
    for (const origin of reachableOrigins()) target.postMessage(hello, origin);
    if (attempt < lastHello) timer = view.setTimeout(sendHello, delayAfterHello(attempt), attempt + 1);
  }

  /**
   * Chromium names the embedder. This avoids the console error for each target origin that does not
   * match.
   */
  function reachableOrigins(): readonly string[] {
    const embedder = target === view.parent ? (view.location as Partial<Location>).ancestorOrigins?.[0] : undefined;
    return embedder !== undefined && origins.includes(embedder) ? [embedder] : origins;
  }

  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (!isFrom(event, target)) return;
    const reason = receiveAnswer(event);
    if (reason) reject(reason, event.origin);
  }

  /** Returns the reason of the refusal, or nothing when the answer to our hello was accepted. */
  function receiveAnswer({ data, origin, ports: [port] }: MessageEvent<unknown>): RejectionReason | undefined {
    const read = readMessage(data, welcomeSchema, rejectSchema);
    if ('reason' in read) return read.reason;
    const { message } = read;
    if (!origins.includes(origin)) return 'origin';
    if (message.doc !== doc || link) return 'replay';
    if (message.t === 'welcome' && !port) return 'schema';
    stopHello();
    if (message.t === 'reject' || !port || !(protocolVersions as readonly number[]).includes(message.v))
      return 'version';
    connect(message.init, port, origin);
    return undefined;
  }

  function connect(init: ChannelInit, port: MessagePort, origin: string): void {
    link = openLink({
      port,
      channel: init.channel,
      schemas: elementSchemas,
      handle: ({ type, payload }) => answer(type, payload),
      onOpen: () => {
        options.onConnect(init);
        sendEverything();
      },
      onClose: () => {
        // Usually the frame is removed next. A hello sent now would arrive from a window that no
        // longer exists.
        start(helloDelayMs);
        options.onDisconnect?.();
      },
      onRejected: (reason) => {
        reject(reason, origin);
      },
    });
  }

  async function answer<Type extends keyof ElementMessages>(
    type: Type,
    payload: ElementMessages[Type],
  ): Promise<unknown> {
    // Answers are checked here too, so that they carry nothing out.
    return assertMatches<unknown>(type, answerSchemas[type], await options.handlers[type](payload));
  }

  /** The last snapshot, including changes that were sent without a connection. */
  function sendEverything(): void {
    const unsent = [...waiting];
    waiting.clear();
    // Sent before `ready`, which reveals the page, so that it has its own height and position.
    const isLayout = ([type]: (typeof unsent)[number]) => type === 'resize' || type === 'scrollTo';
    for (const [type, payload] of unsent.filter(isLayout)) post(type, payload);
    post('ready', lastSnapshot);
    for (const [type, payload] of unsent.filter((message) => !isLayout(message))) post(type, payload);
  }

  function post(type: keyof PageMessages, payload: PageMessages[keyof PageMessages]): void {
    // The delivery is not confirmed: the snapshot is sent again with the next connection.
    link?.send({ type, seq: ++seq, payload } as PageMessage);
  }

  function onPageHide(): void {
    // Notifies the element at once that this document is gone; a port does not report it by itself.
    stopHello();
    waiting.clear();
    link?.close();
    link = undefined;
  }

  function onPageShow(event: PageTransitionEvent): void {
    if (event.persisted) start();
  }

  function stopHello(): void {
    view.clearTimeout(timer);
  }

  function reject(reason: RejectionReason, origin: string): void {
    options.onRejected?.({ origin, reason });
  }

  return {
    get connected() {
      return link?.isOpen ?? false;
    },
    send(type, payload) {
      const message = checkPayload(type, payload);
      if (isForeignAction({ type, seq: 0, payload: message }, view.location.origin)) {
        throw new TypeError('An `actionUrl` belongs to the origin of the page that sends it.');
      }
      const isSnapshot = type === 'ready' || type === 'progress' || type === 'submitted';
      if (isSnapshot) lastSnapshot = message as Snapshot;
      // Unsaved input is reported again, because the `ready` of the next connection would reset it.
      else if (type === 'dirty') lastSnapshot = { ...lastSnapshot, ...(message as PageMessages['dirty']) };
      if (link?.isOpen) post(type, message);
      else if (type !== 'ready' && type !== 'progress') waiting.set(type, message);
    },
    close() {
      onPageHide();
      view.removeEventListener('message', onWindowMessage);
      view.removeEventListener('pagehide', onPageHide);
      view.removeEventListener('pageshow', onPageShow);
    },
  };
}

/** Returns the payload if the protocol has a field for all of it. */
function checkPayload<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): PageMessages[Type] {
  const message = assertMatches<unknown>(type, pageSchemas[type], { type, seq: 1, payload });
  return (message as PageMessage<Type>).payload;
}

/** Returns a copy with the fields of the schema only, so that nothing else leaves the page. */
function assertMatches<Value>(type: string, schema: Schema<Value>, value: unknown): Value {
  const checked = check(schema, value);
  if (checked.path === undefined) return checked.value;
  // The path, never the value, which must not leave the page.
  throw new TypeError(
    `The message "${type}" does not match the protocol at "${checked.path}". See its schema in channel.schema.json.`,
  );
}

/**
 * Checks that a text is one exact origin, such as `https://apply.example` or
 * `http://localhost:5172`.
 *
 * @throws TypeError when it has a path, a wildcard, an upper case letter or a default port:
 *   compared as texts, such an origin would never match, and `*` must never become a target.
 */
function assertOrigin(origin: string): void {
  if (!/^https?:[^*]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new TypeError(`"${origin}" is not an exact origin such as "https://apply.example".`);
  }
}

/**
 * Returns the delay after a hello. `attempt` counts from 0.
 *
 * Every 300 ms for 30 s, longer than any element waits. Then the delay grows, because an element
 * may still load on a slow network. After {@link lastHello}, about ten minutes after the first, it
 * stops, so that a page in a background tab does not run forever. A new document, or the same one
 * from the back/forward cache, starts again.
 */
function delayAfterHello(attempt: number): number {
  return Math.min(slowestHelloDelayMs, helloDelayMs * 2 ** Math.max(0, attempt - 99));
}

/** 128 random bits, spelled in letters. */
function createDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15))).join('');
}
