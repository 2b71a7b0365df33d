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
import type { Arrival } from './handler/arrival.js';
import { NodeArrival } from './node-arrival.js';
import { bodyOf, consumed, isUnread, requestOf, type ParsedRequest } from './node-request.js';
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

/** Makes a listener of a function from `Request` to `Response`. That of `createLicensingHandler`, as it is, answers fastest. */
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
  let response: Response;
  let request: Request | undefined;
  if (takesArrivals(handler) && incoming.method === 'POST' && isUnread(incoming)) {
    const whole = () => requestOf(incoming, outgoing, bodyOf(incoming) as BodyInit);
    const arrival = new NodeArrival(incoming, whole);
    response = await handler.arrival(arrival, context);
    // Somebody who sends without end, or hardly anything, gets an answer, and then the connection ends.
    if (incoming.readableDidRead && !incoming.complete && !arrival.isRead) outgoing.setHeader('connection', 'close');
  } else {
    const body = bodyOf(incoming);
    if (body === consumed) {
      sendFailure(
        outgoing,
        'body_already_read',
        'Something read the body before. Mount the handler before express.json().',
      );
      return;
    }
    request = requestOf(incoming, outgoing, body);
    response = await handler(request, context);
  }
  await sendResponse(response, outgoing);
  // The rest of a body stands before the next request, which would wait for it for ever. A handler not ours may go on reading.
  if (!incoming.complete && request?.bodyUsed !== true) incoming.removeAllListeners('data').resume();
}

/** Only the very function that says so: whoever copied its properties to one of their own wants to be asked first. */
function takesArrivals(
  handler: unknown,
): handler is { arrival(arrival: Arrival, context: unknown): Promise<Response> } {
  return typeof handler === 'function' && 'arrival' in handler && handler.arrival === handler;
}
