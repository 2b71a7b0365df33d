import { isFrom, isReturn, protocolVersions, readMessage } from './handshake.js';
import { ChannelError, openLink, type Link } from './link.js';
import type {
  ChannelInit,
  ElementAnswers,
  ElementMessages,
  PageMessages,
  Rejection,
  RejectionReason,
} from './messages.js';
import { check } from './schema.js';
import {
  answerSchemas,
  helloSchema,
  isForeignAction,
  namespace,
  pageSchemas,
  type Hello,
  type Reject,
  type Welcome,
} from './schemas.js';

/** The number of refused messages of one document that closes its port. */
const refusalLimit = 20;

/** The options of {@link openElementEnd}. */
export interface ElementEndOptions {
  /**
   * Returns the window of the page: the frame's `contentWindow` or the popup. Called for every
   * message.
   */
  target: () => Window | null;
  /** The only origin to which the channel is opened, as `URL.origin` gives it. */
  origin: string;
  /** Returns the data of the welcome. Called for every welcome. */
  init: ChannelInit;
  /** Called for every new document of the page: the first, the next step, a reload. */
  onConnect(info: { protocolVersion: (typeof protocolVersions)[number]; doc: string }): void;
  /** Called when the present document of the page is left. */
  onDisconnect?(): void;
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
   * Sends a message and resolves with the answer of the page.
   *
   * @throws ChannelError when there is none; `code` is the reason.
   */
  call<Type extends keyof ElementMessages>(
    type: Type,
    payload: ElementMessages[Type],
    timeoutMs: number,
  ): Promise<ElementAnswers[Type]>;
  /** Stops listening and ends the link; calls in flight are rejected. */
  close(): void;
}

/**
 * Opens the element's end: it answers the hello of each document of the page and opens a link to
 * it. The handshake is described in `handshake.ts`.
 */
export function openElementEnd(options: ElementEndOptions): ElementEnd {
  const { target, origin } = options;
  const seenDocuments = new Set<string>();
  let currentDocument = '';
  let link: Link | undefined;

  addEventListener('message', onWindowMessage);

  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (!isFrom(event, target()) || isReturn(event.data)) return;
    const reason = receiveHello(event);
    if (reason) options.onRejected({ origin: event.origin, reason });
  }

  /**
   * Returns the reason of the refusal, or nothing when the hello was accepted or is a repetition.
   */
  function receiveHello({ data, origin: sender, source }: MessageEvent<unknown>): RejectionReason | undefined {
    const read = readMessage(data, helloSchema);
    if ('reason' in read) return read.reason;
    // An exact comparison: "https://apply.example.evil.example" starts with the right text.
    if (sender !== origin) return 'origin';
    const { doc } = read.message;
    if (seenDocuments.has(doc)) {
      // The page repeats its hello until it is answered: while the link is opening, that is no
      // replay.
      return doc === currentDocument && !link?.isOpen ? undefined : 'replay';
    }
    acceptDocument(read.message, source as Window);
    return undefined;
  }

  function acceptDocument(hello: Hello, page: Window): void {
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
    let refusals = 0;
    const opened = openLink({
      port: port1,
      channel: init.channel,
      schemas: pageSchemas,
      handle: (message) => {
        if (message.seq <= lastSeq) refuse('replay');
        else if (isForeignAction(message, origin)) refuse('schema');
        else {
          lastSeq = message.seq;
          options.onMessage(message.type, message.payload);
        }
      },
      onClose: () => options.onDisconnect?.(),
      onRejected: refuse,
    });
    link = opened;
    const answer: Welcome = { ns: namespace, t: 'welcome', v: version, doc, init };
    page.postMessage(answer, origin, [port2]);
    // The hello came from the right page, which supports our version. The port queues messages from
    // here on.
    options.onConnect({ protocolVersion: version, doc });

    /**
     * Each refused message takes time of this page, and an oversized one up to a second, so one of
     * those is too many.
     */
    function refuse(reason: RejectionReason): void {
      // A newer page may send unknown messages, in any number.
      if (reason !== 'unknown_type') refusals += 1;
      const isOver = reason === 'limit' || refusals >= refusalLimit;
      options.onRejected({ origin, reason: isOver ? 'limit' : reason });
      if (isOver) opened.close();
    }
  }

  return {
    get connected() {
      return link?.isOpen ?? false;
    },
    async call(type, payload, timeoutMs) {
      if (!link) throw new ChannelError('not_connected', type);
      const answer = check<unknown>(
        answerSchemas[type],
        await link.call({ type, payload } as { type: string }, timeoutMs),
      );
      if (answer.path !== undefined) throw new ChannelError('invalid_answer', type);
      return answer.value as ElementAnswers[typeof type];
    },
    close() {
      removeEventListener('message', onWindowMessage);
      link?.close();
    },
  };
}
