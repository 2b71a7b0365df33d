/**
 * Mounts a licensing handler where requests are not Web standard ones. Mount it before any parser
 * of bodies.
 *
 * ```ts
 * const listener = toNodeListener(licensing);
 * createServer(listener);                             // node:http
 * app.use('/licensing', listener);                    // Express, before app.use(express.json())
 * fastify.all('/licensing/*', listener);              // Fastify
 * ```
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpErrors, type HttpErrorBody, type HttpErrorCode } from './http/reply.js';

/** A request and a reply of Fastify, as far as they are needed. */
interface WrappedRequest {
  raw: ParsedRequest;
  body?: unknown;
}
interface WrappedReply {
  raw: ServerResponse;
  hijack?: () => unknown;
}

/** Takes the requests and responses of `node:http`, Express and Fastify. */
export type NodeListener = (request: IncomingMessage | WrappedRequest, response: ServerResponse | WrappedReply) => void;

/** The second argument of the handler. */
export interface NodeContext {
  /** The peer address of the connection. Behind a proxy, that of the proxy. */
  peerAddress: string | undefined;
  /** The request of Express, Fastify or `node:http`, with all that middleware added to it. */
  incoming: IncomingMessage | WrappedRequest;
}

/** A function of a `Request`, such as the handler of `createLicensingHandler`. */
export interface RequestHandler {
  (request: Request, context: NodeContext): Promise<Response>;
  /**
   * Absolute URL whose origin the requests have. Default: `http://localhost`. Not the `Host`
   * header, which a client can choose: a `returnUrl` that is made from `request.url` could be
   * injected.
   */
  readonly publicUrl?: string;
}

/**
 * Creates a listener from a function of a `Request`, such as the handler of
 * `createLicensingHandler`.
 */
export function toNodeListener(handler: RequestHandler): NodeListener {
  const { origin } = new URL(handler.publicUrl ?? 'http://localhost');
  return function nodeListener(request, response) {
    const incoming = unwrapRequest(request);
    const outgoing = unwrapReply(response);
    const context = { peerAddress: incoming.socket.remoteAddress, incoming: request };
    answer(handler, origin, incoming, outgoing, context).catch(() => {
      // The connection broke while the answer was sent, or a handler of the partner's own rejected.
      if (outgoing.headersSent) outgoing.destroy();
      else sendError(outgoing, 'internal');
    });
  };
}

function unwrapRequest(request: IncomingMessage | WrappedRequest): ParsedRequest {
  if (!('raw' in request)) return request;
  return request.body === undefined ? request.raw : Object.assign(request.raw, { body: request.body });
}

function unwrapReply(response: ServerResponse | WrappedReply): ServerResponse {
  if (!('raw' in response)) return response;
  // Otherwise Fastify would send an answer too.
  response.hijack?.();
  return response.raw;
}

// Our own, because requests of `@hono/node-server` lose what middleware reads along or decodes, and
// a body that the handler does not read blocks the next request of its connection.
async function answer(
  handler: RequestHandler,
  origin: string,
  incoming: ParsedRequest,
  outgoing: ServerResponse,
  context: NodeContext,
): Promise<void> {
  // `Request` refuses these methods.
  if (['CONNECT', 'TRACE', 'TRACK'].includes(incoming.method ?? '')) {
    sendError(outgoing, 'method_not_allowed');
    return;
  }
  const body = bodyOf(incoming);
  if (body === consumed) {
    sendError(outgoing, 'body_already_read');
    return;
  }
  const request = requestOf(incoming, outgoing, origin, body);
  const response = await handler(request, context);
  // A sender that is refused in the middle of its body receives the answer, and then the connection
  // ends.
  const isBrokenOff = request.bodyUsed && !incoming.complete && incoming.httpVersionMajor === 1;
  if (isBrokenOff) outgoing.setHeader('connection', 'close');
  await sendResponse(response, outgoing);
  // Otherwise the unread rest of a body would block the next request. Another handler may still
  // read it.
  if (!request.bodyUsed) await request.body?.cancel();
}

/** Sends an answer. Rejects when its body fails. */
async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  const stop = () => {
    reader.cancel().catch(() => undefined);
  };
  outgoing.once('close', stop);
  // Closed before the listener was there.
  if (isClosed(outgoing)) stop();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!outgoing.write(part.value)) await drained(outgoing);
  }
  outgoing.removeListener('close', stop);
  outgoing.end();
}

/** Resolves when there is room again, or the connection is closed. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.removeListener('drain', done);
      outgoing.removeListener('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
    if (isClosed(outgoing)) done();
  });
}

/** Whether the connection is closed. Responses of HTTP/2 do not say so themselves. */
function isClosed(outgoing: ServerResponse & { stream?: { destroyed: boolean } }): boolean {
  return outgoing.destroyed || outgoing.stream?.destroyed === true;
}

/** Sends an error of the listener itself. */
function sendError(outgoing: ServerResponse, code: HttpErrorCode): void {
  const [status, message] = httpErrors[code];
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  outgoing.writeHead(status, status === 405 ? { ...headers, allow: 'GET, POST' } : headers);
  outgoing.end(JSON.stringify({ code, message } satisfies HttpErrorBody));
}

/** A request with what parsers and platforms add to it. */
interface ParsedRequest extends IncomingMessage {
  /** The path before a mount removed its prefix (Express). */
  originalUrl?: string;
  /** The body as it arrived (Cloud Functions, and parsers that keep it). */
  rawBody?: unknown;
  /** The parsed body. */
  body?: unknown;
}

/**
 * Marks a body that middleware has read and not kept. An empty body would look like an empty
 * webhook.
 */
const consumed = Symbol('consumed');

/** Returns the body: the stream, or the data that a parser left. */
function bodyOf(incoming: ParsedRequest): BodyInit | typeof consumed | undefined {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return undefined;
  if (isBytesOrText(incoming.rawBody)) return incoming.rawBody;
  // Parsers set `body` also when they left the stream alone, so the stream decides.
  if (!incoming.readableDidRead && !incoming.readableEnded) return streamBody(incoming);
  if (isBytesOrText(incoming.body)) return incoming.body;
  if (incoming.body !== undefined && incoming.body !== null) return JSON.stringify(incoming.body);
  return incoming.headers['content-length'] === '0' ? undefined : consumed;
}

/** Creates the `Request` with this body. Its signal aborts when the client is gone. */
function requestOf(
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
        // Not only when the handler reads: where another listener lets the body flow, it would be
        // lost.
        incoming.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken);
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        stopListening();
        // Otherwise the unread rest would block the next request of the connection.
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
