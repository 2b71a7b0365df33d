import { ChannelError, type ChannelErrorCode } from './channel-error.js';
import type { RejectionReason } from './messages.js';
import { parse } from './parse.js';
import type { FromSchema, ObjectSchema } from './schema.js';
import { isRecord } from './window-message.js';

/*
 * What travels on the port. Both ends follow the same rules, and every envelope carries the id of the opening as `ch`.
 *
 * 1. `{ch, hi: true}`: each end says hi once, before all else, when it listens. The port keeps what comes earlier, so no hi is
 *    lost, and it keeps the order, so nothing overtakes one. Whoever receives a hi knows that both ends listen: the link is open.
 * 2. `{ch, m}`: a message that nobody answers. `{ch, id, m}`: a call; `id` is a number that its sender has not used before.
 * 3. `{ch, id, r}`: the result of that call. `{ch, id, e}`: the code of its failure. Errors themselves stay where they happened.
 * 4. `{ch, bye: true}`: the last word of an end. A port does not tell by itself that its other side is gone, in any browser
 *    that matters, so an end that dies without a word is found out by timeouts and by the hello of the next document.
 */

/** What {@link openLink} needs. */
export interface LinkOptions<Schemas extends Record<string, ObjectSchema>> {
  /** Our side of the port that the handshake handed over. */
  port: MessagePort;
  /** The id that every envelope must carry. */
  channel: string;
  /** The messages that are accepted, by type. */
  schemas: Schemas;
  /** Takes an accepted message and returns the answer. */
  handle(message: FromSchema<Schemas[keyof Schemas]>): unknown;
  /** Called when both sides are there. */
  onOpen?(): void;
  /** Called when the other side closed the link. */
  onClose?(): void;
  /** Called for everything that was refused. */
  onRejected: (reason: RejectionReason) => void;
}

/** One port between one document of the page and the element. */
export interface Link {
  /** Whether both sides are there. */
  readonly isOpen: boolean;
  /** Sends a message that needs no answer. Lost when the link is not open. */
  send(message: { type: string }): void;
  /**
   * Sends a message and resolves with its answer, not yet checked.
   *
   * @throws ChannelError when none comes.
   */
  call(message: { type: string }, timeoutMs: number): Promise<unknown>;
  /** Ends the link for both sides; what is in flight is rejected at once. */
  close(): void;
}

type Reply = { r: unknown } | { e: ChannelErrorCode };

/** Opens our end of the port. The name check and the schema come before any code of ours sees a message. */
export function openLink<Schemas extends Record<string, ObjectSchema>>(options: LinkOptions<Schemas>): Link {
  const { port, channel, schemas, onRejected } = options;
  const inFlight = new Map<unknown, (reply: Reply) => void>();
  let state: 'opening' | 'open' | 'closed' = 'opening';
  let lastId = 0;

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const refusal = state === 'closed' ? undefined : receive(data);
    if (refusal) onRejected(refusal);
  };
  port.onmessageerror = () => {
    onRejected('schema');
  };
  post({ hi: true });

  function post(envelope: object): void {
    port.postMessage({ ch: channel, ...envelope });
  }

  /** Returns why the envelope was refused, or nothing when it was taken. */
  function receive(data: unknown): RejectionReason | undefined {
    if (!isRecord(data) || !Object.hasOwn(data, 'ch')) return 'schema';
    const { ch, id, m, r, e, hi, bye } = data;
    if (ch !== channel) return 'channel';
    const shape = Object.keys(data).sort().join();
    if (shape === 'ch,hi' && hi === true) return open();
    if (state === 'opening') return 'schema';
    if (shape === 'bye,ch' && bye === true) {
      end();
      options.onClose?.();
    } else if (shape === 'ch,m') void answer(m);
    else if (typeof id !== 'number') return 'schema';
    else if (shape === 'ch,id,m') void answer(m, id);
    // For a call that was given up: nobody waits any more, and the other end could not know.
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
    const parsed = schema && parse(schema, message);
    if (!parsed) {
      onRejected(schema || !type ? 'schema' : 'unknown_type');
      reply({ e: 'refused' });
      return;
    }
    try {
      reply({ r: await options.handle(parsed as FromSchema<Schemas[keyof Schemas]>) });
    } catch (error) {
      reportError(error);
      reply({ e: 'failed' });
    }
  }

  /** Nothing travels from here on: a closed port drops what is posted and delivers nothing. */
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
      // Before the other side has said hi the port keeps it: ours was said.
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
      post({ bye: true });
      end();
    },
  };
}
