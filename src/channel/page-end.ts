import { answerSchemas } from './answer-schemas.js';
import { elementSchemas } from './element-schemas.js';
import { namespace, protocolVersions, type Hello } from './handshake.js';
import { rejectSchema, welcomeSchema, type Welcome } from './hello-answers.js';
import { delayAfterHello } from './hello-schedule.js';
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
import { assertOrigin } from './origins.js';
import { pathToMisfit } from './misfit.js';
import { isForeignAction, pageSchemas, type PageMessage } from './page-schemas.js';
import { parse } from './parse.js';
import type { FromSchema, ObjectSchema } from './schema.js';
import { claimsToBeOurs, isFrom, isRecord } from './window-message.js';

/*
 * The handshake, seen from the page. The element's side is in element-end.ts.
 *
 * 1. The page says hello to each allowed origin, again and again until it is answered. The browser delivers it only
 *    to a window that shows that origin, so a hostile embedder learns nothing.
 * 2. The page judges the answer: source, shape, origin, document.
 * 3. A welcome brings a port: both open a link on it. A reject ends the attempts of this document.
 * 4. When the link opens, the page sends its last snapshot as `ready`, then what was said in the meantime.
 * 5. When the element closes the link, or the page comes back from the back/forward cache, it starts again at 1 with a new id.
 */

/** What the page does with each message of the element. What a handler returns is the answer. */
export type ElementHandlers = {
  [Type in keyof ElementMessages]: (
    payload: ElementMessages[Type],
  ) => ElementAnswers[Type] | Promise<ElementAnswers[Type]>;
};

/** What {@link openPageEnd} needs. */
export interface PageEndOptions {
  /** The window of the element: `parent` in a frame, `opener` in a popup. */
  target: Window;
  /** The origins that may embed the page, from the server's session. Never from the URL or the referrer. Exact, no wildcard. */
  origins: readonly string[];
  /** Where the application stands: what `ready` says until another snapshot is sent. */
  snapshot: Snapshot;
  /** What to do with the messages of the element. */
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
   * Sends a message. Before the connection the last one of each type is kept and sent when it is there.
   *
   * @throws TypeError when the payload has anything that the protocol has no field for: it never leaves the page.
   */
  send<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  /** Says no more hello, stops listening and ends the link. */
  close(): void;
}

/**
 * Opens the page's end and says hello.
 *
 * @throws TypeError when one of `origins` is not an exact origin, or `snapshot` has anything that the protocol has no field for.
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
    if (delayMs > 0) timer = view.setTimeout(sayHello, delayMs, 0);
    else sayHello(0);
  }

  function sayHello(attempt: number): void {
    const hello: Hello = { ns: namespace, t: 'hello', v: [...protocolVersions], doc };
    for (const origin of reachableOrigins()) target.postMessage(hello, origin);
    const delayMs = delayAfterHello(attempt);
    timer = delayMs === undefined ? undefined : view.setTimeout(sayHello, delayMs, attempt + 1);
  }

  /** The browser writes a console error for each target origin that does not match: where it tells us the embedder, we spare them. */
  function reachableOrigins(): readonly string[] {
    const embedder = target === view.parent ? (view.location as Partial<Location>).ancestorOrigins?.[0] : undefined;
    return embedder !== undefined && origins.includes(embedder) ? [embedder] : origins;
  }

  function onWindowMessage(event: MessageEvent<unknown>): void {
    const refusal = judgeAnswer(event);
    if (refusal) reject(refusal, event.origin);
  }

  function judgeAnswer(event: MessageEvent<unknown>): RejectionReason | undefined {
    if (!isFrom(event, target)) return claimsToBeOurs(event) ? 'source' : undefined;
    const { data, origin, ports } = event;
    const welcome = parse(welcomeSchema, data);
    const answer = welcome ?? parse(rejectSchema, data);
    if (!answer) return isRecord(data) && data.ns !== namespace ? 'channel' : 'schema';
    if (!origins.includes(origin)) return 'origin';
    if (answer.doc !== doc || link) return 'replay';
    if (welcome && !ports[0]) return 'schema';
    stopHello();
    if (!welcome || !ports[0] || !(protocolVersions as readonly number[]).includes(welcome.v)) return 'version';
    accept(welcome.init, ports[0], origin);
    return undefined;
  }

  function accept(init: Welcome['init'], port: MessagePort, origin: string): void {
    link = openLink({
      port,
      channel: init.channel,
      schemas: elementSchemas,
      handle: ({ type, payload }) => answer(type, payload),
      onOpen: () => {
        options.onConnect(init);
        tellEverything();
      },
      onClose: () => {
        // As a rule the frame is removed next: a hello on its way out would reach the page from a window that is gone.
        start(delayAfterHello(0));
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
    // Checked on our side too: an answer must not carry anything out either.
    return assertFits(type, answerSchemas[type], await options.handlers[type](payload));
  }

  function tellEverything(): void {
    const unsent = [...waiting];
    waiting.clear();
    post('ready', lastSnapshot);
    for (const [type, payload] of unsent) post(type, payload);
  }

  function post(type: keyof PageMessages, payload: PageMessages[keyof PageMessages]): void {
    // Nobody waits for the delivery: the snapshot is told again with the next connection.
    link?.send({ type, seq: ++seq, payload } as PageMessage);
  }

  function onPageHide(): void {
    // Tells the element at once that this document is gone; a port does not say so by itself.
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
      // It stays true of the next connection, whose `ready` would take it back.
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

/** The payload, when the protocol has a field for all of it. */
function checkPayload<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): PageMessages[Type] {
  const message: unknown = assertFits(type, pageSchemas[type], { type, seq: 1, payload });
  return (message as PageMessage<Type>).payload;
}

/** What leaves the page: nothing but what the schema has a place for. */
function assertFits<Given extends ObjectSchema>(type: string, schema: Given, value: unknown): FromSchema<Given> {
  const checked = parse(schema, value);
  if (checked) return checked;
  throw new TypeError(`The message "${type}" has no place for what stands at "${pathToMisfit(schema, value)}".`);
}

/** 128 random bits, spelled in letters. */
function createDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15))).join('');
}
