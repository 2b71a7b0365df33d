import type { IncomingMessage } from 'node:http';
import type { ServerLimits } from '../domain/limits/limits.js';

/**
 * Ends a request whose body is too slow: after `requestMs`, or for an upload when it is below the
 * minimum rate. Node has one limit for all requests, which would interrupt a document over a slow
 * connection. `end` is called at most once.
 *
 * @returns A function that stops the check, which also stops when the body is complete.
 */
export function watchBody(
  incoming: IncomingMessage,
  { requestMs, checkMs, uploadBytesPerSecond }: ServerLimits,
  { isUpload, end }: { isUpload: boolean; end: () => void },
): () => void {
  if (!hasBody(incoming)) return () => undefined;
  const startedAt = performance.now();
  // By the bytes of the socket, because a `data` listener would start reading before the handler.
  const bytesBefore = incoming.socket.bytesRead;
  const timer = setInterval(() => {
    if (incoming.complete || incoming.destroyed) return stop();
    const received = incoming.socket.bytesRead - bytesBefore;
    const earnedMs = isUpload ? (received * 1_000) / uploadBytesPerSecond : 0;
    if (performance.now() - startedAt <= requestMs + earnedMs) return;
    stop();
    end();
  }, checkMs);
  function stop(): void {
    clearInterval(timer);
  }
  return stop;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The time limit of an upload by its size, in whole milliseconds, which Node's timeouts require.
 */
export function longestUploadMs({ requestMs, uploadBytesPerSecond }: ServerLimits, maxBytes: number): number {
  return Math.ceil(requestMs + (maxBytes * 1_000) / uploadBytesPerSecond);
}
