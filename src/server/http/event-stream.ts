import type { Clock } from '../clock.js';
import { HttpError } from './http-errors.js';

const heartbeatMs = 15_000;
/** The browser reconnects by itself, and whether the user may still read is checked again. */
const lifetimeMs = 15 * 60_000;
const reconnectMs = 3_000;
const maxPerUser = 20;
const maxTotal = 10_000;
const tryAgainLater = { 'retry-after': '30' };

/** A stream of server-sent events to one browser. */
export interface EventStream {
  /** The body of the answer. */
  body: ReadableStream<Uint8Array>;
  /** Whether it has ended. */
  readonly isClosed: boolean;
  /** Sends an event. While the browser is slow, only the newest one is kept: each holds the whole state. */
  send(event: { name: string; id: string; data: string }): void;
  /** Ends the stream after what was sent. */
  close(): void;
}

/** The streams that are open on this instance. */
export interface EventStreams {
  /**
   * Opens a stream. `onEnd` is called once, however it ends.
   *
   * @throws {@link HttpError} when the user, or this instance, has too many, and after `close()`.
   */
  open(userId: string, onEnd: () => void): EventStream;
  /** Ends all streams. */
  close(): void;
}

/** Creates an empty set of streams: at most 20 for a user and 10,000 in all. */
export function createEventStreams(clock: Clock): EventStreams {
  const streams = new Map<EventStream, string>();
  let isClosed = false;
  return {
    open(userId, onEnd) {
      // A request that was reading the application meanwhile.
      if (isClosed) throw new HttpError('not_ready', tryAgainLater);
      let ofUser = 0;
      for (const other of streams.values()) if (other === userId) ofUser += 1;
      if (ofUser >= maxPerUser) throw new HttpError('too_many_streams', tryAgainLater);
      if (streams.size >= maxTotal) throw new HttpError('busy', tryAgainLater);
      const stream = openEventStream(clock, () => {
        streams.delete(stream);
        onEnd();
      });
      streams.set(stream, userId);
      return stream;
    },
    close() {
      isClosed = true;
      for (const stream of [...streams.keys()]) stream.close();
    },
  };
}

function openEventStream(clock: Clock, onEnd: () => void): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting: string | undefined;
  let cancelHeartbeat = () => {};

  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  const write = (text: string) => controller?.enqueue(encoder.encode(text));

  function end(): void {
    if (!controller) return;
    controller = undefined;
    waiting = undefined;
    cancelHeartbeat();
    cancelLifetime();
    onEnd();
  }

  function close(): void {
    const open = controller;
    if (waiting !== undefined) write(waiting);
    end();
    open?.close();
  }

  function beat(): void {
    cancelHeartbeat = clock.after(heartbeatMs, () => {
      // A reader that leaves events unread needs no sign of life.
      if (hasRoom()) write(': heartbeat\n\n');
      beat();
    });
  }

  function flush(): void {
    if (waiting === undefined || !hasRoom()) return;
    const text = waiting;
    // Before it is written: a stream whose reader waits pulls again in the middle of that.
    waiting = undefined;
    write(text);
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
        write(`retry: ${String(reconnectMs)}\n\n`);
      },
      pull: flush,
      // The only sign of a closed tab that every runtime gives: workerd does not abort `request.signal`.
      cancel: end,
    },
    { highWaterMark: 2 },
  );
  const cancelLifetime = clock.after(lifetimeMs, close);
  beat();

  return {
    body,
    get isClosed() {
      return controller === undefined;
    },
    send({ name, id, data }) {
      if (!controller) return;
      waiting = `event: ${name}\nid: ${id}\ndata: ${data}\n\n`;
      flush();
    },
    close,
  };
}
