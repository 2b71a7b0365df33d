import type { IncomingMessage } from 'node:http';
import type { ServerLimits } from '../domain/limits/limits.js';

/**
 * Ends a request whose body does not come in good time: any after `requestMs`, an upload when it falls behind its least rate. Node's own
 * limit is one for all requests, and would cut a document that comes over a slow line. `end` is called at most once.
 *
 * @returns What stops the watch; it also stops by itself once the body is there.
 */
export function watchBody(
  incoming: IncomingMessage,
  { requestMs, checkMs, uploadBytesPerSecond }: ServerLimits,
  { isUpload, end }: { isUpload: boolean; end: () => void },
): () => void {
  if (!hasBody(incoming)) return () => undefined;
  const startedAt = performance.now();
  // Of the socket, because a listener for data would begin to read before the handler does.
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

/** How long an upload of so many bytes may take at most, in whole milliseconds, as timeouts of Node must be. */
export function longestUploadMs({ requestMs, uploadBytesPerSecond }: ServerLimits, maxBytes: number): number {
  return Math.ceil(requestMs + (maxBytes * 1_000) / uploadBytesPerSecond);
}
