import { CallOptions, connect, PortMessenger, type Message } from 'penpal';
import { safeParse, type GenericSchema, type InferOutput } from 'valibot';
import { ChannelError } from './channel-error.js';
import type { RejectionReason } from './messages.js';
import { isRecord } from './window-message.js';

/** What {@link openLink} needs. */
export interface LinkOptions<Schemas extends Record<string, GenericSchema>> {
  /** Our side of the port that the handshake handed over. */
  port: MessagePort;
  /** The id that every envelope must carry. */
  channel: string;
  /** The messages that are accepted, by type. */
  schemas: Schemas;
  /** Takes an accepted message and returns the answer. */
  handle(message: InferOutput<Schemas[keyof Schemas]>): unknown;
  /** Called when both sides are there. */
  onOpen(): void;
  /** Called when the other side closed the link. */
  onClose(): void;
  /** Called for everything that was refused. */
  onRejected: (reason: RejectionReason) => void;
}

/** One port between one document of the page and the element. */
export interface Link {
  /** Whether both sides are there. */
  readonly isOpen: boolean;
  /**
   * Sends a message and resolves with its answer, not yet checked.
   *
   * @throws ChannelError when none comes.
   */
  call(message: { type: string }, timeoutMs: number): Promise<unknown>;
  /** Ends the link for both sides; what is in flight is rejected at once. */
  close(): void;
}

/** The answer to a message as it travels: a result or a code. Errors themselves stay where they happened. */
type Reply = { r: unknown } | { e: 'refused' | 'failed' };

/**
 * Runs penpal on a port: it numbers the calls, times them out and rejects them when the link goes. There is one method for all
 * messages; its name check and the schema come before any code of ours sees a message.
 */
export function openLink<Schemas extends Record<string, GenericSchema>>(options: LinkOptions<Schemas>): Link {
  const { port, channel, schemas, onRejected } = options;
  let remote: { msg(message: unknown, callOptions: CallOptions): Promise<unknown> } | undefined;
  let isClosed = false;

  const messenger = new PortMessenger({ port });
  const initialize = messenger.initialize.bind(messenger);
  messenger.initialize = (initializeOptions) => {
    initialize({ ...initializeOptions, validateReceivedMessage: isAcceptedEnvelope });
  };
  port.addEventListener('messageerror', () => {
    onRejected('schema');
  });

  // No prototype: the peer chooses the path of names that penpal walks.
  const methods = Object.assign(Object.create(null) as object, { msg: receive });
  const connection = connect<{ msg(message: unknown): Promise<unknown> }>({ messenger, methods, channel });
  connection.promise.then((proxy) => {
    if (isClosed) return;
    remote = proxy;
    options.onOpen();
  }, closedByOtherSide);

  function isAcceptedEnvelope(data: unknown): data is Message {
    const reason = envelopeRefusal(data, channel);
    if (reason) onRejected(reason);
    else if ((data as Message).type === 'DESTROY') queueMicrotask(closedByOtherSide); // after penpal has rejected what was in flight
    return !reason;
  }

  function closedByOtherSide(): void {
    if (isClosed) return;
    isClosed = true;
    remote = undefined;
    options.onClose();
  }

  async function receive(message: unknown): Promise<Reply> {
    const type = isRecord(message) && typeof message.type === 'string' ? message.type : '';
    const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    const parsed = schema && safeParse(schema, message);
    if (!parsed?.success) {
      onRejected(schema || !type ? 'schema' : 'unknown_type');
      return { e: 'refused' };
    }
    try {
      return { r: (await options.handle(parsed.output)) ?? {} };
    } catch (error) {
      // Penpal would send the error with its stack to the other origin.
      reportError(error);
      return { e: 'failed' };
    }
  }

  return {
    get isOpen() {
      return remote !== undefined;
    },
    async call(message, timeoutMs) {
      if (!remote) throw new ChannelError('not_connected', message.type);
      const reply = await remote.msg(message, new CallOptions({ timeout: timeoutMs })).catch((error: unknown) => {
        const isTimeout = isRecord(error) && error.code === 'METHOD_CALL_TIMEOUT';
        throw new ChannelError(isTimeout ? 'timeout' : 'disconnected', message.type);
      });
      if (isRecord(reply) && Object.hasOwn(reply, 'r')) return reply.r;
      const code = isRecord(reply) && (reply.e === 'refused' || reply.e === 'failed') ? reply.e : 'invalid_answer';
      throw new ChannelError(code, message.type);
    },
    close() {
      isClosed = true;
      remote = undefined;
      connection.destroy();
    },
  };
}

/**
 * Why an envelope must not reach penpal, which trusts the shape of what it gets: a reply with a broken error throws in its
 * listener, and a call with a broken path makes it answer with our stack.
 */
function envelopeRefusal(data: unknown, channel: string): RejectionReason | undefined {
  if (!isRecord(data) || data.namespace !== 'penpal') return 'schema';
  if (data.channel !== channel) return 'channel';
  const { methodPath: path, args } = data;
  switch (data.type) {
    case 'SYN':
      return typeof data.participantId === 'string' ? undefined : 'schema';
    case 'ACK1':
    case 'ACK2':
    case 'DESTROY':
      return undefined;
    case 'CALL':
      if (!Array.isArray(path) || path.length !== 1 || path[0] !== 'msg') return 'unknown_type';
      return typeof data.id === 'string' && Array.isArray(args) && args.length === 1 ? undefined : 'schema';
    case 'REPLY':
      // Our ends never throw into penpal, so an error here was made by hand.
      return typeof data.callId === 'string' && !data.isError ? undefined : 'schema';
    default:
      return 'schema';
  }
}
