import type { Clock } from '../clock.js';

const heartbeatMs = 15_000;
/** Ends every stream now and then: the browser comes back by itself, and whether it still may is asked again. */
const lifetimeMs = 15 * 60_000;
const reconnectMs = 3_000;

/** One browser that listens. */
export interface EventStream {
  /** The body of the answer. */
  body: ReadableStream<Uint8Array>;
  /** Sends an event. While the browser is slow, only the newest one waits: each holds the whole state. */
  send(event: { name: string; id: string; data: string }): void;
  /** Ends the stream. */
  close(): void;
}

/** Opens a stream. `onEnd` runs once, however it ends. */
export function openEventStream(clock: Clock, onEnd: () => void): EventStream {
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
    end();
    open?.close();
  }

  function beat(): void {
    cancelHeartbeat = clock.after(heartbeatMs, () => {
      // A reader that does not even take what is there needs no sign of life.
      if (hasRoom()) write(': still here\n\n');
      beat();
    });
  }

  function flush(): void {
    if (waiting === undefined || !hasRoom()) return;
    const text = waiting;
    // Before it is written: where a reader waits, the stream asks for more in the middle of that.
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
      // The only sign of a closed tab that every runtime gives: `request.signal` stays silent in workerd.
      cancel: end,
    },
    { highWaterMark: 2 },
  );
  const cancelLifetime = clock.after(lifetimeMs, close);
  beat();

  return {
    body,
    send({ name, id, data }) {
      if (!controller) return;
      waiting = `event: ${name}\nid: ${id}\ndata: ${data}\n\n`;
      flush();
    },
    close,
  };
}
