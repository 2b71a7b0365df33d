import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamBody } from './node-body.js';

/** What parsers and platforms leave on a request. */
export interface ParsedRequest extends IncomingMessage {
  /** The path before a mount took its prefix off (Express). */
  originalUrl?: string;
  /** The body as it arrived (Firebase, Cloud Functions, and whoever keeps it). */
  rawBody?: unknown;
  /** The body as a parser made of it. */
  body?: unknown;
}

/** Stands for a body that nobody holds any more. An empty one in its place would look like an empty webhook. */
export const consumed = Symbol('consumed');

/** The body, whoever holds it. */
export function bodyOf(incoming: ParsedRequest): BodyInit | typeof consumed | undefined {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return undefined;
  if (isBytesOrText(incoming.rawBody)) return incoming.rawBody;
  // Parsers set `body` also when they left the stream alone, so the stream decides.
  if (!incoming.readableDidRead && !incoming.readableEnded) return streamBody(incoming);
  if (isBytesOrText(incoming.body)) return incoming.body;
  if (incoming.body !== undefined && incoming.body !== null) return JSON.stringify(incoming.body);
  return incoming.headers['content-length'] === '0' ? undefined : consumed;
}

/** The `Request` with this body. Its signal tells when nobody waits for the answer any more. */
export function requestOf(incoming: ParsedRequest, outgoing: ServerResponse, body: BodyInit | undefined): Request {
  const gone = new AbortController();
  outgoing.once('close', () => {
    // After the whole answer it would say nothing, and cost a good part of a short request.
    if (!outgoing.writableFinished) gone.abort();
  });
  const init = { method: incoming.method ?? 'GET', headers: [...headersOf(incoming)], signal: gone.signal };
  return new Request(urlOf(incoming), body === undefined ? init : ({ ...init, body, duplex: 'half' } as RequestInit));
}

/** All headers as they came, in their order; what came twice is there twice. */
function* headersOf({ rawHeaders }: IncomingMessage): Generator<[string, string], void> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    // HTTP/2 puts the method and the path among them, under names that `Headers` refuses.
    if (!name.startsWith(':')) yield [name, value];
  }
}

/** Only the path is looked at; what a client says about the host is not to be trusted, and may not even be a host. */
function urlOf(incoming: ParsedRequest): string {
  const path = incoming.originalUrl ?? incoming.url ?? '/';
  const base = `http://${incoming.headers.host ?? 'localhost'}`;
  // A path that begins with two slashes, of either kind, would be read as a host.
  const local = `/${path.replace(/^[/\\]+/, '')}`;
  return URL.canParse(local, base) ? new URL(local, base).href : new URL(local, 'http://localhost').href;
}

function isBytesOrText(value: unknown): value is string | Uint8Array<ArrayBuffer> {
  return typeof value === 'string' || value instanceof Uint8Array;
}
