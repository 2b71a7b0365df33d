import type { JsonPieces } from '../domain/values/json-pieces.js';

/** Sent at once, because each chunk costs a turn of the event loop, in less than a millisecond. */
const chunkBytes = 65_536;

/**
 * The response with a large JSON answer. A small one is sent as a whole. The rest is a stream, which
 * is produced as fast as the caller reads it, and keeps only what is not read yet. Both have a
 * Content-Length, by which a caller notices a connection that breaks before the end.
 */
export function sendPieces({ pieces }: JsonPieces): Response {
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const headers = { 'content-type': 'application/json', 'content-length': String(length) };
  if (length <= chunkBytes) return new Response(Buffer.concat(pieces), { headers });
  // The next piece last: taking the last of a list moves no others.
  const rest = pieces.toReversed();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(nextChunk(rest));
      if (rest.length === 0) controller.close();
    },
  });
  return new Response(body, { headers });
}

/** Takes pieces for one chunk from the end of a list. */
function nextChunk(rest: Uint8Array[]): Uint8Array {
  const taken: Uint8Array[] = [];
  for (let bytes = 0; bytes < chunkBytes;) {
    const piece = rest.pop();
    if (piece === undefined) break;
    taken.push(piece);
    bytes += piece.byteLength;
  }
  return Buffer.concat(taken);
}
