import { checkBounds } from './bounds.js';
import { isRecord } from './handshake.js';
import type { RejectionReason } from './messages.js';
import { check, type Infer, type Schema } from './schema.js';

/*
 * The messages on the port. Both ends follow the same rules, and every envelope carries the id of
 * the opening as `ch`.
 *
 * 1. `{ch, open: true}`: each end sends it once, before all else, when it listens. The port keeps
 *    what comes earlier, so no open is lost, and it keeps the order, so nothing overtakes one. An
 *    end that receives it knows that both listen: the link is open.
 * 2. `{ch, m}`: a message without an answer. `{ch, id, m}`: a call; `id` is a number that its
 *    sender has not used before.
 * 3. `{ch, id, r}`: the result of that call. `{ch, id, e}`: the code of its failure. Errors
 *    themselves stay where they happened.
 * 4. `{ch, close: true}`: the last envelope of an end. A port does not report by itself that its
 *    other side is gone, in any browser that matters, so an end that dies is detected by timeouts
 *    and by the hello of the next document.
 *
 * We do not use an RPC library here. Penpal, the best maintained one, was tried on the port: it
 * saved eleven lines, and needed a check of its envelopes in front of it and a change of its
 * handshake.
 */

/**
 * The reasons of a call without an answer.
 *
 * - `not_connected`: no page is connected; nothing was sent.
 * - `disconnected`: the page closed before it answered.
 * - `timeout`: no answer in time.
 * - `refused`: the page does not accept this message.
 * - `failed`: the page accepted the message and failed.
 * - `invalid_answer`: the answer does not match its schema.
 */
export type ChannelErrorCode = 'not_connected' | 'disconnected' | 'timeout' | 'refused' | 'failed' | 'invalid_answer';

/**
 * A call on the channel without an answer. It has a code, but no text and no stack of the other
 * side.
 */
export class ChannelError extends Error {
  /** Stable; see {@link ChannelErrorCode}. */
  readonly code: ChannelErrorCode;

  constructor(code: ChannelErrorCode, type: string) {
    super(`The call "${type}" has no answer: ${code}.`);
    this.name = 'ChannelError';
    this.code = code;
  }
}

/** The options of {@link openLink}. */
export interface LinkOptions<Schemas extends Record<string, Schema>> {
  /** Our side of the port that the handshake transferred. */
  port: MessagePort;
  /** The id that every envelope must carry. */
  channel: string;
  /** The messages that are accepted, by type. */
  schemas: Schemas;
  /** Handles an accepted message and returns the answer. */
  handle(message: Infer<Schemas[keyof Schemas]>): unknown;
  /** Called when both sides listen. */
  onOpen?(): void;
  /** Called when the other side closed the link. */
  onClose?(): void;
  /** Called for every refused envelope. */
  onRejected: (reason: RejectionReason) => void;
}

/** One port between one document of the page and the element. */
export interface Link {
  /** Whether both sides listen. */
  readonly isOpen: boolean;
  /** Sends a message that needs no answer. Lost when the link is not open. */
  send(message: { type: string }): void;
  /**
   * Sends a message and resolves with its answer, not yet checked.
   *
   * @throws ChannelError when there is none.
   */
  call(message: { type: string }, timeoutMs: number): Promise<unknown>;
  /** Ends the link for both sides; calls in flight are rejected at once. */
  close(): void;
}

type Reply = { r: unknown } | { e: ChannelErrorCode };

/**
 * Opens our end of the port. Envelope and schema are checked before any other code receives a
 * message.
 */
export function openLink<Schemas extends Record<string, Schema>>(options: LinkOptions<Schemas>): Link {
  const { port, channel, schemas, onRejected } = options;
  const inFlight = new Map<unknown, (reply: Reply) => void>();
  let state: 'opening' | 'open' | 'closed' = 'opening';
  let lastId = 0;

  port.onmessage = (event: MessageEvent<unknown>) => {
    // Before the data is read: only then the browser deserializes it, which takes most of the time
    // of a large message.
    if (state === 'closed') return;
    const refusal = receive(event.data);
    if (refusal) onRejected(refusal);
  };
  port.onmessageerror = () => {
    onRejected('schema');
  };
  post({ open: true });

  function post(envelope: object): void {
    port.postMessage({ ch: channel, ...envelope });
  }

  /** Returns the reason of the refusal, or nothing when the envelope was accepted. */
  function receive(data: unknown): RejectionReason | undefined {
    const excess = checkBounds(data);
    if (excess) return excess;
    if (!isRecord(data) || !Object.hasOwn(data, 'ch')) return 'schema';
    const { ch, id, m, r, e } = data;
    if (ch !== channel) return 'channel';
    const shape = Object.keys(data).sort().join();
    if (shape === 'ch,open' && data.open === true) return open();
    if (state === 'opening') return 'schema';
    if (shape === 'ch,close' && data.close === true) {
      end();
      options.onClose?.();
    } else if (shape === 'ch,m') void answer(m);
    else if (typeof id !== 'number') return 'schema';
    else if (shape === 'ch,id,m') void answer(m, id);
    // The answer may be for a call that has timed out. The other end cannot know that, so it is no
    // error.
    else if (shape === 'ch,id,r') inFlight.get(id)?.({ r });
    else if (shape === 'ch,e,id') inFlight.get(id)?.({ e: e === 'refused' || e === 'failed' ? e : 'invalid_answer' });
    else return 'schema';
    return undefined;
  }

  function open(): RejectionReason | undefined {
    if (state === 'open') return 'replay';
    state = 'open';
    options.onOpen?.();
    return undefined;
  }

  async function answer(message: unknown, id?: number): Promise<void> {
    const reply = (content: Reply) => {
      if (id !== undefined) post({ id, ...content });
    };
    const type = isRecord(message) && typeof message.type === 'string' ? message.type : '';
    const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    const checked = schema && check(schema, message);
    if (!checked || checked.path !== undefined) {
      onRejected(schema || !type ? 'schema' : 'unknown_type');
      reply({ e: 'refused' });
      return;
    }
    try {
      reply({ r: await options.handle(checked.value as Infer<Schemas[keyof Schemas]>) });
    } catch (error) {
      reportError(error);
      reply({ e: 'failed' });
    }
  }

  /** From here on nothing is sent or received, because a closed port drops messages. */
  function end(): void {
    state = 'closed';
    port.close();
    for (const settle of inFlight.values()) settle({ e: 'disconnected' });
  }

  return {
    get isOpen() {
      return state === 'open';
    },
    send(message) {
      if (state === 'open') post({ m: message });
    },
    async call(message, timeoutMs) {
      // The port keeps it until the other side listens: our `open` came before it.
      if (state === 'closed') throw new ChannelError('not_connected', message.type);
      const id = ++lastId;
      post({ id, m: message });
      let timer: ReturnType<typeof setTimeout> | undefined;
      const reply = await new Promise<Reply>((settle) => {
        inFlight.set(id, settle);
        timer = setTimeout(settle, timeoutMs, { e: 'timeout' });
      });
      clearTimeout(timer);
      inFlight.delete(id);
      if ('r' in reply) return reply.r;
      throw new ChannelError(reply.e, message.type);
    },
    close() {
      if (state === 'closed') return;
      post({ close: true });
      end();
    },
  };
}
