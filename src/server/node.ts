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
import { bodyOf, consumed, requestOf, type ParsedRequest } from './node-request.js';
import { sendFailure, sendResponse } from './node-response.js';

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

/** Creates a listener from a function of a `Request` that resolves to a `Response`, such as that of `createLicensingHandler`. */
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
  const body = bodyOf(incoming);
  if (body === consumed) {
    const message = 'Other middleware has read the body. Mount the handler before it, or before express.json().';
    sendFailure(outgoing, 'body_already_read', message);
    return;
  }
  const request = requestOf(incoming, outgoing, body);
  const response = await handler(request, context);
  // A sender that is refused in the middle of its body receives the answer, and then the connection ends.
  const isBrokenOff = request.bodyUsed && !incoming.complete && incoming.httpVersionMajor === 1;
  if (isBrokenOff) outgoing.setHeader('connection', 'close');
  await sendResponse(response, outgoing);
  // The rest of a body stands before the next request. A handler that is not ours may go on reading it.
  if (!request.bodyUsed) await request.body?.cancel();
}
