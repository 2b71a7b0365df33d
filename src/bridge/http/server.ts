import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ApiError } from '../domain/api-error.js';
import { randomId } from '../domain/keys/keys.js';
import { inputLimits, serverLimits, type ServerLimits } from '../domain/limits/limits.js';
import { failureAnswer } from './api.js';
import type { FetchHandler } from './observe.js';
import { longestUploadMs, watchBody } from './body-deadline.js';
import { securityHeaders } from './connection.js';

/** A listening server whose handler may come later: requests that come sooner wait for it. */
export interface HttpServer {
  port: number;
  serve(handler: FetchHandler): void;
  /** From now on each answer ends its connection, so that callers go elsewhere before this server closes. */
  drain(): void;
  /** Takes no new connections or requests and waits for those under way, at most until `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** Where to listen. `variable` is the environment variable that changes the port: a taken one is reported with it. */
export interface ListenOptions {
  host: string;
  port: number;
  variable: string;
  limits?: Partial<ServerLimits> | undefined;
  /** Which requests bring a document, and may take as long as that takes at the least rate of uploads. Default: none. */
  isUpload?: (incoming: IncomingMessage) => boolean;
}

/** The port is taken. The message names it and the variable that changes it. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Listens. @throws PortTakenError when something else does already. */
export async function listen({
  host,
  port,
  variable,
  limits: given,
  isUpload = () => false,
}: ListenOptions): Promise<HttpServer> {
  const limits = { ...serverLimits, ...given };
  const uploadMs = longestUploadMs(limits, inputLimits.documentBytes.max);
  let isDraining = false;
  const underWay = new Set<ServerResponse>();
  let serve: (handler: FetchHandler) => void = () => undefined;
  const listener = new Promise<FetchHandler>((resolve) => (serve = resolve)).then((handler) =>
    // Puts a lighter Response in the place of Node's, which alone takes longer than most of our operations: this process is ours.
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
    // Node watches how slowly a request comes, not how slowly its answer is read.
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
  server.on('clientError', refuse);
  // Node would answer both by itself: with a 417 that has no body, and by hanging up.
  server.on('checkExpectation', take);
  server.on('connect', (_request, socket: Socket) => {
    // No longer Node's to watch: an error would end the process, and a caller who does not hang up would stay.
    socket.on('error', () => undefined).once('finish', () => socket.destroy());
    refuse(undefined, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new PortTakenError(`Port ${String(port)} is taken. Set ${variable} to another one.`) : error);
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
      // A connection that is never idle would otherwise bring one request after the other.
      drain();
      return close(server, deadlineMs);
    },
  };
}

function serverOptions({ headersMs, idleMs, checkMs, headerBytes }: ServerLimits, uploadMs: number): ServerOptions {
  return {
    headersTimeout: headersMs,
    // Of the longest request that there may be: how long the others may take, watchBody knows.
    requestTimeout: headersMs + uploadMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headerBytes,
    // Node would answer by itself, in a shape of its own: see answerUnreadable.
    requireHostHeader: false,
  };
}

/** The answer to what is no request for the apps, in the same shape as every other failure. */
function unreadable(): { body: string; init: { status: number; headers: Record<string, string> } } {
  const failure = new ApiError('invalid_request', 'request: expected readable HTTP/1.1 with a Host, in good time');
  const requestId = randomId('req');
  const { status, body, headers } = failureAnswer(failure, requestId);
  const all = { ...securityHeaders, ...headers, 'content-type': 'application/json', 'x-request-id': requestId };
  return { body: JSON.stringify(body), init: { status, headers: all } };
}

/** What Node's parser takes and `Request` does not, such as one without a Host. */
function answerUnreadable(): Response {
  const { body, init } = unreadable();
  return new Response(body, init);
}

/** What Node's parser refuses. */
function refuse(error: NodeJS.ErrnoException | undefined, socket: Socket): void {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { body, init } = unreadable();
  const headers = { ...init.headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${String(init.status)} Bad Request`, ...lines, '', body].join('\r\n'));
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
