import { answerSchemas } from './answer-schemas.js';
import { ChannelError } from './channel-error.js';
import { helloSchema, namespace, protocolVersions, type Hello } from './handshake.js';
import type { Reject, Welcome } from './hello-answers.js';
import { openLink, type Link } from './link.js';
import type {
  ChannelInit,
  ElementAnswers,
  ElementMessages,
  PageMessages,
  Rejection,
  RejectionReason,
} from './messages.js';
import { isForeignAction, pageSchemas } from './page-schemas.js';
import { parse } from './parse.js';
import { claimsToBeOurs, isFrom, isRecord, isReturn } from './window-message.js';

/*
 * The handshake, seen from the element. The page's side is in page-end.ts.
 *
 * 1. The page says hello: the versions that it speaks and the id of its document.
 * 2. The element judges the hello: source, shape, origin, document.
 * 3. The element welcomes the document: it makes a port for it, closes the port of the document before, which rejects
 *    what was in flight, and posts the welcome with the other side of the port to the exact origin.
 *    Without a common version it rejects the document instead and names its own versions.
 * 4. Both open a link on the port. From here on the windows are silent; the next document starts again at 1.
 */

// A hello for another element of this page is addressed to this window too: it is not forged only because it is not ours.
const openTargets = new Set<() => Window | null>();

/** What {@link openElementEnd} needs. */
export interface ElementEndOptions {
  /** The window of the page: the frame's `contentWindow` or the popup. Asked for every message. */
  target: () => Window | null;
  /** The only origin that is talked to, as `URL.origin` gives it. */
  origin: string;
  /** What the page learns from the welcome. */
  init: ChannelInit;
  /** Called for every new document of the page: the first, the next step, a reload. */
  onConnect(info: { protocolVersion: (typeof protocolVersions)[number]; doc: string }): void;
  /** Called for every message of the page, in order. */
  onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void;
  /** Called for every message that was refused. It had no effect. */
  onRejected(rejection: Rejection): void;
}

/** The element's end of the channel. */
export interface ElementEnd {
  /** Whether a document of the page is connected. */
  readonly connected: boolean;
  /**
   * Resolves with the answer of the page.
   *
   * @throws ChannelError when there is none; `code` says why.
   */
  call<Type extends keyof ElementMessages>(
    type: Type,
    payload: ElementMessages[Type],
    timeoutMs: number,
  ): Promise<ElementAnswers[Type]>;
  /** Stops listening and ends the link; what is in flight is rejected. */
  close(): void;
}

/**
 * Opens the element's end: waits for documents of the page and links each of them.
 */
export function openElementEnd(options: ElementEndOptions): ElementEnd {
  const { target, origin } = options;
  const seenDocuments = new Set<string>();
  let currentDocument = '';
  let link: Link | undefined;

  addEventListener('message', onWindowMessage);
  openTargets.add(target);

  function onWindowMessage(event: MessageEvent<unknown>): void {
    const refusal = judgeHello(event);
    if (refusal) reject(refusal, event.origin);
  }

  /** Returns why the message was refused, or nothing when it was welcomed or is none of our business. */
  function judgeHello(event: MessageEvent<unknown>): RejectionReason | undefined {
    if (!isFrom(event, target())) return claimsToBeOurs(event) && !isOfAnotherElement(event) ? 'source' : undefined;
    if (isReturn(event.data)) return undefined;
    const hello = parse(helloSchema, event.data);
    if (!hello) return isRecord(event.data) && event.data.ns !== namespace ? 'channel' : 'schema';
    // Equal, not similar: "https://apply.example.evil.example" starts with the right text.
    if (event.origin !== origin) return 'origin';
    if (seenDocuments.has(hello.doc)) {
      // The page repeats its hello until it is answered: while the link is being made, that is no replay.
      return hello.doc === currentDocument && !link?.isOpen ? undefined : 'replay';
    }
    takeIn(hello, event.source as Window);
    return undefined;
  }

  function takeIn(hello: Hello, page: Window): void {
    link?.close();
    seenDocuments.add(hello.doc);
    currentDocument = hello.doc;
    const version = protocolVersions.findLast((candidate) => hello.v.includes(candidate));
    if (version) {
      welcome(hello.doc, version, page);
      return;
    }
    const answer: Reject = { ns: namespace, t: 'reject', v: [...protocolVersions], doc: hello.doc };
    page.postMessage(answer, origin);
    const versions = `page ${String(hello.v)}, element ${String(protocolVersions)}`;
    options.onRejected({ origin, reason: 'version', versions });
  }

  function welcome(doc: string, version: (typeof protocolVersions)[number], page: Window): void {
    const { port1, port2 } = new MessageChannel();
    const { init } = options;
    let lastSeq = 0;
    link = openLink({
      port: port1,
      channel: init.channel,
      schemas: pageSchemas,
      handle: (message) => {
        if (message.seq <= lastSeq || isForeignAction(message, origin)) {
          reject(message.seq <= lastSeq ? 'replay' : 'schema');
          return;
        }
        lastSeq = message.seq;
        options.onMessage(message.type, message.payload);
      },
      onRejected: reject,
    });
    const answer: Welcome = { ns: namespace, t: 'welcome', v: version, doc, init };
    page.postMessage(answer, origin, [port2]);
    // The hello came from the right page, which speaks our version: what is sent from here on waits in the port.
    options.onConnect({ protocolVersion: version, doc });
  }

  function isOfAnotherElement(event: MessageEvent): boolean {
    return event.isTrusted && [...openTargets].some((other) => other() === event.source);
  }

  function reject(reason: RejectionReason, from = origin): void {
    options.onRejected({ origin: from, reason });
  }

  return {
    get connected() {
      return link?.isOpen ?? false;
    },
    async call(type, payload, timeoutMs) {
      if (!link) throw new ChannelError('not_connected', type);
      const answer = parse(answerSchemas[type], await link.call({ type, payload } as { type: string }, timeoutMs));
      if (!answer) throw new ChannelError('invalid_answer', type);
      return answer as ElementAnswers[typeof type];
    },
    close() {
      removeEventListener('message', onWindowMessage);
      openTargets.delete(target);
      link?.close();
    },
  };
}
