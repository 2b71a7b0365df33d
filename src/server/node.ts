/**
 * Mounts a licensing handler where requests are not Web standard ones. Mount it before anything that parses bodies.
 *
 * ```ts
 * const listener = toNodeListener(licensing);
 * createServer(listener);                             // node:http
 * app.use('/licensing', listener);                    // Express, before app.use(express.json())
 * fastify.all('/licensing/*', listener);              // Fastify
 * ```
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** What parsers and platforms leave on a request. */
interface ParsedRequest extends IncomingMessage {
  /** The path before a mount took its prefix off (Express). */
  originalUrl?: string;
  /** The body as it arrived (Firebase, Cloud Functions, and whoever keeps it). */
  rawBody?: unknown;
  /** The body as a parser made of it. */
  body?: unknown;
}

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

/** What the handler gets beside a request. */
export interface NodeContext {
  /** The address at the other end of the connection: that of the last proxy, if there is one. */
  peerAddress: string | undefined;
  /** The request as the listener got it, with what middleware put on it: of Express, Fastify or `node:http`. */
  incoming: IncomingMessage | WrappedRequest;
}

/** Makes a listener of a function from `Request` to `Response`. */
export function toNodeListener(handler: (request: Request, context: NodeContext) => Promise<Response>): NodeListener {
  return function nodeListener(request, response) {
    const incoming = unwrapRequest(request);
    const outgoing = unwrapReply(response);
    const context = { peerAddress: incoming.socket.remoteAddress, incoming: request };
    answer(handler, incoming, outgoing, context).catch(() => {
      // The connection broke while the answer was on its way, or the handler is not one of ours and rejected.
      if (outgoing.headersSent) outgoing.destroy();
      else sendFailure(outgoing, 'internal', 'The handler failed.');
    });
  };
}

function unwrapRequest(request: IncomingMessage | WrappedRequest): ParsedRequest {
  if (!('raw' in request)) return request;
  return request.body === undefined ? request.raw : Object.assign(request.raw, { body: request.body });
}

function unwrapReply(response: ServerResponse | WrappedReply): ServerResponse {
  if (!('raw' in response)) return response;
  // Without this Fastify would send an answer of its own.
  response.hijack?.();
  return response.raw;
}

async function answer(
  handler: (request: Request, context: NodeContext) => Promise<Response>,
  incoming: ParsedRequest,
  outgoing: ServerResponse,
  context: NodeContext,
): Promise<void> {
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const body = hasBody ? bodyOf(incoming) : undefined;
  if (body === consumed) {
    sendFailure(
      outgoing,
      'body_already_read',
      'Something read the body before. Mount the handler before express.json().',
    );
    return;
  }
  const gone = new AbortController();
  outgoing.once('close', () => {
    // After the whole answer it would say nothing, and cost a good part of a short request.
    if (!outgoing.writableFinished) gone.abort();
  });
  const init = { method: incoming.method ?? 'GET', headers: headersOf(incoming), signal: gone.signal };
  const request = new Request(
    urlOf(incoming),
    body === undefined ? init : ({ ...init, body, duplex: 'half' } as RequestInit),
  );
  await send(await handler(request, context), outgoing);
}

const consumed = Symbol('consumed');

/** The body, whoever holds it; `consumed` when nobody does any more. An empty body in its place would look like an empty webhook. */
function bodyOf(incoming: ParsedRequest): BodyInit | typeof consumed | undefined {
  if (isBytesOrText(incoming.rawBody)) return incoming.rawBody;
  // Parsers set `body` also when they left the stream alone, so the stream is asked first.
  if (!incoming.readableDidRead && !incoming.readableEnded)
    return Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  if (isBytesOrText(incoming.body)) return incoming.body;
  if (incoming.body !== undefined && incoming.body !== null) return JSON.stringify(incoming.body);
  return incoming.headers['content-length'] === '0' ? undefined : consumed;
}

function isBytesOrText(value: unknown): value is string | Uint8Array<ArrayBuffer> {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Only the path is looked at; what a client says about the host is not to be trusted, and may not even be a host. */
function urlOf(incoming: ParsedRequest): string {
  const path = incoming.originalUrl ?? incoming.url ?? '/';
  const base = `http://${incoming.headers.host ?? 'localhost'}`;
  // A path that begins with two slashes would be read as a host.
  const local = path.startsWith('/') ? path.replace(/^\/+/, '/') : `/${path}`;
  return URL.canParse(local, base) ? new URL(local, base).href : new URL(local, 'http://localhost').href;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
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
  if (outgoing.destroyed) stop();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!outgoing.write(part.value)) await drained(outgoing);
  }
  outgoing.removeListener('close', stop);
  outgoing.end();
}

/** Resolves when there is room again, or nobody left to write to. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.removeListener('drain', done);
      outgoing.removeListener('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
    if (outgoing.destroyed) done();
  });
}

function sendFailure(outgoing: ServerResponse, code: string, message: string): void {
  outgoing.writeHead(500, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  outgoing.end(JSON.stringify({ code, message }));
}
