/**
 * Mounts a licensing handler where requests are not Web standard ones. Mount it before anything that
 * parses bodies.
 *
 * ```ts
 * const listener = toNodeListener(licensing);
 * createServer(listener);                             // node:http
 * app.use('/licensing', listener);                    // Express, before app.use(express.json())
 * fastify.all('/licensing/*', listener);              // Fastify
 * ```
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, consumed, requestOf, type ParsedRequest } from './node-request.js';
import { sendError, sendResponse } from './node-response.js';

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
  /** The address at the other end of the connection: that of the last proxy, if there is one. */
  peerAddress: string | undefined;
  /** The request of Express, Fastify or `node:http`, with all that middleware added to it. */
  incoming: IncomingMessage | WrappedRequest;
}

/** A function of a `Request`, such as the handler of `createLicensingHandler`. */
export interface RequestHandler {
  (request: Request, context: NodeContext): Promise<Response>;
  /**
   * Absolute URL whose origin the requests have. Default: `http://localhost`. Not the `Host` header,
   * which a client can choose: a `returnUrl` that is made from `request.url` could be injected.
   */
  readonly publicUrl?: string;
}

/** Creates a listener from a function of a `Request`, such as the handler of `createLicensingHandler`. */
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
  // Without this Fastify would send an answer of its own.
  response.hijack?.();
  return response.raw;
}

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
  // A sender that is refused in the middle of its body receives the answer, and then the connection ends.
  const isBrokenOff = request.bodyUsed && !incoming.complete && incoming.httpVersionMajor === 1;
  if (isBrokenOff) outgoing.setHeader('connection', 'close');
  await sendResponse(response, outgoing);
  // The rest of a body stands before the next request. A handler that is not ours may go on reading it.
  if (!request.bodyUsed) await request.body?.cancel();
}
