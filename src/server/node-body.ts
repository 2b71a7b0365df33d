import type { IncomingMessage } from 'node:http';

/**
 * The body of a request as a stream that listens along: loggers, pipes and decoders that were added
 * before receive all of it, too. `Readable.toWeb` and `read()` would lose what those take, and fail
 * where one decodes the body to text. After `cancel()`, the rest of the body is discarded.
 */
export function streamBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array>;

  function onData(chunk: Buffer | string): void {
    // A decoder in front never splits a character, so its text encodes to the same bytes.
    controller.enqueue(typeof chunk === 'string' ? Buffer.from(chunk, incoming.readableEncoding ?? 'utf8') : chunk);
    if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
  }
  function onEnd(): void {
    stopListening();
    controller.close();
  }
  function onBroken(): void {
    stopListening();
    controller.error(new Error('The connection broke.'));
  }
  function stopListening(): void {
    incoming.off('data', onData).off('end', onEnd).off('close', onBroken).off('error', onBroken);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        if (incoming.destroyed) {
          onBroken();
          return;
        }
        // Not only when the handler reads: where another listener lets the body flow, it would be lost.
        incoming.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken);
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        stopListening();
        // The rest stands before the next request of the connection, which would wait for ever.
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
