import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with what parsers and platforms add to it. */
export interface ParsedRequest extends IncomingMessage {
  /** The path before a mount removed its prefix (Express). */
  originalUrl?: string;
  /** The body as it arrived (Cloud Functions, and parsers that keep it). */
  rawBody?: unknown;
  /** The parsed body. */
  body?: unknown;
}

/** Stands for a body that was read and not kept. An empty body in its place would look like an empty webhook. */
export const consumed = Symbol('consumed');

/** Returns the body: the stream, or what a parser left of it. */
export function bodyOf(incoming: ParsedRequest): BodyInit | typeof consumed | undefined {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return undefined;
  if (isBytesOrText(incoming.rawBody)) return incoming.rawBody;
  // Parsers set `body` also when they left the stream alone, so the stream decides.
  if (!incoming.readableDidRead && !incoming.readableEnded) return streamBody(incoming);
  if (isBytesOrText(incoming.body)) return incoming.body;
  if (incoming.body !== undefined && incoming.body !== null) return JSON.stringify(incoming.body);
  return incoming.headers['content-length'] === '0' ? undefined : consumed;
}

/** Creates the `Request` with this body. Its signal aborts when the client is gone. */
export function requestOf(
  incoming: ParsedRequest,
  outgoing: ServerResponse,
  origin: string,
  body: BodyInit | undefined,
): Request {
  const gone = new AbortController();
  outgoing.once('close', () => {
    // After the whole answer it would mean nothing.
    if (!outgoing.writableFinished) gone.abort();
  });
  const init = { method: incoming.method ?? 'GET', headers: [...headersOf(incoming)], signal: gone.signal };
  return new Request(
    urlOf(incoming, origin),
    body === undefined ? init : ({ ...init, body, duplex: 'half' } as RequestInit),
  );
}

/** All headers in their order; a header that was sent twice is there twice. */
function* headersOf({ rawHeaders }: IncomingMessage): Generator<[string, string], void> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    // HTTP/2 puts the method and the path among them, under names that `Headers` refuses.
    if (!name.startsWith(':')) yield [name, value];
  }
}

function urlOf({ originalUrl, url }: ParsedRequest, origin: string): string {
  // A path that begins with two slashes, of either kind, would be read as a host.
  const path = `/${(originalUrl ?? url ?? '/').replace(/^[/\\]+/, '')}`;
  return URL.canParse(path, origin) ? new URL(path, origin).href : origin;
}

function isBytesOrText(value: unknown): value is string | Uint8Array<ArrayBuffer> {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/**
 * The body of a request as a stream that listens along: loggers, pipes and decoders that were added
 * before receive all of it, too. `Readable.toWeb` and `read()` would lose what those take, and fail
 * where one decodes the body to text. After `cancel()`, the rest of the body is discarded.
 */
function streamBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
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
