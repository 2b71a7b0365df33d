import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ApiError } from '../domain/errors/api-error.js';
import { randomId } from '../domain/keys/keys.js';
import { inputLimits, serverLimits, type ServerLimits } from '../domain/limits/limits.js';
import { limitConnectionsOfAddress } from './address-connections.js';
import { failureAnswer } from './api.js';
import type { FetchHandler } from './connection.js';
import { longestUploadMs, watchBody } from './body-deadline.js';
import { securityHeaders } from './connection.js';

/** A listening server whose handler can be set later: earlier requests wait for it. */
export interface HttpServer {
  port: number;
  serve(handler: FetchHandler): void;
  /**
   * From now on each response closes its connection, so that clients move to other instances before
   * this server closes.
   */
  drain(): void;
  /**
   * Accepts no new connections or requests, and waits for current requests at most until
   * `deadlineMs`.
   */
  close(deadlineMs: number): Promise<void>;
}

/**
 * The address to listen on. `variable` is the environment variable of the port, for the error about
 * a port in use.
 */
export interface ListenOptions {
  host: string;
  port: number;
  variable: string;
  limits?: Partial<ServerLimits> | undefined;
  /**
   * The number of trusted proxies in front. Without one, the connections of an IP address are
   * limited; with one, all have its address. Default: 0.
   */
  trustedProxies?: number;
  /**
   * Whether a request uploads a document, and may take as long as the minimum rate of uploads
   * allows. Default: none.
   */
  isUpload?: (incoming: IncomingMessage) => boolean;
}

/** The port is in use. The message contains it and the variable that changes it. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Starts to listen. @throws PortTakenError when the port is in use. */
export async function listen({
  host,
  port,
  variable,
  limits: given,
  trustedProxies = 0,
  isUpload = () => false,
}: ListenOptions): Promise<HttpServer> {
  const limits = { ...serverLimits, ...given };
  const uploadMs = longestUploadMs(limits, inputLimits.documentBytes.max);
  let isDraining = false;
  const underWay = new Set<ServerResponse>();
  let serve: (handler: FetchHandler) => void = () => undefined;
  const listener = new Promise<FetchHandler>((resolve) => (serve = resolve)).then((handler) =>
    // Replaces Node's Response by a lighter one, because the creation of Node's takes longer than
    // most operations.
    getRequestListener(handler, { errorHandler: answerUnreadable }),
  );
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ofUpload = isUpload(incoming);
    const stopWatch = watchBody(incoming, limits, {
      isUpload: ofUpload,
      end() {
        refuse(undefined, incoming.socket);
      },
    });
    // Node has timeouts for requests, but not for slow readers of responses.
    const exchangeMs = limits.exchangeMs + (ofUpload ? uploadMs - limits.requestMs : 0);
    const deadline = setTimeout(() => incoming.socket.destroy(), exchangeMs);
    outgoing.once('close', () => {
      stopWatch();
      clearTimeout(deadline);
      underWay.delete(outgoing);
    });
    underWay.add(outgoing);
    if (isDraining) outgoing.shouldKeepAlive = false;
    void listener.then((handle) => handle(incoming, outgoing));
  };
  const server = createServer(serverOptions(limits, uploadMs), take);
  server.maxConnections = limits.connections;
  if (trustedProxies === 0) limitConnectionsOfAddress(server, limits.connectionsOfAddress);
  server.on('clientError', refuse);
  // Otherwise Node would respond with a 417 without body, and by closing the connection.
  server.on('checkExpectation', take);
  server.on('connect', (_request, socket: Socket) => {
    // Node no longer handles this socket: an unhandled error would end the process, and an idle
    // client would stay connected.
    socket.on('error', () => undefined).once('finish', () => socket.destroy());
    refuse(undefined, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new PortTakenError(`Port ${port} is taken. Set ${variable} to another one.`) : error);
    });
    server.listen(port, host, resolve);
  });
  const drain = () => {
    isDraining = true;
    for (const outgoing of underWay) outgoing.shouldKeepAlive = false;
  };
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    drain,
    close(deadlineMs) {
      // A busy connection would otherwise continue to send requests.
      drain();
      return close(server, deadlineMs);
    },
  };
}

function serverOptions({ headersMs, idleMs, checkMs, headerBytes }: ServerLimits, uploadMs: number): ServerOptions {
  return {
    headersTimeout: headersMs,
    // The limit of the longest request; watchBody limits the others.
    requestTimeout: headersMs + uploadMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headerBytes,
    // Otherwise Node would respond without an error body: see answerUnreadable.
    requireHostHeader: false,
  };
}

/** The response to an unreadable request, with the same error body as every other error. */
function unreadable(): { body: string; init: { status: number; headers: Record<string, string> } } {
  const failure = new ApiError('invalid_request', 'request: expected readable HTTP/1.1 with a Host, in good time');
  const requestId = randomId('req');
  const { status, body, headers } = failureAnswer(failure, requestId);
  const all = { ...securityHeaders, ...headers, 'content-type': 'application/json', 'x-request-id': requestId };
  return { body: JSON.stringify(body), init: { status, headers: all } };
}

/** Requests that Node's parser accepts and `Request` does not, such as one without a Host. */
function answerUnreadable(): Response {
  const { body, init } = unreadable();
  return new Response(body, init);
}

/** Requests that Node's parser rejects. */
function refuse(error: NodeJS.ErrnoException | undefined, socket: Socket): void {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { body, init } = unreadable();
  const headers = { ...init.headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${init.status} Bad Request`, ...lines, '', body].join('\r\n'));
}

function close(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, deadlineMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
